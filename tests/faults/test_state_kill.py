"""Killed between any two calls of git while state travels: the next time everything arrives, and once."""

import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from cairn.adapters.forge.local.git_repository import GitRepository
from cairn.core.ports.git_refs import STATE_REF
from cairn.freshness.sync_state import pull, push
from child import bounded
from repository import git
from travellers import Clone, clone, server

KILLED = 9


def _push(here: Clone) -> None:
    with closing(here.app()) as app:
        push(app, remote=True)


def _pull(here: Clone) -> None:
    with closing(here.app()) as app:
        pull(app, remote=True)


def _killed_before(call: int, work: Callable[[], None]) -> bool:
    """Run it in a process of its own that dies before the git call of that number; False when there are not so many."""
    child = os.fork()
    if child == 0:
        bounded()
        count = 0
        real = GitRepository.run

        def counting(self: GitRepository, *arguments: str, **rest: Any) -> bytes:
            nonlocal count
            if count == call:
                os._exit(KILLED)
            count += 1
            return real(self, *arguments, **rest)

        GitRepository.run = counting  # type: ignore[method-assign]
        try:
            work()
        except BaseException:
            os._exit(1)
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, KILLED)
    return code == KILLED


def test_a_push_and_a_pull_that_are_killed_anywhere(tmp_path: Path) -> None:
    bare = server(tmp_path)
    one = clone(bare, "one")
    one.saw("first")
    _push(one)
    one.saw("second", at_ms=1_790_000_001_000)
    call = 0
    while _killed_before(call, lambda: _push(one)):
        other = clone(bare, f"after-{call}")
        _pull(other)
        assert other.knows()["texts"].popitem()[1] in ("first", "second"), "whole, as it was or as it is"
        call += 1
    assert call > 5 and int(git(bare, "rev-list", "--count", STATE_REF)) == 2, "done once"
    call = 0
    late = clone(bare, "late")
    while _killed_before(call, lambda: _pull(late)):
        call += 1
    assert call > 3 and late.knows() == one.knows()
