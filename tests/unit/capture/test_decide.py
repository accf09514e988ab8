"""A note, or a stated reason for none."""

from typing import Any

import pytest

from cairn.capture.turn_outcome import Capture, InvalidTurn, Skip, decide, marked_decision, synthesised
from cairn.core.fingerprint import fingerprints, marked, recall_mark, without_recalled
from cairn.core.model.session import ToolCall, TurnRequest

LONG = "The importer reads latin-1 as UTF-8 and loses rows without a word."
BASH = (ToolCall("Bash", "pytest", True),)
HEARTBEAT, DUPLICATE, NOTHING = Skip("routine-heartbeat"), Skip("duplicate-signal"), Skip("no-new-information")

CASES: list[tuple[str, dict[str, Any], dict[str, Any], Any]] = [
    ("a long answer", {"summary": LONG}, {"automatic": True}, LONG),
    ("a short answer", {"summary": "Done."}, {"automatic": True}, NOTHING),
    ("a short answer that somebody asked for", {"summary": "Done."}, {}, "Done."),
    ("no answer", {}, {"automatic": True}, NOTHING),
    ("nothing at all, on purpose", {}, {}, InvalidTurn("missing_summary_without_skip_reason")),
    ("a short answer after work", {"summary": "Done.", "tools": BASH}, {"automatic": True}, "Done."),
    ("work without words", {"tools": BASH}, {"automatic": True}, "Without words: Bash on pytest."),
    ("work without words, on purpose", {"tools": BASH}, {}, "Without words: Bash on pytest."),
    ("a heartbeat", {"source": "Heartbeat", "summary": LONG}, {"automatic": True}, HEARTBEAT),
    ("a heartbeat by its mark", {"summary": "HEARTBEAT_OK, all is well"}, {"automatic": True}, HEARTBEAT),
    ("a mark in a long answer", {"summary": f"HEARTBEAT_OK {LONG * 6}"}, {}, f"HEARTBEAT_OK {LONG * 6}"),
    ("a heartbeat that did something", {"source": "heartbeat", "tools": BASH, "summary": LONG}, {}, LONG),
    ("a reason", {"skip_reason": "duplicate-signal"}, {}, DUPLICATE),
    ("a reason wins over words", {"skip_reason": "duplicate-signal", "summary": LONG}, {}, DUPLICATE),
    ("a reason that nobody knows", {"skip_reason": "lunch", "summary": LONG}, {}, InvalidTurn("invalid_skip_reason")),
    ("a declared reason", {"skip_reason": "lunch"}, {"declared": ("lunch",)}, Skip("lunch")),
]


@pytest.mark.parametrize(("given", "options", "expected"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_the_first_rule_that_fits_decides(given: dict[str, Any], options: dict[str, Any], expected: Any) -> None:
    turn = TurnRequest(**{"turn_id": "t", "source": "claude", "agent": "a", **given})
    found = decide(turn, **options)
    assert (found.turn.summary if isinstance(found, Capture) else found) == expected


def test_an_automatic_summary_is_one_line_of_700() -> None:
    found = decide(TurnRequest("t", "s", "a", summary="line\n\n  of words " * 99), automatic=True)
    assert isinstance(found, Capture)
    summary = found.turn.summary or ""
    assert len(summary) == 700
    assert summary.endswith("…")
    assert "\n" not in summary


DECISIONS = [
    ("All is well. We go on.", None),
    ("Looked around.\n\n**Decision:** keep one parser.\nMore.", "keep one parser."),
    ("decision: none of them", "none of them"),
    ("The decision: was hard", None),
]


@pytest.mark.parametrize(("text", "decision"), DECISIONS)
def test_a_decision_is_one_that_was_marked(text: str, decision: str | None) -> None:
    assert marked_decision(text) == decision


def test_work_is_told_with_what_it_was_done_on_and_how_it_ended() -> None:
    tools = [ToolCall("Edit", f"src/{n}.py") for n in range(6)]
    tools += [ToolCall("Bash", "pytest", False), ToolCall("Bash", "pytest", True), ToolCall("Web", ok=False)]
    told = synthesised(tools)
    assert told == (
        "Without words: Edit on src/0.py, src/1.py, src/2.py, src/3.py and 2 more; Bash on pytest (1 of 2 failed);"
        " Web (failed)."
    )


# --- what Cairn said itself -----------------------------------------------------------------------------------------

INJECTED = "Refunds need the order's id and a reason.\n\n- Never refund twice: look at `refunds` first.\n- Ok."


def test_the_mark_lists_what_was_said() -> None:
    mark = recall_mark(INJECTED)
    assert mark.isascii()
    assert '"' not in mark
    assert marked(f"x {mark} y".encode()) == set(fingerprints(INJECTED))
    assert len(fingerprints(INJECTED)) == 2
    assert recall_mark("Ok.") == ""


def test_what_was_injected_is_no_note() -> None:
    known = marked(recall_mark(INJECTED))
    repeated = "Never refund twice; look at refunds first!"
    assert not without_recalled(INJECTED, known)
    assert not without_recalled(repeated, known)
    assert without_recalled(f"{repeated}\n\nThe webhook retries, which is why it happened.", known)
    assert without_recalled(INJECTED, ())
    assert without_recalled(f"{INJECTED}\n\nNew words here.", known).split("\n")[-1] == "New words here."
    turn = TurnRequest("t", "s", "a", summary=repeated)
    assert decide(turn, recalled=known) == NOTHING
    assert decide(turn, recalled=known, declared=("recalled-context-only",)) == Skip("recalled-context-only")


def test_where_to_read_on_is_no_part_of_what_was_said() -> None:
    line = "- Refunds need the order's id and a reason. (`knowledge/practice/refunds.md`)"
    assert not without_recalled("Refunds need the order's id and a reason.", marked(recall_mark(line)))
    assert not without_recalled(line, marked(recall_mark(line)))
    short = "- When invoices are sent. (`knowledge/pay/invoices.md`, new)"
    assert not without_recalled(f"{line}\n{short}", marked(recall_mark(f"{line}\n{short}")))
