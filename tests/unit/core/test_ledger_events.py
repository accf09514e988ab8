"""What somebody tells, many ledgers as one, and what is wrong with a line."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.core.ledger_events import accept, admit, describe, faults, from_texts, merge, must_be_told
from cairn.errors import UsageError
from cairn.journal import EVENT_TYPES, TOLD

PROJECT = "0" * 64


def mask(text: str) -> str:
    return text.replace("hunter2", "[REDACTED]")


# --- telling --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", TOLD)
def test_what_can_be_told_is_a_type_with_fields(kind: str) -> None:
    must_be_told(kind)
    assert kind in EVENT_TYPES
    assert {name for name, _, _ in describe(kind)} == EVENT_TYPES[kind]
    assert all(what and "None" not in what for _, _, what in describe(kind))


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("knowledge_gap", "did you mean `knowledge_gap_signal`?"),
        ("pr-opened", "did you mean `pr_opened`?"),
        ("turn_completed", "recorded by Cairn itself"),
        ("zzz", "the types are"),
        ("", "the types are"),
    ],
)
def test_another_type(kind: str, words: str) -> None:
    with pytest.raises(UsageError) as told:
        must_be_told(kind)
    assert words in told.value.message


TYPED: list[tuple[str, list[tuple[str, str]], dict[str, Any]]] = [
    ("pr_opened", [("pr_number", "7")], {"pr_number": 7}),
    ("pr_opened", [("pr_number", "seven")], {"pr_number": "seven"}),
    ("task_claimed", [("wave", "2"), ("unplanned", "True")], {"wave": 2, "unplanned": True}),
    ("task_claimed", [("wave", "second"), ("task_id", "null")], {"wave": "second", "task_id": None}),
    ("decision_recorded", [("affects", "a,b"), ("affects", "c")], {"affects": ["a,b", "c"]}),
    ("progress_heartbeat", [("note", "a=b")], {"note": "a=b"}),
    ("progress_heartbeat", [("made_up", "1")], {"made_up": "1"}),
]


@pytest.mark.parametrize(("kind", "given", "payload"), TYPED)
def test_words_become_values(kind: str, given: list[tuple[str, str]], payload: dict[str, Any]) -> None:
    assert from_texts(kind, given) == payload


def test_a_field_that_is_no_list_is_given_once() -> None:
    with pytest.raises(UsageError, match="`note` was given twice"):
        from_texts("progress_heartbeat", [("note", "a"), ("note", "b")])


def test_unknown_fields_are_dropped_and_named() -> None:
    told = admit("progress_heartbeat", {"note": "x", "colour": "red"}, mask)
    assert (told.payload, told.dropped, told.redacted) == ({"note": "x"}, ("colour",), ())


def test_the_field_that_was_probably_meant() -> None:
    with pytest.raises(UsageError) as told:
        admit("progress_heartbeat", {"noet": "x"}, mask)
    assert told.value.message == (
        "progress_heartbeat: `note` is missing. There is no field `noet`; did you mean `note`?"
    )


def test_secrets_are_taken_out_of_words_and_not_out_of_digests() -> None:
    gap = {"topic": "hunter2", "source": "manual", "project_id": PROJECT, "agent_excerpt": "it is hunter2"}
    told = admit("knowledge_gap_signal", gap, mask)
    assert told.payload["agent_excerpt"] == "it is [REDACTED]"
    assert (told.payload["topic"], told.redacted) == ("hunter2", ("agent_excerpt",))


def test_what_grew_by_redaction_is_cut_to_what_fits() -> None:
    told = admit("progress_heartbeat", {"note": "hunter2" * 28}, mask)
    assert len(told.payload["note"]) == 200


# --- merging --------------------------------------------------------------------------------------------------------


def line(number: int = 1, *, at: int = 0, kind: str = "orphan_forgotten", **changes: Any) -> bytes:
    event = {
        "v": 1,
        "id": f"01a1e302-02ff-73a3-9fbd-{number:012d}",
        "type": kind,
        "at": f"2026-01-01T00:00:{at:02d}.000Z",
        "worktree": "app-1",
        "payload": {"path": "a.md"},
        **changes,
    }
    return json.dumps(event).encode() + b"\n"


LINES = st.builds(
    line, st.integers(1, 9), at=st.integers(0, 3), worktree=st.sampled_from(["a", "b"])
) | st.sampled_from([b"garbage\n", b'{"v":9}\n', b"[]\n"])
LEDGERS = st.lists(st.lists(LINES, max_size=6), max_size=4)


@given(LEDGERS, st.randoms(use_true_random=False))
def test_the_order_of_the_ledgers_does_not_matter(ledgers: list[list[bytes]], dice: Any) -> None:
    merged = merge(each for ledger in ledgers for each in ledger)
    shuffled = [each for ledger in ledgers for each in ledger]
    dice.shuffle(shuffled)
    assert merge(shuffled) == merged


@given(LEDGERS)
def test_merging_again_changes_nothing(ledgers: list[list[bytes]]) -> None:
    once = merge(each for ledger in ledgers for each in ledger).lines
    assert merge(once).lines == once
    assert merge([*once, *once]).lines == once


@given(LEDGERS)
def test_each_event_once_in_the_order_of_time(ledgers: list[list[bytes]]) -> None:
    merged = merge(each for ledger in ledgers for each in ledger)
    events = [json.loads(each) for each in merged.lines]
    assert [(event["at"], event["id"]) for event in events] == sorted((event["at"], event["id"]) for event in events)
    assert len({event["id"] for event in events}) == len(events)
    total = sum(len(ledger) for ledger in ledgers)
    assert len(events) + merged.duplicates + merged.malformed + merged.newer == total


def test_time_is_compared_and_not_its_text() -> None:
    later = line(1, at=1)
    earlier = line(2).replace(b"2026-01-01T00:00:00.000Z", b"2026-01-01T02:00:00+02:00")
    assert [json.loads(each)["id"][-1] for each in merge([later, earlier]).lines] == ["2", "1"]


def test_what_was_asked_is_in_no_merged_ledger() -> None:
    asked = line(2, kind="search_asked", payload={"question": "who owns the ovens", "surface": "cli", "fits": True})
    assert merge([line(1), asked]).lines == merge([line(1)]).lines


# --- judging lines --------------------------------------------------------------------------------------------------


FAULTS: list[tuple[list[bytes], list[tuple[int, str, bool]]]] = [
    ([line(1), line(2)], []),
    ([b"\n", line(1), b"\n"], []),
    ([b"\n", b"x\n", line(1)], [(2, "it is not JSON", True)]),
    ([b"x\n", line(1)], [(1, "it is not JSON", True)]),
    ([b'{"v":2}\n'], [(1, "it was written by a newer Cairn", False)]),
    ([line(1), line(1)], [(2, "was there before", True)]),
    ([line(2), line(1), line(3)], [(2, "is less than the one before it", True)]),
    ([line(1, kind="made_up")], [(1, "`made_up` is no type", True)]),
    ([line(1, payload={"path": "a", "secret": 1})], [(1, "`secret` is no field of this type", True)]),
    ([line(1, payload={})], [(1, "`path` is missing", True)]),
    ([line(1, payload={"path": "x" * 5000})], [(1, "bytes long and may be 4,096", True)]),
    ([line(1).replace(b"2026-01-01", b"2026-13-01")], [(1, "is no time", True)]),
]


@pytest.mark.parametrize(("lines", "expected"), FAULTS, ids=range(len(FAULTS)))
def test_faults_name_their_line(lines: list[bytes], expected: list[tuple[int, str, bool]]) -> None:
    found = list(faults(lines, set(), ordered=True))
    assert [(fault.line, fault.grave) for fault in found] == [(number, grave) for number, _, grave in expected]
    assert all(words in fault.text for fault, (_, words, _) in zip(found, expected, strict=True))


# --- lines of strangers ---------------------------------------------------------------------------------------------


def test_a_sound_line_is_taken() -> None:
    answer = accept(line(1), mask)
    assert json.loads(answer.line or b"") == json.loads(line(1))


def test_fields_of_strangers_are_left_out_and_secrets_masked() -> None:
    told = {"note": "hunter2", "task_id": None, "home": "/home/ann"}
    answer = accept(line(1, kind="progress_heartbeat", payload=told), mask)
    assert json.loads(answer.line or b"")["payload"] == {"note": "[REDACTED]", "task_id": None}


STRANGE: list[tuple[bytes, str]] = [
    (b"\n", "not JSON"),
    (line(1, id="../../x"), "is no name"),
    (line(1, worktree="a\n\x1b[31m"), "is no name"),
    (line(1, id="x" * 81), "is no name"),
    (line(1, kind="\x1b[2J"), "no type of event"),
    (line(1, at=0).replace(b"00:00:00.000Z", b"99:00:00.000Z"), "is no time"),
    (line(1, payload={"path": 3}), "must be a text"),
    (line(1, payload={"path": "x" * 9000}), "bytes long"),
    (line(1, kind="search_asked", payload={"question": "q", "surface": "cli", "fits": False}), "stays where it was"),
    (line(1, kind="page_read", payload={"path": "a.md", "surface": "cli"}), "stays where it was"),
    (b'{"v":1,"id":' + b"[" * 3000 + b"\n", "not JSON"),
]


@pytest.mark.parametrize(("data", "why"), STRANGE, ids=[case[1] for case in STRANGE])
def test_what_strangers_may_not_bring(data: bytes, why: str) -> None:
    answer = accept(data, mask)
    assert answer.line is None
    assert why in answer.why


def test_a_line_of_tomorrow_is_kept_as_it_is() -> None:
    assert accept(b'{"v":2,"new":1}\n', mask).line == b'{"v":2,"new":1}\n'


@given(st.binary(max_size=300))
def test_any_bytes_get_an_answer(data: bytes) -> None:
    answer = accept(data, mask)
    assert answer.line is not None or answer.why
