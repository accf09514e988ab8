"""Search answers the questions of `bench/retrieval` better than grep, among many notes, and knows when nothing does."""

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
    answerable = [one for one in judged if one.question.pages]
    assert bench.recall(answerable, lambda one: one.alone) >= 0.95
    assert bench.recall(answerable, lambda one: one.found) >= 0.95


def test_notes_are_among_what_is_asked(bench: ModuleType) -> None:
    """Else the numbers above would say nothing about them."""
    pages = {
        f"docs/{n}.md": f"# Page {n}\n\nOn page {n} stands a sentence that a note may well repeat.\n" for n in "abc"
    }
    noted = bench.retrieve_notes.noted(pages, 100)
    assert len({row.turn_id for row in noted}) == 100
    assert sum("stands a sentence" in row.summary for row in noted) == 20
    assert sum("Page " in row.summary for row in noted) == 40
