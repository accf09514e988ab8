"""Several wordings of one question."""

import pytest

from asked import ask, paths
from cairn.adapters.storage.memory import open_memory
from cairn.retrieve.fuse import fused
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


def test_it_fits_when_it_fits_one_wording(bench: Bench) -> None:
    nothing = ask(bench, "zebra crossing lighthouse")
    assert not fused([nothing, nothing], 5).fits
    assert fused([nothing, ask(bench, "apple")], 5).fits
