"""Search answers the questions of `bench/retrieval` better than grep, and knows when nothing does."""

import sys
from pathlib import Path
from types import ModuleType

import pytest

BENCH = Path(__file__).parents[3] / "bench"


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    sys.path.insert(0, str(BENCH))
    try:
        import retrieve
    finally:
        sys.path.remove(str(BENCH))
    return retrieve


def test_the_questions_are_many_and_varied(bench: ModuleType) -> None:
    asked = bench.questions()
    assert len(asked) >= 150
    assert sum(not question.pages for question in asked) >= 30
    assert len({question.text for question in asked}) == len(asked)
    forms = {question.form for question in asked}
    assert forms == {"keyword", "question", "paraphrase", "identifier", "error", "misspelling", "script"}
    pages = {path for question in asked if question.corpus == "handbook" for path in question.pages}
    assert all((BENCH / "retrieval" / "pages" / path).is_file() for path in pages)


def test_search_beats_grep_and_knows_its_limits(bench: ModuleType, tmp_path: Path) -> None:
    judged = [one for one in bench.ask_all(tmp_path) if one.question.judges]
    reached = {row.work: (row.value, row.verdict) for row in bench.quality(judged)}
    assert [work for work, (_, verdict) in reached.items() if verdict == "MISSED"] == []
    assert reached["not among the first five"][0] <= 0.05
