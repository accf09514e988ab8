"""What git remembers; and that a repository can't make it run anything or wait for ever."""

from pathlib import Path

import pytest

from cairn.adapters.vcs.past import Past, Seen
from commits import commit, git


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    commit(tmp_path, {"a.py": "ONE = 1\n", "sub/doc.md": "first\n"}, "begin", day=1)
    commit(tmp_path, {"sub/doc.md": "first\nsecond ü\n"}, "say more", day=2)
    commit(tmp_path, {"a.py": None, "lib/b.py": "ONE = 1\n"}, "move it", day=3)
    commit(tmp_path, {"lib/b.py": "TWO = 1\n"}, "rename it", day=4)
    return tmp_path


def test_who_wrote_a_line(repository: Path):
    written = Past(repository).written("sub/doc.md", [1, 2])
    assert [(line, c.date, c.subject) for line, c in sorted(written.items())] == [
        (1, "2024-03-01", "begin"),
        (2, "2024-03-02", "say more"),
    ]
    assert Past(repository).written("sub/doc.md", [99]) == {}
    assert Past(repository).written("nowhere.md", [1]) == {}


def test_a_word_at_a_revision(repository: Path):
    first = git(repository, "rev-list", "--max-parents=0", "HEAD").strip()
    assert Past(repository).words(first, ["ONE", "first"]) == [
        Seen("a.py", 1, "ONE = 1"),
        Seen("sub/doc.md", 1, "first"),
    ]
    assert Past(repository).words("HEAD", ["ONE"]) == []
    assert Past(repository / "sub").words(first, ["ONE", "first"]) == [Seen("doc.md", 1, "first")]


def test_where_a_file_went(repository: Path):
    past = Past(repository)
    removed = past.removal("a.py")
    assert removed is not None
    assert (removed.date, removed.subject) == ("2024-03-03", "move it")
    assert past.moved(removed.id, "a.py") == "lib/b.py"
    assert past.moved(removed.id, "other.py") is None
    assert past.removal("lib/b.py") is None


def test_who_took_a_word_away(repository: Path):
    past = Past(repository)
    touched = past.last_touch("ONE", "HEAD~1", "lib/b.py")
    assert touched is not None
    assert touched.subject == "rename it"
    assert "-ONE = 1\n+TWO = 1" in past.change(touched.id, "lib/b.py")
    assert past.text(f"{touched.id}~1", "lib/b.py") == b"ONE = 1\n"
    assert past.text(touched.id, "a.py") is None


def test_counting_commits(repository: Path):
    assert Past(repository).commits() == 4
    assert Past(repository).commits(2) == 2


def test_without_a_repository_or_without_git(tmp_path: Path):
    for past in (Past(tmp_path), Past(tmp_path, program="no-such-git")):
        assert past.commits() == 0
        assert past.written("a.md", [1]) == {}
        assert past.words("HEAD", ["x"]) == []
        assert past.removal("a.md") is None
        assert past.change("HEAD", "a.md") == ""


def test_a_question_that_takes_too_long_goes_unanswered(repository: Path, tmp_path: Path):
    slow = tmp_path / "slow-git"
    slow.write_text("#!/bin/sh\nexec sleep 30\n")
    slow.chmod(0o755)
    assert Past(repository, seconds=0.2, program=str(slow)).commits() == 0


def test_programs_that_the_repository_names_are_not_run(repository: Path):
    trap = repository / "trap"
    (repository / ".gitattributes").write_text("* diff=evil filter=evil\n")
    for key in ("diff.evil.textconv", "diff.evil.command", "diff.external", "filter.evil.clean", "core.fsmonitor"):
        git(repository, "config", key, f"touch {trap}; cat")
    past = Past(repository)
    past.written("sub/doc.md", [1])
    past.words("HEAD", ["first"])
    past.last_touch("ONE", "HEAD~2", "lib/b.py")
    past.change("HEAD", "lib/b.py")
    past.text("HEAD", "sub/doc.md")
    past.moved("HEAD", "a.py")
    assert not trap.exists()
