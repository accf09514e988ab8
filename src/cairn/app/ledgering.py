"""Reading what is new in the ledger's files into the store's index."""

from datetime import datetime

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
        if isinstance(event, Event):
            rows.append(_row(file, offset, event))
        offset = end
        if len(rows) == _BATCH:
            new += store.index_events(file.key, offset, rows)
            rows = []
    return new + store.index_events(file.key, offset, rows)


def _row(file: LedgerFile, offset: int, event: Event) -> LedgerEventRow:
    import json

    at_ms = int(datetime.fromisoformat(event.at).timestamp() * 1000)
    payload = json.dumps(event.payload, ensure_ascii=False, sort_keys=True)
    return LedgerEventRow(event.id, event.type, at_ms, event.worktree, file.key, offset, payload)
