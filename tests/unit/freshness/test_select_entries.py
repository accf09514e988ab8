"""Who is audited next: the numbers of the seed, shares for each class, and a reason for everybody."""

from datetime import date, timedelta
from itertools import count
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.core.model.knowledge import Entry, Source, Volatility
from cairn.freshness.select_entries import CLASSES, EntryChoice, EntryFacts, select, shares

TODAY = date(2026, 3, 1)
SOURCE = Source("url", "https://example.org/a", hash="sha256:" + "0" * 64)


def fact(name: str, age: int | str | None = 0, volatility: str = "evolving", **more: Any) -> EntryFacts:
    """`age` in days since the last review, None for never, or what stands there instead of a date."""
    reviewed = (TODAY - timedelta(days=age)).isoformat() if isinstance(age, int) else age
    sources = more.pop("sources", (SOURCE,))
    made = Entry(
        f"k/{name}.md",
        "entry",
        name,
        name,
        "",
        volatility=Volatility(volatility),
        last_reviewed=reviewed,
        sources=sources,
    )
    return EntryFacts(made, **more)


def chosen(facts: list[EntryFacts], most: int | None = 10, order: Any = "class") -> list[str]:
    return [choice.entry.name for choice in select(facts, today=TODAY, most=most, order=order) if choice.taken]


def only(one: EntryFacts) -> EntryChoice:
    return select([one], today=TODAY, most=10)[0]


@pytest.mark.parametrize(
    ("one", "priority"),
    [
        (fact("never", None), 100),
        (fact("odd", "last spring"), 1050),
        (fact("odd", "2026-02-31"), 1050),
        (fact("fast", 15, "fast-moving"), 65),
        (fact("fast", 14, "fast-moving"), None),
        (fact("evolving", 61), 111),
        (fact("evolving", 60), None),
        (fact("stable", 181, "stable"), 231),
        (fact("stable", 180, "stable"), None),
        (fact("changed", 1, changed=("https://example.org/a",)), 75),
        (fact("both", 61, changed=("https://example.org/a",)), 111),
        (fact("frontier", 1, frontier="3.14 is out."), 80),
        (fact("frontier", 1, frontier="3.14 is out.", changed=("https://example.org/a",)), 75),
        (fact("frontier", 61, frontier="3.14 is out."), 111),
        (fact("future", -5), None),
        (fact("none", None, sources=()), None),
    ],
)
def test_numbers_of_the_seed(one: EntryFacts, priority: int | None) -> None:
    assert only(one).priority == priority and only(one).taken is (priority is not None)


def test_the_order_of_the_seed_lets_the_oldest_go_first() -> None:
    facts = [
        fact("never-1", None),
        fact("fast", 20, "fast-moving"),
        fact("changed", 1, changed=("x",)),
        fact("never-2", None),
        fact("stable", 200, "stable"),
        fact("odd", "?"),
    ]
    ordered = ["odd", "stable", "never-1", "never-2", "changed", "fast"]
    assert chosen(facts, order="seed") == ordered
    assert chosen(facts, 3, "seed") == ordered[:3]
    assert chosen(facts) == ["odd", "stable", "fast", "changed", "never-1", "never-2"]


def crowd(overdue: int, changed: int, never: int) -> list[EntryFacts]:
    number = count(1)
    return [
        *(fact(f"o{next(number)}", 100 + at) for at in range(overdue)),
        *(fact(f"c{next(number)}", 1, changed=("x",)) for _ in range(changed)),
        *(fact(f"n{next(number)}", None) for _ in range(never)),
    ]


@pytest.mark.parametrize(
    ("waiting", "most", "expected"),
    [
        ((20, 20, 20), 10, (5, 3, 2)),
        ((2, 20, 20), 10, (2, 6, 2)),
        ((20, 0, 20), 10, (8, 0, 2)),
        ((20, 20, 0), 10, (7, 3, 0)),
        ((0, 1, 20), 10, (0, 1, 9)),
        ((1, 1, 1), 10, (1, 1, 1)),
        ((20, 20, 20), 1, (1, 0, 0)),
        ((0, 0, 20), 1, (0, 0, 1)),
        ((20, 20, 20), 2, (1, 0, 1)),
        ((20, 20, 20), None, (20, 20, 20)),
    ],
)
def test_places_by_class(waiting: tuple[int, int, int], most: int | None, expected: tuple[int, int, int]) -> None:
    names = chosen(crowd(*waiting), most)
    assert tuple(sum(name[0] == first for name in names) for first in "ocn") == expected


@pytest.mark.parametrize(
    ("newer", "most", "expected"),
    [
        ((20, 20, 20, 20), 10, (5, 3, 1, 1)),
        ((20, 20, 20, 20), 20, (10, 6, 2, 2)),
        ((0, 0, 20, 20), 10, (0, 0, 9, 1)),
        ((20, 20, 1, 20), 30, (15, 9, 1, 5)),
        ((20, 20, 20, 20), 3, (1, 0, 0, 2)),
        ((0, 0, 2, 0), 1, (0, 0, 1, 0)),
    ],
)
def test_newer_editions_have_a_place_of_their_own(
    newer: tuple[int, int, int, int], most: int, expected: tuple[int, ...]
) -> None:
    overdue, changed, frontier, never = newer
    facts = [
        *crowd(overdue, changed, never),
        *(fact(f"f{at}", 1, frontier="It is about 3.11, and 3.14 is out.") for at in range(frontier)),
    ]
    names = chosen(facts, most)
    assert tuple(sum(name[0] == first for name in names) for first in "ocfn") == expected


@given(st.integers(0, 12), st.integers(0, 12), st.integers(0, 12), st.integers(1, 30))
def test_no_place_stays_empty_while_somebody_waits(overdue: int, changed: int, never: int, most: int) -> None:
    facts = crowd(overdue, changed, never)
    names = chosen(facts, most)
    assert len(names) == min(most, len(facts)) == len(set(names))
    assert sum(shares(most).values()) == most and min(shares(most).values()) >= 0
    everybody = select(facts, today=TODAY, most=most)
    assert len(everybody) == len(facts) and all(choice.reason.endswith(".") for choice in everybody)
    left = [choice for choice in everybody if not choice.taken]
    assert all("no place left" in choice.reason for choice in left)
    assert all(choice.waiting in CLASSES for choice in everybody)


@pytest.mark.parametrize(
    ("one", "said"),
    [
        (fact("a", None, sources=()), "names no sources"),
        (fact("a", 3), "not due before 2026-04-28"),
        (fact("a", None, open_request="c-12"), "The change request c-12 is still open."),
        (fact("a", None, failures=1, next_try=date(2026, 3, 2)), "failed once; the next try is on 2026-03-02"),
        (
            fact("a", 99, failures=3, next_try=date(2026, 3, 5)),
            "failed 3 times in a row; the next try is on 2026-03-05",
        ),
    ],
)
def test_why_not(one: EntryFacts, said: str) -> None:
    assert said in only(one).reason and not only(one).taken and only(one).waiting is None


@pytest.mark.parametrize(
    ("one", "said"),
    [
        (fact("a", None), "Nobody has reviewed it yet."),
        (fact("a", 61), "Last reviewed 61 days ago; evolving entries are due after 60 days."),
        (fact("a", 1, changed=("x", "y", "z")), "A source changed: x and 2 more."),
        (fact("a", "soon"), "`soon`, is no date"),
        (fact("a", None, failures=2), "Nobody has reviewed it yet."),
    ],
)
def test_why(one: EntryFacts, said: str) -> None:
    assert said in only(one).reason and only(one).taken


def test_an_entry_that_is_blocked_leaves_its_place_to_others() -> None:
    facts = [fact("old", 500, open_request="c-1"), fact("younger", 100)]
    assert chosen(facts, 1) == ["younger"] == chosen(facts, 1, "seed")
