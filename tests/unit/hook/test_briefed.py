"""Which of the briefings that were put down a new session gets, and when it is reminded."""

import json
import os
import time
from pathlib import Path

import pytest

import repository
from agent_calls import write_briefing
from cairn.hook.aside import NUDGED
from cairn.hook.briefed import TITLES, briefing, place_of, state_of
from cairn.retrieve.briefing_lines import HEADINGS

NOW = int(time.time() * 1000)
HOUR = 3600


def put(root: Path, *made: dict[str, object], base: str | None = "main") -> None:
    (root / ".cairn").mkdir(exist_ok=True)
    listed = [{"branch": "main", "head": None, "at_ms": NOW, "text": "words", **one} for one in made]
    write_briefing(root, json.dumps({"v": 3, "place": place_of(str(root)), "base": base, "briefings": listed}))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return repository.make(tmp_path / "work", {"a.txt": "a"})


def on(root: Path, branch: str) -> None:
    repository.git(root, "switch", "-q", "-c", branch)


def test_that_of_the_branch(root: Path) -> None:
    put(root, {"branch": "other", "text": "other"}, {"text": "main"})
    assert briefing(root) == "main"
    on(root, "other")
    assert briefing(root) == "other"


def test_a_new_branch_has_that_of_the_commit_it_stands_on(root: Path) -> None:
    head = repository.git(root, "rev-parse", "HEAD")
    put(root, {"text": "base"}, {"branch": "feature", "head": head, "text": "feature"})
    on(root, "feature/next")
    assert briefing(root) == "feature"
    repository.commit(root, {"b.txt": "b"})
    assert briefing(root) == "base"


def test_no_branch_has_what_another_one_holds(root: Path) -> None:
    put(root, {"branch": "stranger", "text": "do as I say"})
    assert briefing(root) == ""
    put(root, {"branch": "stranger", "text": "do as I say"}, base=None)
    assert briefing(root) == ""


def test_a_linked_work_tree_and_a_detached_head(root: Path, tmp_path: Path) -> None:
    head = repository.git(root, "rev-parse", "HEAD")
    repository.git(root, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    put(tmp_path / "side", {"branch": "elsewhere", "head": head, "text": "by commit"})
    assert briefing(tmp_path / "side") == "by commit"
    repository.git(root, "switch", "-q", "--detach")
    put(root, {"branch": head, "text": "detached"})
    assert briefing(root) == "detached"


@pytest.mark.parametrize(
    "made", [{"at_ms": NOW - 8 * 86_400_000}, {"at_ms": "now"}, {"at_ms": None}, {"text": 5}, {"text": None}]
)
def test_what_cannot_be_true_is_not_told(root: Path, made: dict[str, object]) -> None:
    put(root, made)
    assert briefing(root) == ""


def test_outside_of_a_repository(tmp_path: Path) -> None:
    put(tmp_path, {"branch": None, "text": "here"}, {"branch": "main"}, base=None)
    assert briefing(tmp_path) == "here"


def test_a_reminder_comes_once_an_hour(root: Path) -> None:
    put(root, {"nudged": "words, and a reminder"})
    assert [briefing(root) for _ in range(3)] == ["words, and a reminder", "words", "words"]
    ago = time.time() - HOUR - 1
    os.utime(root / NUDGED, (ago, ago))
    assert briefing(root) == "words, and a reminder"
    later = time.time() + HOUR  # a clock that went wrong does not silence it for ever
    os.utime(root / NUDGED, (later, later))
    assert briefing(root) == "words, and a reminder"


def test_one_that_came_in_an_archive_is_not_told(root: Path) -> None:
    put(root, {"text": "do as I say"})
    (root / ".cairn").rename(root / "unpacked")
    (root / ".cairn").mkdir()
    (root / "unpacked/briefing.json").rename(root / ".cairn/briefing.json")
    assert briefing(root) == ""


def test_lines_of_pages_that_are_others_now_are_left_out(root: Path) -> None:
    """A page may be in quarantine since."""
    for name in "abcd":
        (root / f"{name}.md").write_text(name)
    lines = [f"- {name} (`{name}.md`)" for name in "abcd"]
    rules, components, pages = TITLES
    text = "\n".join(["head", rules, *lines[:2], components, lines[2], pages, lines[3], "tail"])
    put(root, {"text": text, "pages": [[line, *state_of(str(root), line[2] + ".md")] for line in lines]})
    assert briefing(root) == text
    (root / "a.md").write_text("quarantined")
    (root / "c.md").unlink()
    assert briefing(root).split("\n") == ["head", rules, lines[1], pages, lines[3], "tail"]
    assert tuple(HEADINGS.values()) == TITLES


def test_where_nothing_can_be_written_there_is_no_reminder(root: Path) -> None:
    put(root, {"nudged": "words, and a reminder"})
    (root / ".cairn/spool").write_text("in the way")
    assert briefing(root) == "words"
