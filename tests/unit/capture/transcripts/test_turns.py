"""Turns of a transcript: where they begin and end, and what they are called."""

import pytest

from cairn.capture.transcripts import last_turn, segments, turns
from cairn.core.model.session import TurnFacts
from host_lines import claude, claude_result, claude_use, codex_event, codex_item, cursor, joined, opencode, part

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
