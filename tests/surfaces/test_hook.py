"""`cairn hook`, called as four hosts call it, and as nobody should."""

import json
import os
import subprocess
import sys
import time

import pytest

from agent_calls import (
    ALL,
    ASKED,
    NOTED,
    SESSION,
    WORKED,
    events,
    hook,
    mishaps,
    payload,
    put_down,
    transcript,
    workspace,
    write_briefing,
)
from program import cairn, clean_env, command_line, fits_schema

HELLO = "<cairn-briefing>hello</cairn-briefing>"


@pytest.fixture
def root(tmp_path):
    return workspace(tmp_path / "work")


@pytest.mark.parametrize(("host", "event"), ALL)
@pytest.mark.parametrize("told", [True, False])
def test_every_event_of_every_host(tmp_path, root, host, event, told):
    put_down(root, HELLO)
    path = transcript(tmp_path, host)
    ran = hook(event, payload(host, event, root, path), cwd=tmp_path, args=("--host", host) if told else ())
    assert (ran.code, ran.err, mishaps(root)) == (0, "", [])
    recorded = [(e["type"], e["payload"]["host"]) for e in events(root)]
    kinds = {"stop": "turn_eligible", "pre-compact": "session_spooled", "session-end": "session_spooled"}
    assert recorded == ([(kinds[event], host)] if event in kinds else [])
    assert (json.loads(ran.out) if ran.out else None) == _answer(host, event)


def _answer(host, event):
    """Silence, but where the host expects something."""
    if event == "session-start" and host == "cursor":
        return {"additional_context": HELLO}
    if event == "session-start":
        return {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": HELLO}}
    return {} if host == "cursor" else None


@pytest.mark.parametrize("host", ["claude", "codex", "cursor"])
def test_a_turn_is_recorded_as_a_pointer(tmp_path, root, host):
    path = transcript(tmp_path, host)
    hook("stop", payload(host, "stop", root, path), cwd=root)
    (event,) = events(root)
    told = event["payload"]
    name = {"claude": "u-1", "codex": "@0", "cursor": "@0"}[host]
    assert told["turn_id"] == f"{host}:{SESSION}:{name}"
    assert (told["start"], told["end"]) == (0, path.stat().st_size)
    assert os.path.expanduser(told["transcript"]) == str(path)
    assert len(told["tools"]) == 1
    assert "mend the parser" not in json.dumps(event)


def test_the_same_turn_told_twice_has_one_name(tmp_path, root):
    path = transcript(tmp_path, "claude")
    for _ in range(2):
        hook("stop", payload("claude", "stop", root, path), cwd=root)
    assert len({event["payload"]["turn_id"] for event in events(root)}) == 1


@pytest.mark.parametrize("host", ["claude", "codex", "cursor"])
def test_a_turn_that_wrote_its_own_note_is_left_alone(tmp_path, root, host):
    path = transcript(tmp_path, host, ASKED[host], NOTED[host])
    hook("stop", payload(host, "stop", root, path), cwd=root)
    assert events(root) == []


def test_a_transcript_that_is_not_there_still_leaves_a_trace(tmp_path, root):
    hook("stop", payload("codex", "stop", root, None), cwd=root)
    assert [event["payload"]["turn_id"] for event in events(root)] == [f"codex:{SESSION}:t-1"]


def test_the_branch_is_remembered(tmp_path, root):
    subprocess.run(["git", "init", "-q", "-b", "spring"], cwd=root, check=True, env=clean_env())
    hook("stop", payload("claude", "stop", root, transcript(tmp_path, "claude")), cwd=root)
    assert events(root)[0]["payload"]["branch"] == "spring"


def test_it_finds_the_workspace_from_below_and_from_elsewhere(tmp_path, root):
    below = root / "a" / "b"
    below.mkdir(parents=True)
    hook("stop", payload("claude", "stop", below, transcript(tmp_path, "claude")), cwd=tmp_path)
    assert len(events(root)) == 1


# --- being asked ------------------------------------------------------------------------------------------------------


def ask(root):
    (root / ".cairn/settings.local.json").write_text('{"capture": {"ask": "once"}}')


@pytest.mark.parametrize(
    ("host", "again", "key"),
    [
        ("claude", {"stop_hook_active": True}, "decision"),
        ("codex", {"stop_hook_active": True}, "decision"),
        ("cursor", {"loop_count": 1}, "followup_message"),
    ],
)
def test_an_agent_is_asked_once(tmp_path, root, host, again, key):
    ask(root)
    path = transcript(tmp_path, host)
    first = json.loads(hook("stop", payload(host, "stop", root, path), cwd=root).out)
    assert "cairn note" in first["reason" if key == "decision" else key]
    assert first.get("decision", "block") == "block"
    assert events(root)[0]["payload"]["turn_id"] in first["reason" if key == "decision" else key]
    second = hook("stop", payload(host, "stop", root, path, **again), cwd=root)
    assert (json.loads(second.out) if second.out else {}) == {}


def test_what_was_asked_for_and_came_accounts_for_the_turn(tmp_path, root):
    ask(root)
    hook("stop", payload("claude", "stop", root, transcript(tmp_path, "claude")), cwd=root)
    noted = transcript(tmp_path, "claude", ASKED["claude"], WORKED["claude"], NOTED["claude"])
    hook("stop", payload("claude", "stop", root, noted, stop_hook_active=True), cwd=root)
    found = [(event["type"], event["payload"].get("skip_reason")) for event in events(root)]
    assert found[0] == ("turn_eligible", None)
    assert found[-1] == ("turn_skipped", "duplicate-signal")
    assert len({event["payload"]["turn_id"] for event in events(root)}) == 1


def test_a_note_under_the_turns_own_name_needs_nothing_more(tmp_path, root):
    """The agent does what it was asked: the turn has that one outcome."""
    ask(root)
    path = transcript(tmp_path, "claude")
    asked = json.loads(hook("stop", payload("claude", "stop", root, path), cwd=root).out)["reason"]
    turn = events(root)[0]["payload"]["turn_id"]
    assert f"--turn-id {turn}" in asked
    assert cairn("note", "The parser takes tabs now.", "--turn-id", turn, cwd=root).code == 0
    used = {"type": "tool_use", "id": "n", "name": "Bash", "input": {"command": f"cairn note 'x' --turn-id {turn}"}}
    noted = {"type": "assistant", "uuid": "a-2", "message": {"role": "assistant", "content": [used]}}
    path = transcript(tmp_path, "claude", ASKED["claude"], WORKED["claude"], noted)
    hook("stop", payload("claude", "stop", root, path, stop_hook_active=True), cwd=root)
    drained(root)
    ends = [e["type"] for e in events(root) if e["type"] in ("turn_completed", "turn_skipped", "turn_failed")]
    assert ends == ["turn_completed"]


@pytest.mark.parametrize(
    ("settings", "lines", "more"),
    [
        ({"settings.json": '{"capture": {"ask": "once"}}'}, None, {}),
        ({"settings.local.json": '{"capture": {"ask": "never"}}'}, None, {}),
        ({"settings.local.json": '{"capture": {"ask": "once"}}'}, (ASKED["claude"],), {}),
        ({"settings.local.json": '{"capture": {"ask": "once"}}'}, None, {"stop_hook_active": None}),
        ({"settings.local.json": '{"capture": '}, None, {}),
    ],
    ids=["by the committed file", "never", "nothing was done", "an unclear answer", "broken settings"],
)
def test_nobody_is_asked_otherwise(tmp_path, root, settings, lines, more):
    for name, text in settings.items():
        (root / ".cairn" / name).write_text(text)
    told = payload("claude", "stop", root, transcript(tmp_path, "claude", *(lines or ())))
    told = {key: value for key, value in {**told, **more}.items() if value is not None}
    assert hook("stop", told, cwd=root).out == ""


# --- silence ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("switch", ["CAIRN_OFF", "CAIRN_INTERNAL"])
def test_a_switch_makes_it_silent(tmp_path, root, switch):
    told = payload("claude", "stop", root, transcript(tmp_path, "claude"))
    ran = hook("stop", told, cwd=root, **{switch: "1"})
    assert (ran, events(root), mishaps(root)) == ((0, "", ""), [], [])


def test_settings_make_it_silent(tmp_path, root):
    (root / ".cairn/settings.json").write_text('{"capture": {"enabled": false}}')
    ran = hook("stop", payload("claude", "stop", root, transcript(tmp_path, "claude")), cwd=root)
    assert (ran, events(root)) == ((0, "", ""), [])


def test_outside_of_a_workspace_it_does_nothing(tmp_path):
    ran = hook("stop", payload("claude", "stop", tmp_path, transcript(tmp_path, "claude")), cwd=tmp_path)
    assert ran == (0, "", "")
    assert not (tmp_path / ".cairn").exists()
    assert hook("stop", b"no JSON", cwd=tmp_path) == (0, "", "")


@pytest.mark.parametrize("event", ["subagent-stop", "SubagentStop", "PostToolUse"])
def test_events_of_no_concern_are_passed_over(root, event):
    assert hook(event, payload("claude", event, root, None), cwd=root) == (0, "", "")
    assert (events(root), mishaps(root)) == ([], [])


@pytest.mark.parametrize("briefing", ["", "{", "[]", "[" * 10_000, '{"briefings": [1, {}]}', "x" * 300_000])
def test_a_briefing_that_says_nothing_is_silence(root, briefing):
    write_briefing(root, briefing)
    ran = hook("session-start", payload("claude", "session-start", root, None), cwd=root)
    assert (ran.code, ran.out, mishaps(root)) == (0, "", [])


def test_a_briefing_that_came_with_a_repository_is_not_served(root):
    """Git gives no file the mode that ours has; its words would go straight to a model."""
    put_down(root, HELLO)
    os.chmod(root / ".cairn/briefing.json", 0o600)
    assert hook("session-start", payload("claude", "session-start", root, None), cwd=root).out == ""


# --- bad input --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stdin", "sentence"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (b"{", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[1]", "not an object"),
        (b"\xff\xfe\x00", "not text"),
        (b'{"a": "' + b"x" * 5_000_000 + b'"}', "larger"),
        (b'{"a": "\xff"}', "not JSON"),
    ],
)
def test_bad_json_is_a_line_in_the_log(root, stdin, sentence):
    assert hook("stop", stdin, cwd=root) == (0, "", "")
    (error,) = mishaps(root)
    assert sentence in error
    assert events(root) == []


@pytest.mark.parametrize(
    "odd",
    [
        {"session_id": 7, "transcript_path": ["x"], "cwd": {"a": 1}},
        {"session_id": "a\x00b\n\ud800", "transcript_path": "\x00"},
        {"session_id": "s" * 10_000, "transcript_path": "/" + "x" * 10_000},
        {"workspace_roots": "none", "conversation_id": None, "generation_id": 3},
        {"cwd": "relative", "stop_hook_active": "yes", "loop_count": "many"},
    ],
)
def test_odd_values_still_leave_one_line(root, odd):
    ran = hook("stop", {"hook_event_name": "Stop", **odd}, cwd=root)
    assert (ran.code, ran.err, mishaps(root)) == (0, "", [])
    assert [event["type"] for event in events(root)] == ["turn_eligible"]


def test_a_payload_of_another_host_is_taken_for_what_it_is(tmp_path, root):
    told = payload("cursor", "stop", root, transcript(tmp_path, "cursor"))
    ran = hook("stop", told, cwd=root, args=("--host", "codex"))
    assert json.loads(ran.out) == {}
    assert events(root)[0]["payload"]["host"] == "cursor"
    assert "installed for codex" in mishaps(root)[0]


@pytest.mark.parametrize(
    ("event", "args", "sentence"),
    [("frobnicate", (), "no hook `frobnicate`"), ("stop", ("--host", "emacs"), "no host `emacs`")],
)
def test_what_nobody_knows_is_said_in_the_log(root, event, args, sentence):
    assert hook(event, payload("claude", "stop", root, None), cwd=root, args=args).code == 0
    assert sentence in mishaps(root)[0]


def test_a_ledger_that_cannot_be_written_does_not_fail_the_turn(tmp_path, root):
    (root / ".cairn/ledger").write_text("in the way")
    ran = hook("stop", payload("claude", "stop", root, transcript(tmp_path, "claude")), cwd=root)
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert len(mishaps(root)) == 1


def test_the_log_is_not_written_through_a_link_and_does_not_grow_for_ever(tmp_path, root):
    log = root / ".cairn/hook-errors.log"
    log.write_text("x" * 300_000)
    hook("stop", b"", cwd=root)
    assert len(mishaps(root)) == 1
    assert (root / ".cairn/hook-errors.log.1").stat().st_size == 300_000
    log.unlink()
    log.symlink_to(tmp_path / "elsewhere")
    assert hook("stop", b"", cwd=root).code == 0
    assert not (tmp_path / "elsewhere").exists()


def test_a_pipe_that_nobody_closes_is_not_waited_for(tmp_path, root):
    told = json.dumps(payload("claude", "stop", root, transcript(tmp_path, "claude"))).encode()
    env = clean_env(CAIRN_HOOK_DETACH="0")
    process = subprocess.Popen(command_line("hook", "stop"), cwd=root, env=env, stdin=subprocess.PIPE)
    process.stdin.write(told)
    process.stdin.flush()
    assert process.wait(timeout=60) == 0
    process.stdin.close()
    assert len(events(root)) == 1


def test_a_folder_that_is_gone_is_no_reason_to_fail(tmp_path, root):
    gone = tmp_path / "gone"
    gone.mkdir()
    line = (
        "import os, sys; os.rmdir(os.getcwd()); sys.argv[1:] = ['hook', 'stop'];"
        "from cairn.__main__ import main; sys.exit(main())"
    )
    told = json.dumps(payload("claude", "stop", root, transcript(tmp_path, "claude"))).encode()
    env = clean_env(CAIRN_HOOK_DETACH="0")
    done = subprocess.run([sys.executable, "-c", line], cwd=gone, env=env, input=told, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert len(events(root)) == 1


# --- what it costs ----------------------------------------------------------------------------------------------------


def test_it_imports_next_to_nothing(tmp_path, root):
    line = (
        "import sys; sys.argv[1:] = ['hook', 'stop']; from cairn.__main__ import main; main();"
        "print(*sorted(sys.modules), file=sys.stderr)"
    )
    told = json.dumps(payload("claude", "stop", root, transcript(tmp_path, "claude"))).encode()
    env = clean_env(CAIRN_HOOK_DETACH="0")
    done = subprocess.run([sys.executable, "-I", "-c", line], cwd=root, env=env, input=told, capture_output=True)
    loaded = set(done.stderr.decode().split())
    ours = {name for name in loaded if name.split(".")[0] == "cairn"}
    own = ("__main__", "journal", "worktree", "hook", "hook.aside", "hook.open_turns", "hook.tail")
    assert ours == {"cairn", *(f"cairn.{name}" for name in own)}
    assert loaded.isdisjoint({"click", "argparse", "subprocess", "hashlib", "tempfile", "dataclasses", "typing"})
    assert len(events(root)) == 1


# --- the detached step ------------------------------------------------------------------------------------------------


def drained(root):
    ran = cairn("hook", "drain", "--json", cwd=root)
    assert ran.code == 0, ran.err
    fits_schema(ran.json(), "hook")
    return ran.json()


def test_turns_and_sessions_are_written_from_what_hooks_left(tmp_path, root):
    said = {
        "type": "assistant",
        "uuid": "a-9",
        "message": {"role": "assistant", "content": "The parser takes tabs now."},
    }
    path = transcript(tmp_path, "claude", ASKED["claude"], WORKED["claude"], said)
    hook("stop", payload("claude", "stop", root, path), cwd=root)
    hook("session-end", payload("claude", "session-end", root, path), cwd=root)
    first = drained(root)
    assert (first["errors"], first["done"]["turns"], first["done"]["sessions"]) == ([], 1, 1)
    kinds = [event["type"] for event in events(root)]
    assert kinds.count("turn_completed") == kinds.count("session_captured") == 1
    assert "takes tabs now" in next((root / ".cairn/sessions").glob("*.md")).read_text()
    again = drained(root)
    assert (again["done"]["turns"], again["done"]["sessions"]) == (0, 0)


def test_a_session_that_cannot_be_captured_is_named_once(tmp_path, root):
    hook("session-end", payload("claude", "session-end", root, tmp_path / "gone.jsonl"), cwd=root)
    drained(root)
    drained(root)
    assert len([error for error in mishaps(root) if "gone.jsonl" in error]) == 1


def test_one_at_a_time_and_nothing_is_forgotten(tmp_path, root):
    """Many agents end a turn at once: each starts the step or leaves word for the one that runs."""
    env = clean_env()
    running = []
    for number in range(6):
        asked = {"type": "user", "uuid": f"u-{number}", "message": {"role": "user", "content": f"question {number}"}}
        said = {
            "type": "assistant",
            "uuid": "a",
            "message": {"role": "assistant", "content": f"Answer {number} is so."},
        }
        path = transcript(tmp_path / str(number), "claude", asked, WORKED["claude"], said)
        process = subprocess.Popen(command_line("hook", "stop"), cwd=root, env=env, stdin=subprocess.PIPE)
        process.stdin.write(json.dumps(payload("claude", "stop", root, path)).encode())
        process.stdin.close()
        running.append(process)
    assert [process.wait(timeout=60) for process in running] == [0] * 6
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and _outcomes(root) < 6:
        time.sleep(0.1)
    assert _outcomes(root) == 6
    assert mishaps(root) == []
    assert drained(root)["done"].get("turns", 0) == 0  # the last one may still be at work on other things


def _outcomes(root):
    ended = ("turn_completed", "turn_skipped", "turn_failed")
    return len({event["payload"]["turn_id"] for event in events(root) if event["type"] in ended})


def test_options_in_front_reach_it_too(tmp_path, root):
    told = json.dumps(payload("claude", "stop", root, transcript(tmp_path, "claude"))).encode()
    args = command_line("-C", str(root), "hook", "stop")
    done = subprocess.run(args, cwd=tmp_path, env=clean_env(CAIRN_HOOK_DETACH="0"), input=told, capture_output=True)
    assert done.returncode == 0
    assert len(events(root)) == 1
