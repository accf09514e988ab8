"""Readings of pages in the store, the same on every database."""

import pytest

from cairn.adapters.storage.sql.store import SqlStore
from cairn.core.ports.graph import Rename
from cairn.core.ports.search import DAY_MS, HALF_LIFE_DAYS, PageRead, PageUse

DAY = 20_000
AT = DAY * DAY_MS


def read(store: SqlStore, *readings: tuple[str, str, int]) -> None:
    store.usage.add(PageRead(path, reader, AT + at_ms) for path, reader, at_ms in readings)


def move(store: SqlStore, *moves: tuple[str, str, int]) -> None:
    with store.scan() as session:
        session.record_renames([Rename("", old, new, "high", (), AT + at_ms) for old, new, at_ms in moves])


def counts(store: SqlStore, *paths: str) -> dict[str, int]:
    return {path: use.reads for path, use in store.usage.counts(paths).items()}


def test_a_reader_counts_once_a_day(store: SqlStore) -> None:
    read(store, ("a.md", "s1", 5), ("a.md", "s1", 9), ("a.md", "s2", 7), ("b.md", "s1", 1))
    read(store, ("a.md", "s1", DAY_MS + 2), ("a.md", "s1", 3))
    assert store.usage.counts(["a.md", "b.md", "c.md"]) == {
        "a.md": PageUse(3, AT + DAY_MS + 2, ((DAY, 2), (DAY + 1, 1))),
        "b.md": PageUse(1, AT + 1, ((DAY, 1),)),
    }
    assert store.usage.counts([]) == {}


@pytest.mark.parametrize(
    ("moves", "readings", "expected"),
    [
        pytest.param([("a", "b", 10)], [("a", "x", 5), ("b", "y", 15)], {"b": 2}, id="a page keeps its readings"),
        pytest.param([("a", "b", 10)], [("a", "x", 5), ("a", "y", 15)], {"b": 1, "a": 1}, id="a new page of old name"),
        pytest.param(
            [("a", "b", 10), ("b", "c", 20)],
            [("a", "x", 5), ("b", "y", 15), ("c", "z", 25)],
            {"c": 3},
            id="moved twice",
        ),
        pytest.param([("a", "b", 10), ("b", "a", 20)], [("a", "x", 5), ("b", "y", 15)], {"a": 2}, id="moved back"),
    ],
)
def test_readings_go_with_a_page_that_is_moved(
    store: SqlStore, moves: list[tuple[str, str, int]], readings: list[tuple[str, str, int]], expected: dict[str, int]
) -> None:
    move(store, *moves)
    read(store, *readings)
    assert counts(store, "a", "b", "c") == expected
    assert counts(store, *expected) == expected


def test_what_was_read_long_ago_counts_less() -> None:
    now_ms = AT + 60 * DAY_MS
    use = PageUse(7, now_ms, ((DAY, 4), (DAY + 60 - HALF_LIFE_DAYS, 2), (DAY + 60, 1)))
    assert use.lately(now_ms) == pytest.approx(1 + 1 + 1)
    assert PageUse(1, now_ms, ((DAY + 90, 1),)).lately(now_ms) == 1  # somebody's clock was ahead
