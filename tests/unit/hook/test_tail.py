"""The end of a transcript, and that the readers of whole transcripts see the same turn there."""

import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.capture.transcripts import last_turn as read_last_turn
from cairn.hook import tail
from cairn.hook.tail import is_note, last_turn


def claude_user(id, text, **more):
    return {"type": "user", "uuid": id, "message": {"role": "user", "content": text}, **more}


def claude_tool(id, name, **given):
    block = {"type": "tool_use", "id": id, "name": name, "input": given}
    return {"type": "assistant", "uuid": f"a-{id}", "message": {"role": "assistant", "content": [block]}}


def claude_result(id, error=False):
    block = {"type": "tool_result", "tool_use_id": id, "is_error": error, "content": "…"}
    return {"type": "user", "uuid": f"r-{id}", "message": {"role": "user", "content": [block]}}


def claude_says(text):
    content = [{"type": "text", "text": text}]
    return {"type": "assistant", "uuid": "a", "message": {"role": "assistant", "content": content}}


def codex_event(kind, **more):
    return {"timestamp": "2026-01-01T00:00:00Z", "type": "event_msg", "payload": {"type": kind, **more}}


def codex_item(kind, **more):
    return {"timestamp": "2026-01-01T00:00:00Z", "type": "response_item", "payload": {"type": kind, **more}}


def codex_user(text, **more):
    return codex_item("message", role="user", content=[{"type": "input_text", "text": text}], **more)


def cursor(role, text):
    return {"role": role, "message": {"content": [{"type": "text", "text": text}]}}


CASES = {
    "claude, the last of two": (
        "claude",
        [claude_user("u1", "first"), claude_says("ok"), claude_user("u2", "second"), claude_says("done")],
    ),
    "claude, results and reminders are nobody's question": (
        "claude",
        [
            claude_user("u1", "mend it"),
            claude_tool("t1", "Bash", command="ls"),
            claude_result("t1", error=True),
            claude_user("m1", "a hook says", isMeta=True),
            claude_user("s1", "a side task", isSidechain=True),
            claude_user("x1", "<system-reminder>be good</system-reminder>"),
            claude_user("x2", "[Request interrupted by user]"),
            claude_says("done"),
        ],
    ),
    "claude, a reminder in front of a question": (
        "claude",
        [claude_user("u1", "old"), claude_says("x"), claude_user("u2", "<system-reminder>a</system-reminder>\nnew")],
    ),
    "claude, blocks": ("claude", [claude_user("u1", [{"type": "text", "text": "hello"}]), claude_says("hello")]),
    "claude, after a summary": (
        "claude",
        [claude_user("u1", "go on"), claude_user("c1", "what was before", isCompactSummary=True), claude_says("ok")],
    ),
    "codex, written twice": (
        "codex",
        [
            codex_user("<environment_context>x</environment_context>"),
            codex_user("what is 2+2?"),
            codex_event("user_message", message="what is 2+2?"),
            codex_item("function_call", name="shell", arguments='{"command":["ls"]}', call_id="c1"),
            codex_item("message", role="assistant", content=[{"type": "output_text", "text": "4"}]),
        ],
    ),
    "codex, the event first": (
        "codex",
        [codex_event("user_message", message="hi"), codex_user("hi"), codex_event("agent_message", message="hello")],
    ),
    "codex, an item with an id": ("codex", [codex_user("hi", id="msg_1"), codex_event("user_message", message="hi")]),
    "codex, events only": ("codex", [codex_event("user_message", message="hi")]),
    "cursor": (
        "cursor",
        [cursor("user", "<user_query>first</user_query>"), cursor("assistant", "ok"), cursor("user", "second")],
    ),
}


def written(tmp_path, lines):
    path = tmp_path / "transcript.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.mark.parametrize("name", CASES)
def test_the_turn_has_the_name_that_the_readers_give_it(tmp_path, name):
    host, lines = CASES[name]
    path = written(tmp_path, lines)
    seen = last_turn(host, str(path))
    read = read_last_turn(host, "s", path.read_bytes())
    assert seen.message_id == read.message_id
    assert seen.start >= read.start
    assert seen.end == path.stat().st_size


@given(st.lists(st.sampled_from([line for host, lines in CASES.values() if host == "claude" for line in lines])))
def test_any_mix_of_lines_has_the_same_last_turn(tmp_path_factory, lines):
    path = written(tmp_path_factory.mktemp("mix"), lines)
    read = read_last_turn("claude", "s", path.read_bytes())
    assert last_turn("claude", str(path)).message_id == (read.message_id if read else "")


def test_tools_are_named_once_and_failures_counted(tmp_path):
    lines = [
        claude_user("u0", "before"),
        claude_tool("t0", "Grep"),
        claude_user("u1", "now"),
        claude_tool("t1", "Bash", command="make"),
        claude_result("t1", error=True),
        claude_tool("t2", "Edit"),
        claude_tool("t3", "Bash", command="make"),
        claude_result("t3"),
    ]
    turn = last_turn("claude", str(written(tmp_path, lines)))
    assert (turn.tools, turn.errors, turn.noted) == (["Bash", "Edit"], 1, False)


@pytest.mark.parametrize(
    ("lines", "noted"),
    [
        ([claude_tool("t", "Bash", command="cairn note --summary x")], True),
        ([claude_tool("t", "Bash", command="cairn note --summary x"), claude_result("t", error=True)], False),
        ([claude_tool("t", "mcp__cairn__note", summary="x")], True),
        ([claude_tool("t", "Bash", command="cat notes")], False),
    ],
)
def test_a_note_counts_when_it_was_written(tmp_path, lines, noted):
    assert last_turn("claude", str(written(tmp_path, [claude_user("u", "go"), *lines]))).noted is noted


def test_a_note_of_an_earlier_turn_does_not_count(tmp_path):
    note = claude_tool("t", "Bash", command="cairn note --summary x")
    lines = [claude_user("u1", "a"), note, claude_user("u2", "b"), claude_says("c")]
    assert last_turn("claude", str(written(tmp_path, lines))).noted is False


@pytest.mark.parametrize(
    ("name", "said", "answer"),
    [
        ("note", None, True),
        ("cairn_note", None, True),
        ("mcp__notes__note_taker", None, False),
        ("shell", '{"command":["bash","-lc","cairn note --skip x"]}', True),
        ("exec", {"cmd": "python -m cairn knowledge note"}, True),
        ("exec", {"cmd": "echo cairn"}, False),
    ],
)
def test_what_writes_a_note(name, said, answer):
    assert is_note(name, said) is answer


def test_a_turn_that_begins_far_back_is_found(tmp_path, monkeypatch):
    monkeypatch.setattr(tail, "WINDOWS", (200, 4_000, 100_000))
    lines = [claude_user("u1", "begin"), *(claude_says("x" * 500) for _ in range(20))]
    path = written(tmp_path, lines)
    assert last_turn("claude", str(path)).message_id == "u1"


def test_a_turn_that_begins_too_far_back_has_no_name(tmp_path, monkeypatch):
    monkeypatch.setattr(tail, "WINDOWS", (200, 1_000))
    turn = last_turn("claude", str(written(tmp_path, [claude_user("u1", "begin"), claude_says("x" * 5_000)])))
    assert (turn.message_id, turn.start) == ("", None)


@pytest.mark.parametrize(
    "content", [b"", b"\x00\xff" * 100, b'{"type":"user"', b"[1,2]\n", b'{"user":' * 5_000 + b"\n"]
)
def test_what_is_no_transcript_has_no_turn(tmp_path, content):
    path = tmp_path / "odd"
    path.write_bytes(content)
    assert last_turn("claude", str(path)).message_id == ""


def test_nothing_is_waited_for(tmp_path):
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    for path in (str(fifo), str(tmp_path), str(tmp_path / "none"), "", "a\0b"):
        assert last_turn("claude", path).message_id == ""


def test_the_older_form_of_cursor(tmp_path):
    path = tmp_path / "old.txt"
    path.write_text("user:\nfirst\nassistant:\nok\nuser:\nsecond\n")
    read = read_last_turn("cursor", "s", path.read_bytes())
    assert last_turn("cursor", str(path)).message_id == read.message_id
