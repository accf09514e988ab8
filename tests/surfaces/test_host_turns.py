"""Turns from the prompt to their end, good or bad, through the calls that hosts make."""

import json
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

import mcp_workspace
from agent_calls import SESSION, events, hook, mishaps, payload
from host_lines import claude, claude_use, codex, codex_item, joined
from program import cairn, clean_env, command_line, fits_schema

LONG = "The cellar door must stay shut, because the sourdough dies below ten degrees."
ASKED = {
    "claude": claude("user", "Mend it.", uuid="u1"),
    "codex": codex_item("user", "Mend it.", id="u1"),
}
SAID = {
    "claude": claude("assistant", LONG, uuid="a1"),
    "codex": codex_item("assistant", LONG, id="a1"),
}
WORKED = {
    "claude": claude_use("t1", "Bash", command="sleep 60"),
    "codex": codex(
        "response_item", type="function_call", name="exec_command", call_id="t1", arguments='{"cmd": "sleep"}'
    ),
}
FAILED = {
    "claude": claude("assistant", "API Error: 500", uuid="a1", isApiErrorMessage=True),
    "codex": codex("event_msg", type="task_complete", last_agent_message=None, error={"message": "high demand"}),
}
STOPPED = {
    "claude": claude("user", [{"type": "text", "text": "[Request interrupted by user for tool use]"}], uuid="x"),
    "codex": codex("event_msg", type="turn_aborted", reason="interrupted"),
}
HOSTS = tuple(ASKED)


@pytest.fixture
def root(tmp_path):
    return mcp_workspace.make(tmp_path / "bakery")


class Talk:
    """A session of a host, as its hooks and its transcript tell it."""

    def __init__(self, root, host, session=SESSION):
        self.root, self.host, self.session = root, host, session
        folder = root.parent / f".{host}"
        folder.mkdir(exist_ok=True)
        self.transcript = folder / f"{'rollout-' if host == 'codex' else ''}{session}.jsonl"
        self.transcript.touch()

    def calls(self, event, **more):
        said = payload(self.host, event, self.root, self.transcript, session_id=self.session, **more)
        ran = hook(event, said, cwd=self.root, args=("--host", self.host))
        assert (ran.code, ran.out) == (0, "")

    def asks(self, prompt="Mend it."):
        self.calls("prompt", prompt=prompt)

    def writes(self, *lines):
        with self.transcript.open("ab") as file:
            file.write(joined(lines))


def drained(root):
    assert cairn("hook", "drain", cwd=root).code == 0


def verified(root):
    ran = cairn("turns", "verify", "--json", cwd=root)
    fits_schema(ran.json(), "turns-verify")
    return ran.json()


def turns(root):
    return cairn("turns", "list", "--low", "--json", cwd=root).json()["turns"]


@pytest.mark.parametrize("host", HOSTS)
def test_a_turn_begins_with_its_prompt_and_is_one_turn(root, host):
    talk = Talk(root, host)
    talk.asks()
    assert [event["type"] for event in events(root)] == ["turn_begun"]
    assert "Mend" not in json.dumps(events(root))
    talk.writes(ASKED[host], SAID[host])
    talk.calls("stop")
    drained(root)
    [turn] = turns(root)
    assert (turn["outcome"], turn["note"]["summary"], turn["session"]) == ("completed", LONG, SESSION)
    assert mishaps(root) == []


@pytest.mark.parametrize("host", HOSTS)
def test_a_turn_that_is_under_way_is_not_missing(root, host):
    Talk(root, host).asks()
    found = verified(root)
    assert (found["verdict"], found["counts"]["waiting"], found["endedBadly"]) == ("fine", 1, [])


BADLY = [
    ("killed in a tool call", (WORKED,), "interrupted", "no_answer"),
    ("killed before the model answered", (), "interrupted", "no_answer"),
    ("stopped by the person", (WORKED, STOPPED), "interrupted", "interrupted"),
    ("the model cannot be reached", (FAILED,), "failed", "model_error"),
]


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize(("lines", "outcome", "why"), [row[1:] for row in BADLY], ids=[row[0] for row in BADLY])
def test_a_turn_that_ends_badly_is_named(root, host, lines, outcome, why):
    """The host is gone: it is a process that ends here, and nobody calls `stop`."""
    talk = Talk(root, host)
    said = payload(host, "prompt", root, talk.transcript, prompt="Mend it.")
    given = repr((command_line("hook", "prompt", "--host", host), json.dumps(said).encode()))
    line = f"import subprocess; args, told = {given}; subprocess.run(args, input=told, check=True)"
    subprocess.run([sys.executable, "-c", line], cwd=root, env=clean_env(CAIRN_HOOK_DETACH="0"), check=True)
    talk.writes(ASKED[host], *(by_host[host] for by_host in lines))
    found = verified(root)
    assert [(turn["outcome"], turn["reason"], turn["session"]) for turn in found["endedBadly"]] == [
        (outcome, why, SESSION)
    ]
    assert (found["counts"]["eligible"], found["counts"][outcome]) == (1, 1)
    assert found["endedBadly"][0]["turnId"] in cairn("turns", "verify", cwd=root).out
    assert verified(root) | {"since": 0} == found | {"since": 0}


SAYS_SO = [
    ("claude", "stop-failure", {"error": "server_error"}, "failed", "model_error:server_error"),
    ("codex", "interrupt", {}, "interrupted", "interrupted"),
    ("opencode", "stop-failure", {"error": "APIError"}, "failed", "model_error:APIError"),
    ("opencode", "stop-failure", {"error": "MessageAbortedError"}, "interrupted", "interrupted"),
]


@pytest.mark.parametrize(("host", "event", "more", "outcome", "why"), SAYS_SO)
def test_a_host_that_says_how_a_turn_ended_is_believed(root, host, event, more, outcome, why):
    talk = Talk(root, host)
    talk.asks()
    talk.calls(event, **more)
    [turn] = turns(root)
    assert (turn["outcome"], turn["reason"]) == (outcome, why)


def test_cursor_says_with_stop_that_a_turn_was_aborted(root):
    said = payload("cursor", "stop", root, None, prompt="Mend it.", status="aborted")
    assert hook("prompt", said, cwd=root, args=("--host", "cursor")).out == '{"continue": true}\n'
    hook("stop", said, cwd=root, args=("--host", "cursor"))
    [turn] = turns(root)
    assert turn["outcome"] == "interrupted"


def test_a_session_that_ends_leaves_no_turn_open(root):
    """The host runs on, as one with several windows does, and says only that the session ended."""
    talk = Talk(root, "codex")
    talk.asks()
    talk.writes(ASKED["codex"], FAILED["codex"])
    talk.calls("session-end")
    drained(root)
    assert [turn["outcome"] for turn in turns(root)] == ["failed"]


LATE = {
    "a failure": ("stopfailure", FAILED, "failed"),
    "an answer": ("stop", SAID, "completed"),
}


@pytest.mark.parametrize("name", LATE)
@pytest.mark.parametrize("settled", [False, True], ids=["at once", "after the detached step"])
def test_a_turn_whose_end_is_told_after_that_of_its_session_is_one_turn(root, name, settled):
    """Claude Code runs both hooks at once, and under load the second may be the first."""
    event, lines, outcome = LATE[name]
    talk = Talk(root, "claude")
    talk.asks()
    talk.writes(ASKED["claude"], lines["claude"])
    talk.calls("sessionend")
    if settled:
        drained(root)
    talk.calls(event)
    drained(root)
    [turn] = turns(root)
    assert (turn["outcome"], turn["turnId"].rpartition(":")[2][:2]) == (outcome, "1-")


def test_the_next_prompt_ends_a_turn_that_was_left(root):
    talk = Talk(root, "claude")
    talk.asks()
    talk.writes(ASKED["claude"], WORKED["claude"])
    talk.asks("Rather do that.")
    drained(root)
    assert sorted(turn["outcome"] or "none" for turn in turns(root)) == ["interrupted", "none"]


# --- what comes through a tool --------------------------------------------------------------------------------------


def asked_over_mcp(root, tool, arguments, meta=None, client="claude-code", **env):
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": client, "version": "1"}}
    call = {"name": tool, "arguments": arguments, **({"_meta": meta} if meta else {})}
    lines = [
        {"id": 0, "method": "initialize", "params": hello},
        {"method": "notifications/initialized"},
        {"id": 1, "method": "tools/call", "params": call},
    ]
    told = "".join(json.dumps({"jsonrpc": "2.0", **line}) + "\n" for line in lines).encode()
    ran = subprocess.run(command_line("mcp"), cwd=root, env=clean_env(**env), input=told, capture_output=True)
    return json.loads(ran.stdout.splitlines()[-1])["result"]


NOTE = {"summary": "The oven needs forty minutes to heat up."}


def test_a_note_through_a_tool_belongs_to_the_turn_and_session_of_the_host(root):
    """A host that continues a session starts its servers with the id of another one."""
    talk = Talk(root, "claude")
    talk.asks()
    talk.writes(ASKED["claude"], claude_use("t1", "mcp__cairn__note", **NOTE))
    env = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "0e0e0e0e-another-session"}
    asked_over_mcp(root, "search", {"query": "how hot are the ovens"}, **env)
    asked_over_mcp(root, "read", {"id": "ovens"}, **env)
    asked_over_mcp(root, "note", NOTE, **env)
    talk.writes(SAID["claude"])
    talk.calls("stop")
    drained(root)
    [turn] = turns(root)
    assert (turn["session"], turn["host"], turn["note"]["summary"]) == (SESSION, "claude", NOTE["summary"])
    logged = [e["payload"] for e in events(root) if e["type"] in ("search_asked", "page_read")]
    assert [(e["session"], e["turn"]) for e in logged] == [(SESSION, turn["turnId"])] * 2


def test_two_notes_of_one_turn_are_both_kept(root):
    Talk(root, "claude").asks()
    asked_over_mcp(root, "note", NOTE)
    asked_over_mcp(root, "note", {"summary": "Rye has to rest for a whole day before it is baked."})
    found = turns(root)
    assert {turn["note"]["summary"][:8] for turn in found} == {"The oven", "Rye has "}
    assert {turn["session"] for turn in found} == {SESSION}


def test_a_request_that_names_its_session_gets_that_turn(root):
    other = "7b7b7b7b-2222-4222-8333-944445555666"
    Talk(root, "codex").asks()
    Talk(root, "codex", other).asks("Something else.")
    meta = {"threadId": SESSION, "x-codex-turn-metadata": {"session_id": SESSION, "turn_id": "t-1"}}
    asked_over_mcp(root, "note", NOTE, meta, client="codex-mcp-client")
    [noted] = [turn for turn in turns(root) if turn["note"]]
    assert (noted["session"], noted["source"]) == (SESSION, "codex")


def test_a_note_in_an_agents_shell_belongs_to_its_turn(root):
    Talk(root, "claude").asks()
    ran = cairn("note", NOTE["summary"], "--json", cwd=root, CLAUDECODE="1")
    [turn] = turns(root)
    assert (ran.json()["turnId"], turn["session"]) == (turn["turnId"], SESSION)


def test_without_a_turn_a_note_stands_alone(root):
    asked_over_mcp(root, "note", NOTE, client="some editor")
    [turn] = turns(root)
    assert (turn["source"], turn["agent"], turn["outcome"]) == ("mcp", "some editor", "completed")


# --- the same words -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("change", ["another session", "other tools"])
def test_the_same_last_words_are_no_duplicate(root, change):
    first = Talk(root, "claude")
    second = Talk(root, "claude", "7b7b7b7b-2222-4222-8333-944445555666") if change == "another session" else first
    for talk, number in ((first, 1), (second, 2)):
        talk.asks(f"Mend it, {number}.")
        used = [claude_use(f"t{number}", "Edit", file_path="a")] if number == 2 and talk is first else []
        talk.writes(claude("user", f"Mend it, {number}.", uuid=f"u{number}"), *used)
        talk.writes(claude("assistant", LONG, uuid=f"a{number}"))
        talk.calls("stop")
        drained(root)
    assert [turn["outcome"] for turn in turns(root)] == ["completed", "completed"]


def test_the_same_words_and_tools_in_one_session_are_a_duplicate(root):
    talk = Talk(root, "claude")
    for number in (1, 2):
        talk.asks(f"Mend it, {number}.")
        talk.writes(claude("user", f"Mend it, {number}.", uuid=f"u{number}"), claude("assistant", LONG, uuid="a"))
        talk.calls("stop")
        drained(root)
    assert sorted(turn["reason"] or "" for turn in turns(root)) == ["", "duplicate-signal"]


# --- OpenCode -------------------------------------------------------------------------------------------------------


@pytest.fixture
def store(root):
    path = root.parent / "opencode.db"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(
            "create table session (id text, parent_id text, directory text, time_updated integer);"
            "create table message (id text, session_id text, time_created integer, data text);"
            "create table part (id text, message_id text, session_id text, data text);"
        )
        rows = [
            ("msg_1", {"role": "user", "time": {"created": 1}}, "Mend it."),
            ("msg_2", {"role": "assistant", "time": {"created": 2, "completed": 3}}, LONG),
            ("msg_3", {"role": "user", "time": {"created": 4}}, "From now on, always use tabs in the Makefile."),
            (
                "msg_4",
                {"role": "assistant", "time": {"created": 5, "completed": 6}},
                "Tabs it is, from now on, always.",
            ),
        ]
        for id, info, text in rows:
            database.execute("insert into message values (?, 'ses_1', ?, ?)", (id, id[-1], json.dumps(info)))
            part = json.dumps({"type": "text", "text": text})
            database.execute("insert into part values (?, ?, 'ses_1', ?)", (f"p{id}", id, part))
        database.commit()
    return path


@pytest.mark.parametrize("named", ["opencode.db", "storage"])
def test_words_of_opencode_are_read_from_its_store(root, store, named):
    """Also where the plugin was loaded before OpenCode had made its database."""
    store = store.with_name(named)
    for message in ("msg_1", "msg_3"):
        told = payload("opencode", "stop", root, store, message_id=message, tools=[])
        hook("prompt", told, cwd=root, args=("--host", "opencode"))
        hook("stop", told, cwd=root, args=("--host", "opencode"))
    drained(root)
    assert [(turn["outcome"], (turn["note"] or {}).get("summary")) for turn in turns(root)] == [
        ("skipped", None),
        ("completed", LONG),
    ]
    hook("session-end", payload("opencode", "session-end", root, store), cwd=root, args=("--host", "opencode"))
    drained(root)
    [session] = cairn("session", "list", "--json", cwd=root).json()["sessions"]
    assert (session["host"], session["userTurns"]) == ("opencode", 2)
