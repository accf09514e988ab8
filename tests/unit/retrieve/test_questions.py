"""Search answers the questions of `bench/retrieval` better than grep, among many notes, and knows when nothing does."""

import json
import subprocess
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


def test_questions_by_others_are_asked_with_and_without_rewordings(tmp_path: Path) -> None:
    """Through the program, on a repository of three pages: only the rewording has a word of the right one."""
    clone = tmp_path / "clones" / "owner+name"
    for name in ("apple", "pear", "plum"):
        (clone / f"docs/{name}.md").parent.mkdir(parents=True, exist_ok=True)
        (clone / f"docs/{name}.md").write_text(f"# {name.title()}\n\nAll about the {name}.\n", "utf-8")
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    for line in (("init", "-q"), ("add", "."), ("commit", "-qm", "pages")):
        subprocess.run(["git", *who, *line], cwd=clone, check=True)
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=clone, check=True, capture_output=True, text=True)
    asked = {"repo": "owner/name", "commit": head.stdout.strip(), "question": "that green fruit", "kind": "paraphrase"}
    answers = [{"path": "docs/pear.md", "heading": "Pear", "line": 1}]
    (tmp_path / "set.jsonl").write_text(json.dumps(asked | {"answers": answers}), "utf-8")
    (listed,) = map(json.loads, _run("set.jsonl", "--list", folder=tmp_path).splitlines())
    assert listed.keys() == {"id", "repo", "question"}
    (tmp_path / "also.json").write_text(json.dumps({listed["id"]: ["all about the pear"]}), "utf-8")
    rows = json.loads(_run("set.jsonl", "--clones", "clones", "--also", "also.json", "--json", folder=tmp_path))
    found = {row["who"]: row["page first"] for row in rows if row["kind"] == "all answerable"}
    assert (found["cairn"], found["cairn+also"]) == (0.0, 1.0)


def _run(*arguments: str, folder: Path) -> str:
    command = [sys.executable, str(BENCH / "questions.py"), *arguments]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout
