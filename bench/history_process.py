"""Asks a `cairn` program which lines of documents a change makes wrong, in a work tree and a process of its own.

Slower than asking in this process, but it works with every version of the program and measures what users wait for.
"""

import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

from history_survey import Answer, Asserted
from history_trees import put_back, run_git
from measure import environment
from strangers_clones import Repository, make_tree
from strangers_findings import Cairn, findings


class Timed(NamedTuple):
    """Seconds of one `check --diff`, and of what it is compared with in the same minute."""

    commit: str
    check: float
    git_diff: float
    start: float
    """Of a bare interpreter."""

    @property
    def ratio(self) -> float:
        return self.check / (self.git_diff + self.start)


class InWorkTree:
    """A scratch clone of one repository, in which commits with other documents are made and checked out."""

    lacking = 0

    def __init__(self, clone: Path, repository: Repository, scratch: Path, cairn: Cairn) -> None:
        self.root = scratch / repository.name.replace("/", "+")
        self.cairn = cairn
        make_tree(clone, repository, self.root)
        cairn.start(self.root)

    def ask(self, before: str, after: str, documents: str) -> Answer:
        try:
            made = self.commit_with(before, after, documents)
            run_git(self.root, "checkout", "--quiet", "--force", "--detach", made)
        except subprocess.CalledProcessError as problem:
            return Answer((), f"git {problem.cmd[-1]}: {problem.stderr.decode(errors='replace')[:200]}")
        ran = self.cairn.run(self.root, "check", "--diff", f"{before}..{made}")
        lines = {
            (one.path, one.line): Asserted(one.path, one.line, one.rule, "", one.message)
            for one in findings(ran.answer)
        }
        return Answer(tuple(lines.values()), ran.crash)

    def commit_with(self, before: str, after: str, documents: str) -> str:
        if documents == after:
            return after
        tree = put_back(self.root, self.root / ".git" / "history-index", after, documents)
        return run_git(self.root, "commit-tree", tree, "-p", before, "-m", "Put documents back").strip()

    def time(self, before: str, after: str) -> Timed:
        """Times the real program on two commits as they are, between two runs of what it is compared with."""
        run_git(self.root, "checkout", "--quiet", "--force", "--detach", after)
        units = ["git", "-C", str(self.root), "diff", before, after], [sys.executable, "-c", ""]
        first = [seconds(unit) for unit in units]
        check = self.cairn.run(self.root, "check", "--diff", f"{before}..{after}").seconds
        diff, start = ((one + seconds(unit)) / 2 for one, unit in zip(first, units, strict=True))
        return Timed(after, check, diff, start)


def seconds(command: list[str]) -> float:
    started = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment(), check=False)
    return time.perf_counter() - started
