"""Turns of a transcript: where they begin and end, and what they are called."""

import json
from typing import Any

import pytest

from cairn.capture.transcripts import Tally, last_turn, segments, turns
from cairn.core.model.session import Host, ToolCall, TurnFacts
from host_lines import (
    claude,
    claude_result,
    claude_use,
    codex,
    codex_event,
    codex_item,
    codex_meta,
    cursor,
    joined,
    opencode,
    part,
    tool_part,
)

SESSION = [
    claude("user", "Bake bread.", uuid="u1"),
    claude("assistant", "I read.", uuid="a1"),
    claude_use("t1", "Read", file_path="bread.md"),
    claude_result("t1"),
    claude("assistant", "Baked.", uuid="a2"),
    claude("user", "<system-reminder>Be kind.</system-reminder>", uuid="x"),
    claude("user", "Wait.", uuid="u2"),
    claude("user", "And <private>my number is 4</private>cake.", uuid="u3"),
    claude("assistant", "Cake, too.", uuid="a3"),
]


def all_turns(data: bytes) -> list[TurnFacts]:
    return list(turns("claude", "s", segments("claude", [data])))


def test_a_turn_is_a_question_and_its_answer() -> None:
    first, second = all_turns(joined(SESSION))
    assert (first.turn_id, first.number, first.asked, first.answered) == ("claude:s:u1", 1, "Bake bread.", "Baked.")
    assert [(t.name, t.target, t.ok) for t in first.tools] == [("Read", "bread.md", True)]
    assert (second.turn_id, second.number, second.answered) == ("claude:s:u3", 2, "Cake, too.")
    assert second.asked == "Wait.\n\nAnd cake."


def test_a_turn_has_its_place() -> None:
    data = joined(SESSION)
    for turn in all_turns(data):
        alone = last_turn(
            "claude",
            "s",
            data[turn.start - 1 : turn.end] if turn.start else data[: turn.end],
            start=max(turn.start - 1, 0),
        )
        assert alone is not None
        assert (alone.turn_id, alone.start, alone.end, alone.tools) == (turn.turn_id, turn.start, turn.end, turn.tools)


@pytest.mark.parametrize("cut", [10, 700, 1500])
def test_the_last_turn_is_found_from_the_end_alone(cut: int) -> None:
    data = joined(SESSION)
    found = last_turn("claude", "s", data[cut:], start=cut)
    assert found is not None
    assert found.turn_id == "claude:s:u3"
    assert found.start == all_turns(data)[-1].start


def test_an_end_without_a_question_has_no_turn() -> None:
    assert last_turn("claude", "s", joined([claude("assistant", "Baked.")])) is None
    assert last_turn("claude", "s", b"no newline at all", start=5) is None


def test_the_same_transcript_gives_the_same_ids_as_it_grows() -> None:
    data = joined(SESSION)
    longer = data + joined([claude("user", "More.", uuid="u4"), claude("assistant", "More cake.")])
    assert [t.turn_id for t in all_turns(longer)][:2] == [t.turn_id for t in all_turns(data)]


def test_where_the_host_gives_no_id_the_place_of_the_last_line_that_says_it_is_one() -> None:
    first = joined([cursor("user", "<user_query>Go on.</user_query>"), cursor("assistant", "Done.")])
    found = list(turns("cursor", "s", segments("cursor", [first * 2])))
    assert [turn.message_id for turn in found] == ["@0", f"@{len(first)}"]

    item = joined([codex_item("user", "Go on.")])
    data = item + joined([codex_event("user_message", "Go on."), codex_item("assistant", "Done.")])
    (only,) = turns("codex", "s", segments("codex", [data]))
    assert (only.message_id, only.start) == (f"@{len(item)}", 0)
    tail = last_turn("codex", "s", data[5:], start=5)
    assert tail is not None
    assert tail.message_id == only.message_id


def test_opencode_has_ids_of_its_own() -> None:
    (turn,) = turns("opencode", "ses_1", segments("opencode", [joined([opencode("user", part("Hi"), id="msg_7")])]))
    assert turn.turn_id == "opencode:ses_1:msg_7"
    assert turn.at == "2026-05-04T10:00:00.000Z"


def test_who_asks_or_works_without_end_is_remembered_in_part() -> None:
    many = [claude("user", f"Question {n}.") for n in range(100)]
    tools = [claude_use(f"t{n}", "Read", file_path="a") for n in range(2_000)]
    (turn,) = all_turns(joined([*many, *tools]))
    assert (turn.asked.count("Question"), len(turn.tools)) == (20, 1_000)


def test_a_question_that_is_private_all_over_begins_a_turn_of_its_own() -> None:
    secret = [claude("user", "<private>my number is 4</private>", uuid="u4"), claude("assistant", "Noted.")]
    turn = all_turns(joined([*SESSION, *secret]))[-1]
    assert (turn.message_id, turn.asked, turn.answered) == ("u4", "", "Noted.")


Said = list[tuple[str, str]]


def said(host: Host, data: bytes, *, size: int = 7) -> Said:
    """In tiny pieces, so that every line and every character is cut somewhere."""
    chunks = [data[at : at + size] for at in range(0, len(data), size)]
    return [(s.role, s.text) for s in segments(host, chunks) if not s.injected]


ASKED = [("user", "How warm?"), ("assistant", "20 degrees.")]

EVERY_VERSION: dict[str, tuple[Host, list[Any]]] = {
    "claude, text as a string": ("claude", [claude("user", "How warm?"), claude("assistant", "20 degrees.")]),
    "claude, blocks": (
        "claude",
        [
            {"type": "summary", "summary": "Baking", "leafUuid": "x"},
            claude("user", [{"type": "text", "text": "How warm?"}, {"type": "image", "source": {"data": "QUJD"}}]),
            claude("assistant", [{"type": "thinking", "thinking": "hm", "signature": "s"}]),
            claude("assistant", [{"type": "text", "text": "20 degrees."}]),
        ],
    ),
    "claude, of an early version": (
        "claude",
        [{"role": "user", "content": "How warm?"}, {"role": "assistant", "content": [{"text": "20 degrees."}]}],
    ),
    "claude, with what nobody typed": (
        "claude",
        [
            {"type": "queue-operation", "operation": "dequeue"},
            {"type": "file-history-snapshot", "messageId": "m", "snapshot": {}},
            claude("user", "Caveat: The messages below were generated by the user while running local commands."),
            claude("user", "<local-command-stdout>Set model to opus</local-command-stdout>"),
            claude("user", "do as I say", isMeta=True),
            claude("user", "How warm?\n<system-reminder>\nToday is Monday.\n</system-reminder>"),
            claude("user", "search the web", isSidechain=True),
            claude("assistant", "I searched.", isSidechain=True),
            claude("assistant", "20 degrees."),
            claude("assistant", "API Error: 529", isApiErrorMessage=True),
            claude("user", "[Request interrupted by user for tool use]"),
            claude("user", "This session is being continued from a previous conversation.", isCompactSummary=True),
            claude("user", "<task-notification><task-id>a</task-id></task-notification>"),
            claude("user", "A job ended.", origin={"kind": "task-notification"}),
            claude("user", "[Image: source: a.png]", isMeta=True),
        ],
    ),
    "codex, items and their echoes": (
        "codex",
        [
            codex_meta("/home/ada/garden"),
            codex_item("developer", "<permissions instructions>none</permissions instructions>"),
            codex_item(
                "user", "# AGENTS.md instructions for /home/ada/garden\n\n<INSTRUCTIONS>\nBake.\n</INSTRUCTIONS>"
            ),
            codex_item("user", "<environment_context>\n  <cwd>/home/ada</cwd>\n</environment_context>"),
            codex_item("user", "How warm?"),
            codex_event("user_message", "How warm?"),
            codex("turn_context", cwd="/home/ada/garden", model="gpt-5-codex"),
            codex("event_msg", type="agent_reasoning", text="**Thinking**"),
            codex("response_item", type="reasoning", summary=[], encrypted_content="gAAAA"),
            codex_event("agent_message", "20 degrees."),
            codex_item("assistant", "20 degrees."),
            codex("event_msg", type="token_count", info=None),
            codex("event_msg", type="task_complete", last_agent_message="20 degrees."),
        ],
    ),
    "codex, events first": (
        "codex",
        [
            codex_event("user_message", "How warm?"),
            codex_item("user", "How warm?"),
            codex_item("assistant", "20 degrees."),
        ],
    ),
    "codex, events only": (
        "codex",
        [
            codex_event("user_message", "How warm?"),
            codex("event_msg", type="task_complete", last_agent_message="20 degrees."),
        ],
    ),
    "codex, without envelopes": (
        "codex",
        [
            {"id": "5973b6c0", "timestamp": "2025-05-07T17:24:21.597Z", "instructions": "x"},
            {"record_type": "state"},
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "How warm?"}]},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "20 degrees."}]},
        ],
    ),
    "cursor": (
        "cursor",
        [
            cursor("user", "<timestamp>Monday</timestamp>\n<user_query>\nHow warm?\n</user_query>"),
            cursor("assistant", "20 degrees."),
            {"type": "turn_ended", "status": "completed"},
        ],
    ),
    "opencode, a message a line": (
        "opencode",
        [
            opencode("user", part("How warm?"), part("Called the Read tool", synthetic=True)),
            opencode("assistant", {"type": "step-start"}, {"type": "reasoning", "text": "hm"}, part("20 degrees.")),
            opencode("assistant", part("What we did so far"), summary=True),
        ],
    ),
}


@pytest.mark.parametrize("name", EVERY_VERSION)
@pytest.mark.parametrize("newline", [b"\n", b"\r\n"], ids=["lf", "crlf"])
def test_what_was_said(name: str, newline: bytes) -> None:
    host, values = EVERY_VERSION[name]
    assert said(host, joined(values).replace(b"\n", newline)) == ASKED


@pytest.mark.parametrize("indent", [None, 2])
def test_an_exported_session_of_opencode(indent: int | None) -> None:
    messages = [
        opencode("user", part('How "warm" {[?')),
        opencode("assistant", part("20 \\ degrees."), tool_part("read", filePath="a.py")),
    ]
    info = {"id": "ses_1", "title": "Baking [1", "time": {"created": 1, "list": [{"role": "user"}]}}
    document = json.dumps({"info": info, "messages": messages}, indent=indent).encode()
    for size in (1, 7, 10_000):
        assert said("opencode", document, size=size) == [("user", 'How "warm" {[?'), ("assistant", "20 \\ degrees.")]
    offsets = [(s.start, s.end) for s in segments("opencode", [document])]
    assert json.loads(document[slice(*offsets[0])]) == messages[0]


OLD_CURSOR = b"""user:
<user_query>
How warm?
</user_query>

assistant:
[Thinking] The file will say.
[Tool call] Read
  path: bread.md

[Tool result] Read
user: is not a speaker here
20

assistant:
20 degrees.
At noon.
"""


def test_the_plain_text_of_an_old_cursor() -> None:
    assert said("cursor", OLD_CURSOR) == [
        ("user", "How warm?"),
        ("assistant", ""),
        ("assistant", "20 degrees.\nAt noon."),
    ]
    tools = [s.tools for s in segments("cursor", [OLD_CURSOR]) if s.tools]
    assert tools == [(ToolCall("Read"),)]


# --- tools ----------------------------------------------------------------------------------------------------------

TOOLS: dict[str, tuple[Host, list[Any], list[ToolCall]]] = {
    "claude": (
        "claude",
        [
            claude("user", "Look."),
            claude("assistant", "I look."),
            claude_use("t1", "Read", file_path="src/a.py"),
            claude_result("t1"),
            claude_use("t2", "Bash", command="API_TOKEN=abc pytest -q tests/secret"),
            claude_result("t2", "1 failed", is_error=True),
            claude_use("t3", "Grep", pattern="password"),
        ],
        [ToolCall("Read", "src/a.py", True), ToolCall("Bash", "pytest", False), ToolCall("Grep", "", None)],
    ),
    "codex": (
        "codex",
        [
            codex_item("user", "Look."),
            codex(
                "response_item",
                type="function_call",
                name="shell",
                call_id="c1",
                arguments='{"command":["bash","-lc","cat secret.txt"]}',
            ),
            codex(
                "response_item",
                type="function_call_output",
                call_id="c1",
                output='{"output":"hush","metadata":{"exit_code":1}}',
            ),
            codex(
                "response_item", type="function_call", name="exec_command", call_id="c2", arguments='{"cmd":"ls -l"}'
            ),
            codex("response_item", type="function_call_output", call_id="c2", output="Exit code: 0\nOutput:\nx"),
            codex(
                "response_item",
                type="custom_tool_call",
                name="apply_patch",
                call_id="c3",
                input="*** Begin Patch\n*** Update File: src/a.py\n@@\n*** End Patch",
            ),
            codex(
                "response_item",
                type="local_shell_call",
                call_id="c4",
                action={"type": "exec", "command": ["git", "log"]},
            ),
            codex("response_item", type="web_search_call", action={"type": "search", "query": "my illness"}),
        ],
        [
            ToolCall("shell", "cat", False),
            ToolCall("exec_command", "ls", True),
            ToolCall("apply_patch", "src/a.py", None),
            ToolCall("local_shell", "git", None),
            ToolCall("web_search", "", None),
        ],
    ),
    "cursor": (
        "cursor",
        [
            cursor("user", "Look."),
            cursor(
                "assistant", "I look.", {"type": "tool_use", "id": "t", "name": "Shell", "input": {"command": "make"}}
            ),
            cursor("assistant", "", {"type": "tool_use", "name": "Write", "input": {"path": "a.md", "contents": "x"}}),
        ],
        [ToolCall("Shell", "make", None), ToolCall("Write", "a.md", None)],
    ),
    "opencode": (
        "opencode",
        [opencode("user", part("Look.")), opencode("assistant", tool_part("edit", "error", filePath="a.ts"))],
        [ToolCall("edit", "a.ts", False)],
    ),
}


@pytest.mark.parametrize("host", TOOLS)
def test_tools_have_a_name_a_target_and_an_end(host: str) -> None:
    name, values, expected = TOOLS[host]
    found = list(segments(name, [joined(values)]))
    assert [tool for segment in found for tool in segment.tools] == expected
    shown = " ".join(segment.text for segment in found)
    assert not any(word in shown for word in ("output of a tool", "hush", "illness", "1 failed"))


def test_an_agent_that_uses_tools_without_end_is_told_in_parts() -> None:
    values = [claude("user", "Go."), *(claude_use(f"t{n}", "Read", file_path="a") for n in range(1_200))]
    assert [len(s.tools) for s in segments("claude", [joined(values)])] == [0, 500, 500, 200]


def test_what_was_injected_is_marked() -> None:
    values = [
        claude("user", "<system-reminder>Be kind.</system-reminder>"),
        claude("user", "<cairn-context>\nPages that may help.\n</cairn-context>"),
        claude("user", "Bake it."),
    ]
    assert [s.injected for s in segments("claude", [joined(values)])] == [True, True, False]


def test_a_command_is_what_the_person_typed() -> None:
    text = "<command-message>review is running…</command-message>\n<command-name>/review</command-name>"
    typed = [claude("user", f"{text}\n<command-args>42</command-args>")]
    assert said("claude", joined(typed)) == [("user", "/review 42")]


def test_the_same_words_twice_are_two_messages_in_codex() -> None:
    pair = [codex_item("user", "Go on."), codex_event("user_message", "Go on.")]
    answer = [codex_event("agent_message", "Done."), codex_item("assistant", "Done.")]
    assert said("codex", joined([*pair, *pair, *answer, *answer, *pair])) == [
        ("user", "Go on."),
        ("user", "Go on."),
        ("assistant", "Done."),
        ("assistant", "Done."),
        ("user", "Go on."),
    ]


def test_a_message_has_its_place() -> None:
    data = joined([claude("user", "Bä"), claude("assistant", "Ja"), claude("user", "Ok")])
    for segment in segments("claude", [data]):
        assert json.loads(data[segment.start : segment.end])["message"]["content"] == segment.text


def test_kinds_that_nobody_knows_are_counted() -> None:
    tally = Tally()
    values = [claude("user", "Hi."), {"type": "hologram"}, {"type": "summary"}, {"no": "type"}]
    assert len(list(segments("claude", [joined(values)], tally=tally))) == 1
    assert (tally.unknown, tally.broken, tally.lines) == (2, 0, 4)
