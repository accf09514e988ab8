"""The local forge when git fails in the middle of a merge, as it does on a disk with errors."""

from pathlib import Path
from typing import Any

import pytest

from bakery import LOUDER, NOW, PAGE, bakery, opened, status
from cairn.adapters.forge.local.forge import LocalForge
from cairn.adapters.forge.local.git_repository import GitRepository, GitSaid
from cairn.core.model.change import RequestState
from cairn.errors import Conflict, EnvironmentProblem, Refused
from repository import git, put

CHANGES = {PAGE: LOUDER, "new.md": "fresh\n", "README.md": None}
BRANCH = ("update-ref", "--no-deref", "-m", "cairn: merge")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return bakery(tmp_path / "work")


def _failing(monkeypatch: pytest.MonkeyPatch, *which: str, then: bool, times: int = 1) -> None:
    """Git fails at calls that begin like this, before or after it did what it should."""
    real, failed = GitRepository.run, 0

    def run(self: GitRepository, *arguments: str, **rest: Any) -> bytes:
        nonlocal failed
        begins = all(given.startswith(start) for given, start in zip(arguments, which, strict=False))
        if not begins or rest.get("env") or failed == times:
            return real(self, *arguments, **rest)
        failed += 1
        if then:
            real(self, *arguments, **rest)
        raise GitSaid(128, "fatal: Input/output error")

    monkeypatch.setattr(GitRepository, "run", run)


@pytest.mark.parametrize("then", [False, True], ids=["not done", "done"])
@pytest.mark.parametrize("which", [("update-index",), ("checkout-index",), BRANCH], ids=lambda which: str(which[0]))
def test_a_failing_git_is_named_and_nothing_is_half_done(
    root: Path, monkeypatch: pytest.MonkeyPatch, which: tuple[str, ...], then: bool
) -> None:
    id = opened(root, CHANGES)
    tip = git(root, "rev-parse", "main")
    _failing(monkeypatch, *which, then=then)
    with pytest.raises((EnvironmentProblem, Refused), match=f"git {which[0]} .*Input/output error") as raised:
        LocalForge(root).merge(id, by="ada", now_ms=NOW)
    moved = which == BRANCH and then
    assert (f"`cairn change merge {id}` finishes it." in str(raised.value)) == moved
    assert LocalForge(root).under_way() == []
    assert (git(root, "rev-parse", "main") != tip, (root / "new.md").exists()) == (moved, moved) and status(root) == ""
    merged = LocalForge(root).merge(id, by="ada", now_ms=NOW)
    assert merged.commit == git(root, "rev-parse", "main") == merged.request.head and merged.request.base == tip
    assert (root / PAGE).read_text() == LOUDER and status(root) == ""
    assert git(root, "rev-list", "--count", "main") == "2", "once, not twice"


def test_a_branch_that_moved_although_git_failed_is_not_taken_for_somebody_elses(root: Path) -> None:
    """Git moves the branch first, and then writes the log of HEAD."""
    id = opened(root)
    log = root / ".git/logs/HEAD"
    log.unlink()
    put(root, {".git/logs/HEAD/in-the-way": ""})
    with pytest.raises(EnvironmentProblem, match=r"git update-ref failed: .*moved all the same"):
        LocalForge(root).merge(id, by="ada", now_ms=NOW)
    assert (root / PAGE).read_text() == LOUDER and status(root) == ""
    (log / "in-the-way").unlink()
    assert LocalForge(root).merge(id, by="ada", now_ms=NOW).commit == git(root, "rev-parse", "main")
    assert status(root) == ""


def test_what_cannot_be_put_back_is_said_and_finished_later(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    id = opened(root, CHANGES)
    with monkeypatch.context() as disk:
        _failing(disk, "checkout-index", then=False, times=2)
        with pytest.raises(EnvironmentProblem, match=f"cannot be put back: .* `cairn change merge {id}` finishes it"):
            LocalForge(root).merge(id, by="ada", now_ms=NOW)
    assert LocalForge(root).under_way() == [id]
    LocalForge(root).merge(id, by="ada", now_ms=NOW)
    assert (root / PAGE).read_text() == LOUDER and status(root) == ""


def test_files_follow_a_branch_that_somebody_moved_meanwhile(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    id, real = opened(root, CHANGES), GitRepository.move

    def overtaken(self: GitRepository, ref: str, *rest: Any, **named: Any) -> bool:
        if ref == "refs/heads/main" and "theirs.md" not in git(root, "ls-files"):
            put(root, {"theirs.md": "x\n"})
            git(root, "add", "theirs.md")
            git(root, "commit", "-q", "-m", "with what the merge had staged")
        return real(self, ref, *rest, **named)

    monkeypatch.setattr(GitRepository, "move", overtaken)
    with pytest.raises(Conflict, match="moved meanwhile"):
        LocalForge(root).merge(id, by="ada", now_ms=NOW)
    assert status(root) == "" and (root / PAGE).read_text() == LOUDER
    assert LocalForge(root).merge(id, by="ada", now_ms=NOW).request.state is RequestState.MERGED
    assert status(root) == ""
