"""Turns, notes and alerts in the store, the same on every database."""

from typing import Any

import pytest

from cairn.adapters.storage.sql import derived as sql_turns
from cairn.adapters.storage.sql.store import SqlStore
from cairn.core.ports.search import Term, TextQuery
from cairn.core.ports.turns import AlertRow, NoteFilter, NoteRow, TurnFilter, TurnRow, turn_number

NOTE = NoteRow(
    **dict.fromkeys(NoteRow._fields, "")
    | {
        "id": turn_number("t1"),
        "turn_id": "t1",
        "said_by": b"",
        "turn_number": None,
        "evidence": "[]",
        "tags": "[]",
        "context": "{}",
    }
    | {"score": 50, "low": 0, "expires_at_ms": None, "created_at_ms": 10, "updated_at_ms": 10, "revision": 1}
)


def note(number: int, **fields: Any) -> NoteRow:
    return NOTE._replace(id=turn_number(f"t{number}"), turn_id=f"t{number}", **fields)


def ids(store: SqlStore, **wanted: Any) -> list[str]:
    return [found.note.turn_id for found in store.turns.notes(NoteFilter(**wanted))]


def test_rows_take_the_place_of_those_before(store: SqlStore) -> None:
    store.turns.keep([TurnRow("t1", attempts=1)], [note(1, title="Old words")])
    store.turns.keep([TurnRow("t1", attempts=2)], [note(1, title="Fresh words")])
    assert store.turns.turn_rows(["t1", "t9"]) == {"t1": TurnRow("t1", attempts=2)}
    assert store.turns.note_rows(["t1"])["t1"].title == "Fresh words"
    assert ids(store, words=("fresh",)) == ["t1"]
    assert ids(store, words=("old",)) == []


def test_turns_are_listed_newest_first_by_what_is_asked(store: SqlStore) -> None:
    rows = [
        TurnRow("a", source="cli", eligible_at_ms=1, outcome="completed", ended_at_ms=9),
        TurnRow("b", source="claude", eligible_at_ms=2),
        TurnRow("c", source="claude", outcome="skipped", ended_at_ms=3, stage="audit"),
    ]
    store.turns.keep(rows, [])
    assert [row.turn_id for row in store.turns.turns(TurnFilter())] == ["c", "b", "a"]
    assert store.turns.turns(TurnFilter(outcome="unaccounted")) == [rows[1]]
    assert store.turns.turns(TurnFilter(outcome="skipped", stage="audit")) == [rows[2]]
    assert [row.turn_id for row in store.turns.turns(TurnFilter(since_ms=2, until_ms=2))] == ["b"]
    assert [row.turn_id for row in store.turns.turns(TurnFilter(limit=1))] == ["c"]


def test_notes_are_found_by_their_words(store: SqlStore) -> None:
    store.turns.keep([], [note(1, title="The connection pool", summary="It ran dry."), note(2, tags='["café-pool"]')])
    assert sorted(ids(store, words=("pool",))) == ["t1", "t2"]
    assert ids(store, words=("pool", "dry")) == ["t1"]
    assert ids(store, words=("cafe",)) == ["t2"]
    assert sorted(ids(store, words=("po",))) == ["t1", "t2"]
    assert ids(store, words=('") OR 1=1',)) == []


def test_notes_are_found_by_a_query_as_pages_are(store: SqlStore) -> None:
    rows = [
        note(1, title="The pool ran dry", type="lesson", tags='["db","on call"]'),
        note(2, title="The pool was painted", type="decision", tags='["db2"]'),
        note(3, title="A low pool", low=1),
        note(4, title="池が空", expires_at_ms=5),
    ]
    store.turns.keep([], rows)
    pool, dry = Term((("pool",),)), Term((("dry",),))

    def found(query: TextQuery, **wanted: Any) -> list[str]:
        return sorted(seen.note.turn_id for seen in store.turns.find_notes(query, NoteFilter(now_ms=9, **wanted)))

    assert found(TextQuery(any=(pool, dry))) == ["t1", "t2"]
    assert found(TextQuery(every=(pool,), none=(dry,)), low=True) == ["t2", "t3"]
    assert found(TextQuery(every=(pool,)), types=("lesson", "retro")) == ["t1"]
    assert found(TextQuery(every=(pool,)), tags=("db", "x")) == ["t1"]
    assert found(TextQuery(every=(pool,)), tags=("on call",), limit=1) == ["t1"]
    assert found(TextQuery(every=(Term((("池",),)),))) == []
    assert (store.turns.note_frequency(pool, at_most=10), store.turns.note_frequency(pool, at_most=2)) == (3, 2)
    assert (store.turns.note_frequency(Term((("oven",),)), at_most=9), store.turns.note_total()) == (0, 4)


def test_low_expired_and_cleared_notes_are_left_out(store: SqlStore) -> None:
    rows = [
        note(1),
        note(2, low=1, created_at_ms=11),
        note(3, expires_at_ms=100),
        note(4, target="deploy", updated_at_ms=50),
    ]
    store.turns.keep([], rows)
    assert ids(store, now_ms=99) == ["t4", "t3", "t1"]
    assert ids(store, now_ms=100, low=True) == ["t2", "t4", "t1"]
    store.turns.keep_cleared({"deploy": 50})
    assert ids(store, now_ms=100) == ["t1"]
    store.turns.keep([], [note(4, target="deploy", updated_at_ms=51)])
    assert ids(store, now_ms=100) == ["t4", "t1"]
    assert store.turns.cleared() == {"deploy": 50}


def test_repeats_are_counted_when_somebody_looks(store: SqlStore) -> None:
    repeats = [TurnRow(f"r{n}", duplicate_of="t1", fingerprint="f") for n in range(3)]
    store.turns.keep([*repeats, TurnRow("elsewhere", duplicate_of="t1")], [note(1)])
    assert store.turns.notes(NoteFilter())[0].seen_count == 4


def test_what_was_said_lately(store: SqlStore) -> None:
    said = {"source": "s", "session": "x", "fingerprint": "f1", "outcome": "completed"}
    rows = [
        TurnRow("a", **said, ended_at_ms=1),
        TurnRow("b", **said, ended_at_ms=5),
        TurnRow("c", **said | {"fingerprint": "f2"}, ended_at_ms=6, duplicate_of="a"),
        TurnRow("d", **said | {"session": "y"}, ended_at_ms=7),
        TurnRow("e", **said | {"outcome": "skipped", "fingerprint": "f3"}, ended_at_ms=8),
    ]
    store.turns.keep(rows, [])
    assert store.turns.lately("s", "x", 2, 10) == [("f2", "a", 6), ("f1", "b", 5)]
    assert store.turns.lately("s", "x", 0, 1) == [("f2", "a", 6)]


def test_the_oldest_note_with_the_same_gist(store: SqlStore) -> None:
    store.turns.keep([], [note(2, gist="g", created_at_ms=20), note(1, gist="g"), note(3, gist="h", expires_at_ms=5)])
    found = store.turns.same_gist("g", 100)
    assert found is not None
    assert found.turn_id == "t1"
    assert store.turns.same_gist("h", 100) is None


def test_pointers_without_an_outcome_wait(store: SqlStore) -> None:
    late, early = (TurnRow(name, worktree="w", host="claude", eligible_at_ms=at) for name, at in (("b", 2), ("a", 1)))
    done, foreign = early._replace(turn_id="c", outcome="completed"), early._replace(turn_id="d", worktree="other")
    store.turns.keep([late, early, done, foreign, TurnRow("e", worktree="w", eligible_at_ms=0)], [])
    assert store.turns.pending("w", 10) == [early, late]
    assert store.turns.pending("w", 1) == [early]


def test_alerts_are_open_until_they_are_resolved(store: SqlStore) -> None:
    alert = AlertRow("k", "unaccounted", "claude", "warn", "One is missing.", 1, b"1", 5, None)
    store.turns.keep_alerts([alert])
    assert store.turns.alerts()[0].open
    store.turns.keep_alerts([alert._replace(resolved_at_ms=6)])
    assert not store.turns.alerts()[0].open


def test_it_goes_with_the_offsets_and_is_in_no_dump(store: SqlStore) -> None:
    """So that reading the ledger again makes all of it again."""
    store.turns.keep([TurnRow("a")], [note(1, title="words")])
    store.index_events("f", 10, [])
    assert "index_" not in "".join(store.dump())
    store.reset(state=False)
    assert store.turns.turns(TurnFilter()) == []
    assert ids(store, words=("words",)) == []
    assert store.ledger_offsets() == {}


# --- words that are added later ---------------------------------------------------------------------------------------


def words_of(store: SqlStore, word: str) -> list[str]:
    return sorted(ids(store, words=(word,)))


def test_notes_are_found_whenever_their_words_are_added(store: SqlStore) -> None:
    """Also those that took the place of one with words, or of one without."""
    store.turns.keep([], [note(n, title=f"Pool {n}") for n in (1, 2, 3)])
    assert store.turns.add_words() == 3
    store.turns.keep([], [note(3, title="Oven 3"), note(4, title="Pool 4")])
    store.turns.keep([], [note(4, title="Oven 4"), note(1, title="Oven 1")])
    assert (words_of(store, "pool"), words_of(store, "oven")) == (["t2"], ["t1", "t3", "t4"])
    assert store.turns.add_words() == 0
    store.turns.keep([], [note(n, title="Kiln") for n in (1, 2, 3, 4)])
    assert store.turns.note_frequency(Term((("pool",),)), at_most=9) == 0
    assert words_of(store, "kiln") == ["t1", "t2", "t3", "t4"]


def test_few_new_notes_get_their_words_at_once_and_many_wait(store: SqlStore, monkeypatch: pytest.MonkeyPatch) -> None:
    store.turns.keep([], [note(1), note(2)])
    monkeypatch.setattr("cairn.adapters.storage.sql.derived._FEW", 1)
    store.turns.settle()
    assert store.turns.add_words() == 2
    store.turns.keep([], [note(3)])
    store.turns.settle()
    assert store.turns.add_words() == 0


def test_words_of_many_notes_are_added_like_those_of_few(store: SqlStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cairn.adapters.storage.sql.derived._BATCH", 2)
    monkeypatch.setattr("cairn.adapters.storage.postgres.database._MANY", 2)
    store.turns.keep([], [note(n, title=f"Pool {n}") for n in range(5)])
    assert words_of(store, "pool") == [f"t{n}" for n in range(5)]
    store.turns.keep([], [note(5, title="Pool 5")])
    assert len(words_of(store, "pool")) == 6


TITLES = ["", "The pool", "The pool ran dry.", "Another", "The pool ran dry. And more", "池が"]


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("summary", ["The pool ran dry.", "池が空", ""])
def test_a_title_comes_back_as_it_was(store: SqlStore, title: str, summary: str) -> None:
    store.turns.keep([], [note(1, title=title, summary=summary)])
    assert store.turns.note_rows(["t1"])["t1"] == note(1, title=title, summary=summary)


def test_words_are_added_to_all_notes_or_to_none(store: SqlStore, monkeypatch: pytest.MonkeyPatch) -> None:
    store.turns.keep([], [note(n, title=f"Pool {n}") for n in range(5)])
    texts = sql_turns._texts

    def fail_at_the_last(row: Any) -> Any:
        if row[1] == "Pool 4":
            raise RuntimeError
        return texts(row)

    with monkeypatch.context() as patched, pytest.raises(RuntimeError):
        patched.setattr(sql_turns, "_texts", fail_at_the_last)
        store.turns.add_words()
    assert store.turns.add_words() == 5
    assert len(words_of(store, "pool")) == 5
