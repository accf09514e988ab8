"""Gaps in the store, the same on every database."""

from cairn.adapters.storage.sql.store import SqlStore
from cairn.core.ports.observe import GapCount
from cairn.observe.gap_signals import DAY_MS
from signals import count, payload, signal

DAY = 20_000
AT = DAY * DAY_MS


def test_what_is_added_adds_up(store: SqlStore) -> None:
    gaps = store.gaps
    count(gaps, [(AT + 5, "w2", payload("caches", session="m", project="b"))])
    count(gaps, [(AT + 3, "w1", payload("caches", session="z")), (AT + 9, "w1", payload("caches", session="c"))])
    count(gaps, [(AT + 2 * DAY_MS, "w1", payload("caches", session="x")), (AT, "w1", payload("locks"))])
    assert gaps.counts(DAY) == [
        GapCount("caches", 4, 2, AT + 3, AT + 2 * DAY_MS, "c", "z"),
        GapCount("locks", 1, 1, AT, AT, f"w1@{DAY}", f"w1@{DAY}"),
    ]
    assert gaps.counts(DAY + 1) == [GapCount("caches", 1, 1, AT + 2 * DAY_MS, AT + 2 * DAY_MS, "x", "x")]
    assert gaps.by_day(DAY) == [("caches", DAY, 3), ("caches", DAY + 2, 1), ("locks", DAY, 1)]
    assert gaps.voices(DAY, "worktree") == {"caches": ["w1", "w2"], "locks": ["w1"]}
    assert gaps.voices(DAY + 1, "project") == {"caches": ["a" * 64]}


def test_more_voices_than_a_number_has_bits(store: SqlStore) -> None:
    for start in (0, 100):
        signals = [(AT, f"w{n:03}", payload("caches", project=f"{n:064x}")) for n in range(start, start + 150)]
        count(store.gaps, signals)
    assert store.gaps.voices(DAY, "worktree")["caches"] == [f"w{n:03}" for n in range(250)]
    assert len(store.gaps.voices(DAY, "project")["caches"]) == 250


def test_who_spoke_first_comes_first(store: SqlStore) -> None:
    signal(store.gaps, "caches", ago=1, worktree="late")
    signal(store.gaps, "caches", ago=3, worktree="early")
    signal(store.gaps, "caches", ago=0, worktree="early")
    assert store.gaps.voices(0, "worktree") == {"caches": ["early", "late"]}


def test_the_last_few_excerpts_are_kept(store: SqlStore) -> None:
    for n in (3, 1, 8, 2, 9, 7, 4, 9, 1):
        signal(store.gaps, "caches", ago=10 - n, excerpt=f"number {n}")
    signal(store.gaps, "caches", ago=0.5, excerpt="number 1")
    signal(store.gaps, "locks", ago=0, excerpt="another")
    found = store.gaps.excerpts(["caches"], 0)
    assert [row.excerpt for row in found] == ["number 1", "number 9", "number 8", "number 7", "number 4"]
    assert [row.excerpt for row in store.gaps.excerpts(["caches"], found[1].at_ms)] == ["number 1", "number 9"]
    assert store.gaps.excerpts([], 0) == []


def test_odd_texts_are_kept_or_left_out(store: SqlStore) -> None:
    odd = [
        payload("caches", session="\ud83d", excerpt="half \udfff and \0 none", project="\ud800" * 3),
        {"topic": 7},
        {"topic": ["caches"]},
        {"topic": "!!!"},
        {"topic": "x" * 200},
        {},
        {"topic": "caches", "session": 3, "project_id": {}, "agent_excerpt": []},
    ]
    count(store.gaps, [(AT, "w", said) for said in odd])
    (found,) = store.gaps.counts(0)
    assert (found.topic, found.signals) == ("caches", 2)
    assert len(store.gaps.excerpts(["caches"], 0)) == 1


def test_clearing_the_index_clears_gaps(store: SqlStore) -> None:
    signal(store.gaps, "caches", excerpt="said")
    store.clear_index()
    assert store.gaps.counts(0) == []
    assert store.gaps.voices(0, "project") == {}
    assert store.gaps.excerpts(["caches"], 0) == []
    signal(store.gaps, "caches", worktree="other")
    assert store.gaps.voices(0, "worktree") == {"caches": ["other"]}
