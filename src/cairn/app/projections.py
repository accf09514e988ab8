"""What is derived from the ledger: one list of the features' projections."""

from collections.abc import Callable, Sequence
from typing import Any

from cairn.core.ledger_index import Projection, index_ledger
from cairn.core.model.event import IndexedLedgerEvent
from cairn.core.ports.ledger import Ledger
from cairn.core.ports.runtime import Here, Workers
from cairn.core.ports.store import Store
from cairn.journal import EVENT_TYPES


def _fold_turns(events: Sequence[IndexedLedgerEvent]) -> tuple[Any, ...]:
    from cairn.capture.turn_rows import fold_events

    return tuple(fold_events(events))


def _keep_turns(store: Store, folded: Any) -> None:
    from cairn.capture.turn_rows import TurnRowBatch, apply_folded

    apply_folded(store, TurnRowBatch._make(folded))


def _settle_turns(store: Store) -> None:
    store.turns.settle()


def _count_gaps(events: Sequence[IndexedLedgerEvent]) -> tuple[Any, ...]:
    from cairn.observe.gap_signals import tally

    counted = tally((event.at_ms, event.worktree, event.payload) for event in events)
    return (*(list(map(tuple, rows)) for rows in counted[:2]), *counted[2:])


def _add_gaps(store: Store, counted: Any) -> None:
    from cairn.core.ports.observe import GapDay, GapExcerpt, GapTally

    days, excerpts, projects, worktrees = counted
    tally = GapTally(list(map(GapDay._make, days)), list(map(GapExcerpt._make, excerpts)), projects, worktrees)
    store.gaps.add(tally)


def _settle_gaps(store: Store) -> None:
    store.gaps.settle()


def _read_pages(events: Sequence[IndexedLedgerEvent]) -> list[tuple[Any, ...]]:
    from cairn.retrieve.query_log import readings_of

    return [tuple(reading) for reading in readings_of(events)]


def _keep_readings(store: Store, readings: Any) -> None:
    from cairn.core.ports.search import PageRead

    store.usage.add(map(PageRead._make, readings))


def _read_trust(events: Sequence[IndexedLedgerEvent]) -> tuple[Any, ...]:
    from cairn.trust.events import rows_of

    return rows_of(events)


def _keep_trust(store: Store, rows: Any) -> None:
    from cairn.core.ports.trust import ArtefactRow, BallotRow, RejectedContent, Strike

    artefacts, ballots, rejected, strikes = rows
    store.trust.apply(
        list(map(ArtefactRow._make, artefacts)),
        list(map(BallotRow._make, ballots)),
        list(map(RejectedContent._make, rejected)),
        list(map(Strike._make, strikes)),
    )


def _settle_trust(store: Store) -> None:
    store.trust.settle()


_TURNS = frozenset(kind for kind in EVENT_TYPES if kind.startswith(("turn_", "alert_", "target_")))


PROJECTIONS: tuple[Projection, ...] = (
    Projection("turns", _TURNS, _keep_turns, _fold_turns, settle=_settle_turns),
    Projection(
        "gaps",
        frozenset({"knowledge_gap_signal"}),
        _add_gaps,
        _count_gaps,
        collected=True,
        once=True,
        settle=_settle_gaps,
    ),
    Projection(
        "trust",
        frozenset({"ballot_cast", "artefact_changed"}),
        _keep_trust,
        _read_trust,
        settle=_settle_trust,
    ),
    Projection("readings", frozenset({"page_read"}), _keep_readings, _read_pages),
)


def index_all(ledger: Ledger, store: Store, workers: Callable[[], Workers] = Here) -> int:
    """Reads what is new in the ledger into the store, and into all that is derived from it."""
    return index_ledger(ledger, store, PROJECTIONS, workers=workers)
