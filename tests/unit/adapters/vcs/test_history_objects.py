"""Contents by their ids: how many processes they cost, and what is missing."""

from pathlib import Path

import pytest

from cairn.adapters.vcs.history import read_history
from cairn.adapters.vcs.program import GitProgram
from commits import commit, git


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for day in range(1, 4):
        commit(tmp_path / "r", {"a.txt": f"{day}\n"}, day=day)
    return tmp_path / "r"


def test_few_contents_come_from_one_process(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = [git(root, "rev-parse", f"HEAD~{age}:a.txt").strip() for age in range(3)]
    history = read_history(root)
    started: list[str] = []
    start = GitProgram.start
    monkeypatch.setattr(GitProgram, "start", lambda *given, **named: started.append("") or start(*given, **named))
    found = [dict(history.blobs([id]))[id] for id in ids]
    assert (found, len(started)) == ([b"3\n", b"2\n", b"1\n"], 1)


def test_many_contents_may_be_left_unread(root: Path) -> None:
    id = git(root, "rev-parse", "HEAD:a.txt").strip()
    history = read_history(root)
    many = history.blobs([id] * 2_000)
    assert [next(many)[1] for _ in range(3)] == [b"3\n"] * 3
    assert dict(history.blobs([id])) == {id: b"3\n"}
    assert [data for _, data in many] == [b"3\n"] * 1_997


def test_what_a_clone_lacks_is_counted_once(root: Path) -> None:
    id = git(root, "rev-parse", "HEAD~1:a.txt").strip()
    (root / ".git/objects" / id[:2] / id[2:]).unlink()
    history = read_history(root)
    assert [dict(history.blobs([id]))[id] for _ in range(2)] == [None, None]
    assert history.lacking == 1
