"""Taking something out of a store for good, the same on every database; and of SQLite's file, to the byte."""

from pathlib import Path

from cairn.adapters.storage.sql.purge import _KEYS
from cairn.adapters.storage.sql.session import KEPT
from cairn.adapters.storage.sql.store import SqlStore
from cairn.adapters.storage.sqlite.store import open_sqlite
from cairn.core.ports.sources import AttemptRow, SourceRow
from cairn.core.ports.turns import NoteFilter, NoteRow, TurnRow

SECRET = b"quokkaword"
NOTE = NoteRow(
    **dict.fromkeys(NoteRow._fields, "")
    | {"id": 1, "said_by": b"", "turn_id": "t1", "turn_number": None, "evidence": "[]", "tags": "[]", "context": "{}"}
    | {"score": 50, "low": 0, "expires_at_ms": None, "created_at_ms": 10, "updated_at_ms": 10, "revision": 1}
)


def holds(data: bytes) -> bool:
    return SECRET in data


def fill(store: SqlStore) -> None:
    store.web.keep_sources([SourceRow("https://example.org/quokkaword"), SourceRow("https://example.org/plain")])
    store.web.keep_attempts([AttemptRow("a.md", 1, "dns", f"No {SECRET.decode()}.", 1, 2)])
    store.turns.keep([TurnRow("t1")], [NOTE._replace(title="quokkaword", summary="A quokkaword in words.")])


def test_rows_that_hold_it_are_counted_by_table(store: SqlStore) -> None:
    fill(store)
    found = store.purge.holding(holds)
    assert {"state_sources", "state_attempts", "index_notes"} <= set(found)
    assert found["state_sources"] == 1
    assert store.purge.holding(lambda _: False) == {}
    assert store.purge.total() >= 5


def test_kept_rows_go_one_by_one(store: SqlStore) -> None:
    fill(store)
    assert store.purge.drop(holds) == 2
    assert [row.url for row in store.web.sources()] == ["https://example.org/plain"]
    assert store.web.attempts() == []
    assert store.purge.drop(holds) == 0


def test_values_of_plugins_go_too(store: SqlStore) -> None:
    rows = [("p", "a.md", "k", '"quokkaword"', 1), ("p", "b.md", "k", '"plain"', 1)]
    store._db.insert("state_plugin_values", "plugin, path, key, value, updated_at_ms", rows)
    assert store.purge.drop(holds) == 1
    assert [tuple(row)[1] for row in store._db.table("state_plugin_values")] == ["b.md"]


def test_after_wiping_the_store_works_on(store: SqlStore) -> None:
    fill(store)
    store.clear_index()
    store.purge.wipe()
    assert store.turns.notes(NoteFilter(words=("quokkaword",))) == []
    fill(store)
    store.purge.wipe()
    assert len(store.turns.notes(NoteFilter(words=("quokkaword",)))) == 1


def test_every_kept_table_has_a_key() -> None:
    assert {*_KEYS, "state_plugin_values"} == set(KEPT)


def test_nothing_is_left_in_the_file(tmp_path: Path) -> None:
    store = open_sqlite(tmp_path / "cairn.db", now_ms=0)
    fill(store)
    store.turns.keep([], [NOTE._replace(id=n, turn_id=f"t{n}", summary=f"quokkaword {n} " * 900) for n in range(2, 60)])
    everything = lambda: b"".join(path.read_bytes() for path in sorted(tmp_path.iterdir()))  # noqa: E731
    assert SECRET in everything()
    store.clear_index()
    store.purge.drop(holds)
    assert SECRET in everything(), "deleting leaves it in free pages"
    store.purge.wipe()
    assert SECRET not in everything() and b"quokka" not in everything()
    store.close()
