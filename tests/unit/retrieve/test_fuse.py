"""Several wordings of one question."""

from dataclasses import replace
from pathlib import Path

import pytest

from asked import ask, paths
from cairn.adapters.storage.sqlite.store import open_memory
from cairn.retrieve.search import fused
from workbench import Bench


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    bench = Bench(tmp_path_factory.mktemp("wordings"), open_memory())
    bench.write_all(
        [(f"docs/{word}.md", f"# {word.title()}\n\nAll about {word}.\n") for word in ("apple", "pear", "plum")]
    )
    bench.scan()
    return bench


def test_a_page_that_more_wordings_find_comes_first(bench: Bench) -> None:
    answers = [ask(bench, question) for question in ("apple", "pear", "pear plum")]
    assert paths(fused(answers, 10))[0] == "docs/pear.md"
    assert set(paths(fused(answers, 10))) == {"docs/apple.md", "docs/pear.md", "docs/plum.md"}


def test_the_question_as_asked_decides_in_a_tie(bench: Bench) -> None:
    assert paths(fused([ask(bench, "plum"), ask(bench, "apple")], 1)) == ["docs/plum.md"]


@pytest.mark.parametrize(
    ("wordings", "fits"),
    [
        (("zebra crossing", "zebra lighthouse"), False),
        (("zebra crossing", "apple", "all about apple"), True),
        (("zebra crossing", "zebra lighthouse", "apple"), False),
        (("zebra crossing", "apple", "pear"), False),
        (("apple", "zebra crossing"), False),
        (("all about apple", "apple"), True),
    ],
)
def test_it_fits_when_the_first_page_fits_most_of_the_wordings(
    bench: Bench, wordings: tuple[str, ...], fits: bool
) -> None:
    assert fused([ask(bench, wording) for wording in wordings], 5).fits is fits


def test_a_page_that_stands_behind_in_two_answers_can_be_the_best_of_both(tmp_path: Path) -> None:
    bench = Bench(tmp_path, open_memory())
    bench.write("docs/gate.md", "# Gate\n\nThe gate has a lock and a latch. The gate is old, the gate is green.\n")
    bench.write("docs/latch.md", "# Latch\n\nA latch for the shed. Oil the latch, then try the latch.\n")
    bench.write("docs/shed.md", "# Oil the gate\n\nWith a latch of the shed it is the same.\n")
    bench.scan()
    answers = [ask(bench, question, everything=True) for question in ("green gate oil", "oil latch shed")]
    assert paths(fused(answers, 3))[0] == "docs/shed.md"


def test_copies_that_two_wordings_show_differently_are_one_hit(bench: Bench) -> None:
    first, other = (ask(bench, word) for word in ("apple", "pear"))
    copy = replace(other, hits=(replace(other.hits[0], alike=("docs/apple.md",)),))
    (hit,) = fused([first, copy], 5).hits
    assert {hit.path, *hit.alike} == {"docs/apple.md", "docs/pear.md"}
