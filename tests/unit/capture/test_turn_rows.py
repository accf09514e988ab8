"""Rows of turns that were made of parts of their events, put together."""

from functools import reduce
from itertools import permutations
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from cairn.capture.turn_rows import fold_note, fold_turn, merge_notes, merge_turns
from cairn.core.model.event import IndexedLedgerEvent
from cairn.core.ports.turns import NoteRow, TurnRow

KINDS = ("turn_begun", "turn_eligible", "turn_retrying", "turn_completed", "turn_skipped", "turn_failed")

events = st.builds(
    lambda kind, at_ms, number, attempt, project: IndexedLedgerEvent(
        b"e%d" % number,
        kind,
        at_ms,
        {"turn_id": "t", "attempt": attempt, "project": project, "error": f"x{number}"},
        "w",
    ),
    st.sampled_from(KINDS),
    st.integers(0, 3),
    st.integers(0, 9),
    st.integers(0, 3),
    st.sampled_from(("", "a", "b")),
)


def folded(told: list[IndexedLedgerEvent]) -> tuple[TurnRow, NoteRow | None]:
    return fold_turn("t", told), fold_note("t", told)


@settings(deadline=None)
@given(st.lists(events, min_size=1, max_size=5, unique_by=lambda event: event.id), st.integers(0, 5))
def test_parts_make_the_row_that_all_events_make(told: list[IndexedLedgerEvent], cut: int) -> None:
    whole, note = folded(told)
    parts: list[Any] = [folded(part) for part in (told[:cut], told[cut:]) if part]
    for order in permutations(parts):
        assert reduce(merge_turns, (row for row, _ in order)) == whole
        notes = [one for _, one in order if one is not None]
        assert (reduce(merge_notes, notes) if notes else None) == note
