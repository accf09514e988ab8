"""A large archive: lists come in pages that add up, and an answer costs what it says, not what there is."""

import json
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from cairn.adapters.ledger.memory import MemoryLedger
from cairn.adapters.storage.sql.store import SqlStore
from cairn.app.projections import index_all
from cairn.capture.list_turns import COUNTED, ListTurnsOptions, list_turns, show_turn

NOW = 1_767_225_600_000
MINUTE = 60_000


class Archive(MemoryLedger):
    """A ledger in memory, which finds its lines as quickly as a file does."""

    def lines_at(self, places: Any) -> Iterator[bytes]:
        starts, position = {}, 0
        for line in self._lines:
            starts[position] = line
            position += len(line)
        return (starts.get(offset, b"") for _, offset in places)

    def blocks(self, name: str, offset: int = 0, *, inode: int | None = None) -> Any:
        from cairn.core.ports.ledger import LedgerBlock

        assert offset == 0, "everything is told before it is read"
        yield LedgerBlock(0, b"".join(self._lines), sum(map(len, self._lines)))


def filled(store: SqlStore, turns: int) -> Any:
    """An archive of that many turns: two of three have a note, and every seventh note says what the one before said."""
    ledger = Archive()
    for number in range(turns):
        facts = {"turn_id": f"t{number:05}", "source": ("claude", "codex")[number % 2], "agent": "a", "session": "s"}
        at_ms = NOW - (turns - number) // 2 * MINUTE  # two at a time, so that ids decide
        ledger.append("turn_eligible", facts, now_ms=at_ms)
        if number % 3 == 2:
            again = {"duplicate_of": f"t{number - 1:05}", "fingerprint": "f"} if number % 7 == 0 else {}
            ledger.append("turn_skipped", {**facts, "skip_reason": "no-new-information", **again}, now_ms=at_ms)
        else:
            said = {"summary": f"The importer number {number} needs UTF-8.", "type": "lesson", "score": 60}
            low = {"visibility": "low"} if number % 11 == 0 else {}
            ledger.append("turn_completed", {**facts, **said, **low, "fingerprint": "f"}, now_ms=at_ms)
    index_all(ledger, store)
    store.turns.add_words()
    return SimpleNamespace(
        index_ledger=lambda: index_all(ledger, store),
        ledger=ledger,
        store=store,
        clock=SimpleNamespace(now_ms=lambda: NOW),
    )


PAGED: dict[str, dict[str, Any]] = {
    "all": {},
    "also low": {"low": True},
    "one source": {"source": "codex"},
    "one outcome": {"outcome": "skipped"},
    "since": {"since_ms": NOW - 9 * MINUTE},
    "a type": {"type": "lesson"},
    "words": {"words": ("importer",)},
}


@pytest.mark.parametrize("asked", PAGED.values(), ids=PAGED)
def test_pages_of_turns_add_up_to_the_whole_list(store: SqlStore, asked: dict[str, Any]) -> None:
    app = filled(store, 60)
    whole = list_turns(app, ListTurnsOptions(**asked, limit=1_000))
    pages = [list_turns(app, ListTurnsOptions(**asked, limit=7, offset=offset)) for offset in range(0, 70, 7)]
    assert [listed for page in pages for listed in page.turns] == whole.turns
    assert [page.more for page in pages] == [max(0, len(whole.turns) - offset - 7) for offset in range(0, 70, 7)]
    assert whole.more == 0 and len(whole.turns) > 7


def test_a_listed_turn_has_its_note_and_how_often_it_was_said(store: SqlStore) -> None:
    app = filled(store, 60)
    found = {listed.turn.turn_id: listed for listed in list_turns(app, ListTurnsOptions(limit=100, low=True)).turns}
    assert len(found) == 60
    assert {turn for turn, listed in found.items() if listed.note is None} == {f"t{n:05}" for n in range(2, 60, 3)}
    twice = [turn for turn, listed in found.items() if listed.seen_count > 1]
    assert sorted(twice) == ["t00013", "t00034", "t00055"]
    assert all(show_turn(app, turn) == listed for turn, listed in found.items())


def test_an_indexed_archive_is_sound(store: SqlStore) -> None:
    filled(store, 60)
    assert store.check() == []


# --- what it costs --------------------------------------------------------------------------------------------------


def rows_read(store: Any, monkeypatch: pytest.MonkeyPatch, work: Callable[[], object]) -> int:
    """How many rows the database hands over."""
    count = 0
    real = store._db.rows

    def counted(*args: Any, **more: Any) -> Iterator[Any]:
        nonlocal count
        for row in real(*args, **more):
            count += 1
            yield row

    with monkeypatch.context() as patched:
        patched.setattr(store._db, "rows", counted)
        work()
    return count


def newest_events(app: Any) -> object:
    from cairn.core.ledger_events import events_of

    found = list(events_of(app.ledger, app.store, limit=10))
    assert len(found) == 10 and all(json.loads(event.payload)["turn_id"] for event in found)
    return found


COSTS: dict[str, Callable[[Any], object]] = {
    "turns list": lambda app: list_turns(app, ListTurnsOptions(limit=10)),
    "turns list, words": lambda app: list_turns(app, ListTurnsOptions(limit=10, words=("importer",))),
    "turns show": lambda app: show_turn(app, "t00001"),
    "newest events": newest_events,
    "events by type": lambda app: app.store.event_counts(since_ms=0),
    "where a window begins": lambda app: app.store.event_begins(since_ms=0),
}


@pytest.mark.parametrize("work", COSTS.values(), ids=COSTS)
def test_a_larger_archive_hands_over_no_more_rows(
    store: SqlStore, monkeypatch: pytest.MonkeyPatch, work: Callable[[Any], object]
) -> None:
    small = filled(store, COUNTED * 2)
    before = rows_read(store, monkeypatch, lambda: work(small))
    store.clear_index()
    large = filled(store, COUNTED * 4)
    assert rows_read(store, monkeypatch, lambda: work(large)) <= before + 5


@pytest.mark.parametrize("name", ["turns list", "turns show", "newest events"])
def test_a_larger_archive_takes_no_more_steps(tmp_path: Any, name: str) -> None:
    """As SQLite counts what it does, also for rows that it looks at and drops."""
    from cairn.adapters.storage.sqlite.store import open_sqlite

    steps = []
    for turns in (COUNTED * 2, COUNTED * 4):
        store = open_sqlite(tmp_path / f"{turns}.db", now_ms=0)
        app, done = filled(store, turns), []
        database: Any = store._db
        database._connection.set_progress_handler(lambda done=done: done.append(1), 100)
        COSTS[name](app)
        store.close()
        steps.append(len(done))
    assert steps[1] <= steps[0] * 1.3 + 5
