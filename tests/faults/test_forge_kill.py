"""Killed between any two calls of git, or two at once: a rerun finishes the work, and does it once."""

import os
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bakery import LINES, LOUDER, NOW, PAGE, bakery, opened, proposal, status
from cairn.adapters.forge.local.forge import LocalForge
from cairn.adapters.forge.local.git_repository import GitRepository
from cairn.core.model.change import RequestState
from cairn.errors import EnvironmentProblem, Refused
from child import forked, in_a_child
from repository import commit, git

Work = Callable[[Path], object]
KILLED = 9


def _killed_before(call: int, work: Callable[[], object]) -> bool:
    """Run it and die before the git call of that number; False when there are not so many."""
    count = 0
    real = GitRepository.run

    def counting(self: GitRepository, *arguments: str, **rest: Any) -> bytes:
        nonlocal count
        if count == call:
            os._exit(KILLED)
        count += 1
        return real(self, *arguments, **rest)

    def patched() -> None:
        GitRepository.run = counting  # type: ignore[method-assign]
        work()

    code = in_a_child(patched)
    assert code in (0, KILLED)
    return code == KILLED


def _every_moment(tmp_path: Path, start: Callable[[Path], Work], finished: Callable[[Path], None]) -> int:
    """Each in a copy of one repository, which costs less than a repository."""
    template = bakery(tmp_path / "template")
    work = start(template)
    call = 0
    while True:
        root = Path(shutil.copytree(template, tmp_path / f"at-{call}"))
        killed = _killed_before(call, partial(work, root))
        if killed:
            work(root)
        finished(root)
        if not killed:
            return call
        call += 1


@pytest.mark.slow
def test_publishing(tmp_path: Path) -> None:
    def start(root: Path) -> Work:
        change = proposal(root)
        return lambda root: LocalForge(root).publish(change, (), now_ms=NOW)

    def finished(root: Path) -> None:
        (request,) = LocalForge(root).requests()
        assert git(root, "rev-parse", request.branch) == request.head
        assert git(root, "branch", "--format=%(refname:short)").split() == ["cairn/freshness/ovens", "main"]
        assert status(root) == ""

    assert _every_moment(tmp_path, start, finished) > 5


@pytest.mark.slow
def test_updating(tmp_path: Path) -> None:
    def start(root: Path) -> Work:
        opened(root)
        change = proposal(root, {PAGE: LINES + "six\n"})
        return lambda root: LocalForge(root).publish(change, (), now_ms=NOW + 1)

    def finished(root: Path) -> None:
        (request,) = LocalForge(root).requests()
        assert git(root, "rev-parse", request.branch) == request.head
        assert git(root, "show", f"{request.branch}:{PAGE}").endswith("six")

    assert _every_moment(tmp_path, start, finished) > 5


def _merge(id: str) -> Work:
    """Again, unless the record says that it was done."""

    def work(root: Path) -> None:
        forge = LocalForge(root)
        try:
            forge.merge(id, by="ada", now_ms=NOW)
        except Refused:
            assert forge.request(id).state is RequestState.MERGED

    return work


@pytest.mark.slow
def test_merging_into_a_checkout(tmp_path: Path) -> None:
    def start(root: Path) -> Work:
        id = opened(root, {PAGE: LOUDER, "new.md": "fresh\n", "README.md": None})
        commit(root, {"other.md": "meanwhile\n"})
        (root / "mine.txt").write_text("x\n")
        return _merge(id)

    def finished(root: Path) -> None:
        (request,) = LocalForge(root).requests()
        assert request.state is RequestState.MERGED and request.merged_commit == git(root, "rev-parse", "main")
        assert status(root) == "?? mine.txt"
        assert (root / PAGE).read_text() == LOUDER and not (root / "README.md").exists()
        assert git(root, "rev-list", "--count", "main") == "3", "once, not twice"

    assert _every_moment(tmp_path, start, finished) > 15


@pytest.mark.slow
def test_closing(tmp_path: Path) -> None:
    def start(root: Path) -> Work:
        id = opened(root)

        def work(root: Path) -> None:
            forge = LocalForge(root)
            if forge.request(id).state is not RequestState.CLOSED:
                forge.close(id, now_ms=NOW)

        return work

    def finished(root: Path) -> None:
        (request,) = LocalForge(root).requests()
        assert request.state is RequestState.CLOSED
        again = LocalForge(root).reopen(request.id, now_ms=NOW)
        assert git(root, "rev-parse", again.branch) == again.head

    assert _every_moment(tmp_path, start, finished) > 5


def _stopped_in_the_middle(root: Path, id: str) -> None:
    """The checkout has moved, the branch not yet."""
    real = GitRepository.move

    def dying(self: GitRepository, ref: str, *arguments: str | None, **rest: Any) -> bool:
        if ref == "refs/heads/main":
            os._exit(KILLED)
        return real(self, ref, *arguments, **rest)  # type: ignore[arg-type]

    def work() -> None:
        GitRepository.move = dying  # type: ignore[method-assign]
        LocalForge(root).merge(id, by="ada", now_ms=NOW)

    assert in_a_child(work) == KILLED


@pytest.fixture
def stopped(tmp_path: Path) -> tuple[Path, str]:
    root = bakery(tmp_path / "work")
    id = opened(root)
    _stopped_in_the_middle(root, id)
    assert status(root) == f"M  {PAGE}" and LocalForge(root).request(id).state is RequestState.OPEN
    return root, id


def test_a_merge_that_was_stopped_is_not_closed(stopped: tuple[Path, str]) -> None:
    root, id = stopped
    with pytest.raises(Refused, match=f"cairn change merge {id}"):
        LocalForge(root).close(id, now_ms=NOW)


def test_somebody_commits_what_a_stopped_merge_had_staged(stopped: tuple[Path, str]) -> None:
    root, id = stopped
    tip = commit(root)
    merged = LocalForge(root).merge(id, by="ada", now_ms=NOW)
    assert (merged.commit, merged.request.state) == (tip, RequestState.MERGED)
    assert status(root) == "" and git(root, "rev-parse", "main") == tip


def test_somebody_commits_something_else_after_a_stopped_merge(stopped: tuple[Path, str]) -> None:
    root, id = stopped
    git(root, "reset", "-q", "--", PAGE)
    (root / "other.md").write_text("x\n")
    git(root, "add", "other.md")
    git(root, "commit", "-q", "-m", "other")
    LocalForge(root).merge(id, by="ada", now_ms=NOW)
    assert (root / PAGE).read_text() == LOUDER and (root / "other.md").exists() and status(root) == ""


def test_an_edit_after_a_stopped_merge_is_not_lost(stopped: tuple[Path, str]) -> None:
    root, id = stopped
    (root / PAGE).write_text("mine\n")
    with pytest.raises(Refused, match="not committed"):
        LocalForge(root).merge(id, by="ada", now_ms=NOW)
    assert (root / PAGE).read_text() == "mine\n"


def test_many_at_once(tmp_path: Path) -> None:
    root = bakery(tmp_path / "work")
    base = git(root, "rev-parse", "main")

    def work(number: int) -> None:
        forge = LocalForge(root)
        change = proposal(root, {f"page-{number}.md": "x\n"}, subject=f"s{number}", base=base)
        forge.merge(forge.publish(change, (), now_ms=NOW).id, by="ada", now_ms=NOW)

    children = [forked(partial(work, number)) for number in range(4)]
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 4
    assert len(list(root.glob("page-*.md"))) == 4 and status(root) == ""
    assert {request.state for request in LocalForge(root).requests()} == {RequestState.MERGED}


def test_the_same_subject_at_once_is_one_request(tmp_path: Path) -> None:
    root = bakery(tmp_path / "work")
    change = proposal(root)
    children = [forked(lambda: LocalForge(root).publish(change, (), now_ms=NOW)) for _ in range(4)]
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 4
    assert len(LocalForge(root).requests()) == 1


# --- a git that was killed --------------------------------------------------------------------------------------------


def test_a_lock_beside_a_ref_of_ours_is_removed(tmp_path: Path) -> None:
    root = bakery(tmp_path / "work")
    id = opened(root)
    lock = root / f".git/refs/cairn/changes/{id}.lock"
    lock.touch()
    assert LocalForge(root).close(id, now_ms=NOW).state is RequestState.CLOSED
    assert not lock.exists()


def test_a_lock_beside_a_branch_is_named(tmp_path: Path) -> None:
    root = bakery(tmp_path / "work")
    id = opened(root)
    lock = root / ".git/refs/heads/main.lock"
    lock.touch()
    with pytest.raises(EnvironmentProblem, match=r"main\.lock` exists: .* remove that file and run this again\.$"):
        LocalForge(root).merge(id, by="ada", now_ms=NOW)
    assert status(root) == "" and (root / PAGE).read_text() == LINES
    lock.unlink()
    assert LocalForge(root).merge(id, by="ada", now_ms=NOW).request.state is RequestState.MERGED
