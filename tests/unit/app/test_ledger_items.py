"""One event that a projection fails on does not keep the later ones from being read."""

from typing import Any

from cairn.app.ledgering import Projection, _prepare
from cairn.kernel.isolate import collected
from cairn.kernel.ports.events import LedgerEventRow


def test_a_bad_event_is_named_and_the_others_count() -> None:
    rows = [LedgerEventRow(id, "note", 0, "w", "k", 0, "{}") for id in ("good", "bad", "fine")]

    def prepare(some: Any, payloads: Any) -> list[str]:
        if any(row.id == "bad" for row in some):
            raise KeyError("summary")
        return [row.id for row in some]

    projection = Projection(name="notes", types=frozenset({"note"}), apply=lambda store, rows: None, prepare=prepare)
    with collected() as bad:
        assert _prepare(projection, rows, {}) == ["good", "fine"]
    assert [one.name for one in bad] == ["event bad (note)"]
