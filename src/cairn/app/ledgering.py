"""Reading what is new in the ledger's files into the store's index."""

from datetime import UTC, datetime

from cairn.kernel.model.event import Event
from cairn.kernel.ports.ledger import Ledger, LedgerFile
from cairn.kernel.ports.store import LedgerEventRow, Store

_BATCH = 5_000


def index_ledger(ledger: Ledger, store: Store) -> int:
    """From where the last time ended; how many events were new. A line that makes no sense is passed over."""
    offsets = store.ledger_offsets()
    return sum(
        _index_file(ledger, store, file, 0 if offsets.get(file.key, 0) > file.size else offsets.get(file.key, 0))
        for file in ledger.files()
        if offsets.get(file.key) != file.size
    )


def _index_file(ledger: Ledger, store: Store, file: LedgerFile, offset: int) -> int:
    new = 0
    rows: list[LedgerEventRow] = []
    for end, event in ledger.read(file.name, offset):
        row = _row(file, offset, event) if isinstance(event, Event) else None
        if row is not None:
            rows.append(row)
        offset = end
        if len(rows) == _BATCH:
            new += store.index_events(file.key, offset, rows)
            rows = []
    return new + store.index_events(file.key, offset, rows)


def _row(file: LedgerFile, offset: int, event: Event) -> LedgerEventRow | None:
    """None for an event that no index can hold: a time that is none, or names that are no Unicode."""
    import json

    try:
        at = datetime.fromisoformat(event.at)
        at_ms = int(at.replace(tzinfo=at.tzinfo or UTC).timestamp() * 1000)
        f"{event.id}{event.type}{event.worktree}".encode()
    except (ValueError, OverflowError):
        return None
    payload = json.dumps(event.payload, sort_keys=True)
    return LedgerEventRow(event.id, event.type, at_ms, event.worktree, file.key, offset, payload)
