"""Where most of what was asked stands together."""

from typing import Any

import pytest

from asked import ask
from cairn.adapters.storage.sqlite.store import open_memory
from cairn.core.search_query import Unit, parse_query
from cairn.retrieve.match import MatchSpan
from cairn.retrieve.rank import best_window
from cairn.retrieve.weight import WeighedUnit
from workbench import Bench


def weighed(words: str) -> tuple[WeighedUnit, ...]:
    units: tuple[Unit, ...] = parse_query(words).units
    return tuple(WeighedUnit(unit, 1, unit.weight) for unit in units)


@pytest.mark.parametrize(
    ("spans", "place"),
    [
        ([MatchSpan(0, 4, 0), MatchSpan(1_000, 1_004, 0), MatchSpan(1_010, 1_014, 1)], (1_000, 1_014)),
        ([MatchSpan(0, 4, 0), MatchSpan(5, 9, 0), MatchSpan(10, 14, 1), MatchSpan(20, 24, 1)], (5, 14)),
        ([MatchSpan(0, 4, 1), MatchSpan(500, 504, 1)], (0, 4)),
    ],
    ids=["both words", "the shortest stretch", "the first of several"],
)
def test_best_window_has_the_most_in_the_shortest_space(spans: list[MatchSpan], place: tuple[int, int]) -> None:
    assert best_window(spans, weighed("oven plug")) == place


class Counted(tuple[MatchSpan, ...]):
    """Counts the places that somebody copies or looks at."""

    seen = 0

    def __getitem__(self, at: Any) -> Any:
        found = super().__getitem__(at)
        Counted.seen += len(found) if isinstance(at, slice) else 1
        return found


def test_best_window_copies_no_long_page() -> None:
    """A page that has one word 20,000 times took minutes."""
    places = Counted(MatchSpan(at, at + 1, 0) for at in range(0, 40_000, 2))
    best_window(places, weighed("oven plug"))
    assert Counted.seen < 200 * len(places)


STORE = "# The store\n\nAll packages are in the store. Where the store is, says `pnpm store path`.\n"
PRUNE = "# Prune\n\nPrune packages that nobody needs. It works at night.\n"
MAIL = "# Help\n\nSend an email to the list when the store is broken.\n"


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    bench = Bench(tmp_path_factory.mktemp("fits"), open_memory())
    filler = [
        (f"docs/page-{n}.md", f"# Page {n}\n\nThe store has packages, and page {n} has more.\n") for n in range(60)
    ]
    secure = ("docs/cipher.md", "# Hidden\n\nA cipher keeps the token secret.\n")
    bench.write_all([("docs/store.md", STORE), ("docs/prune.md", PRUNE), ("docs/mail.md", MAIL), secure, *filler])
    bench.scan()
    return bench


@pytest.mark.parametrize(
    ("question", "fits"),
    [
        ("where is the store?", True),
        ("send an email when the store is broken", True),
        ("prune packages at night", True),
        ("how do I encrypt the packages in the store?", False),
        ("does prune send an email about packages in the store?", False),
        ("schedule prune of packages in the store", False),
    ],
)
def test_a_passage_without_the_rarest_word_does_not_fit(bench: Bench, question: str, fits: bool) -> None:
    answer = ask(bench, question)
    assert answer.fits is fits, answer.fit
