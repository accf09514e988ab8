"""Events of the ledger with what they say: found by the store's index, read from their lines."""

import json
from collections.abc import Iterator, Sequence

from cairn.core.model.event import Event, parse_event
from cairn.core.ports.ledger import EventRow, Ledger, LedgerEventRow
from cairn.core.ports.store import Store


def events_of(
    ledger: Ledger, store: Store, *, types: tuple[str, ...] = (), since_ms: int | None = None, limit: int | None = None
) -> Iterator[LedgerEventRow]:
    """Newest first, of the index as it is. One whose line was purged in the meantime is left out."""
    return with_payloads(ledger, list(store.events(types=types, since_ms=since_ms, limit=limit)))


def with_payloads(ledger: Ledger, rows: Sequence[EventRow]) -> Iterator[LedgerEventRow]:
    names = {file.key: file.name for file in ledger.files(collected=True)} if rows else {}
    places = [(names.get(row.file, ""), row.offset) for row in rows]
    for row, line in zip(rows, ledger.lines_at(places), strict=True):
        if (said := _said(row, line)) is not None:
            yield LedgerEventRow(*row, said)


def _said(row: EventRow, line: bytes) -> str | None:
    event = parse_event(line) if line else None
    return json.dumps(event.payload) if isinstance(event, Event) and event.id == row.id else None
