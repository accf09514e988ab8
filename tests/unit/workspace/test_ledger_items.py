"""One event that a projection fails on does not keep the later ones from being read."""

from typing import Any

from cairn.core.isolate import collected
from cairn.core.ledger_index import Projection, _prepare
from cairn.core.model.event import IndexedLedgerEvent


def test_a_bad_event_is_named_and_the_others_count() -> None:
    events = [IndexedLedgerEvent(id, "note", 0, {}) for id in (b"good", b"bad", b"fine")]

    def prepare(some: Any) -> list[bytes]:
        if any(event.id == b"bad" for event in some):
            raise KeyError("summary")
        return [event.id for event in some]

    projection = Projection(name="notes", types=frozenset({"note"}), apply=lambda store, rows: None, prepare=prepare)
    with collected() as bad:
        assert _prepare(projection, events) == [b"good", b"fine"]
    assert [one.name for one in bad] == ["event bad (note)"]
