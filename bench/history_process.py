"""Asks a `cairn` program which lines of documents a change makes wrong, in a work tree and a process of its own.

Slower than asking in this process, but it works with every version of the program and measures what users wait for.
"""

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

from history_paths import is_document
from history_survey import Answer, Asserted
from measure import environment
from strangers_clones import ME, Repository, git, make_tree
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
            git_here(self.root, "checkout", "--quiet", "--force", "--detach", made)
        except subprocess.CalledProcessError as problem:
            return Answer((), f"git {problem.cmd[-1]}: {problem.stderr.decode(errors='replace')[:200]}")
        ran = self.cairn.run(self.root, "check", "--diff", f"{before}..{made}")
        lines = {
            (one.path, one.line): Asserted(one.path, one.line, one.rule, "", one.message)
            for one in findings(ran.answer)
        }
        return Answer(tuple(lines.values()), ran.crash)

    def commit_with(self, before: str, after: str, documents: str) -> str:
        """A commit with the code of one tree and the documents of another, made with an index of its own."""
        if documents == after:
            return after
        index = {"GIT_INDEX_FILE": str(self.root / ".git" / "history-index")}
        git_here(self.root, "read-tree", after, extra=index)
        edits = [f"0 {'0' * 40}\t{path}" for path in documents_in(self.root, after)]
        edits += [f"{entry}\t{path}" for path, entry in documents_in(self.root, documents).items()]
        git_here(self.root, "update-index", "--index-info", given="".join(f"{one}\n" for one in edits), extra=index)
        tree = git_here(self.root, "write-tree", "--missing-ok", extra=index).strip()
        return git_here(self.root, "commit-tree", tree, "-p", before, "-m", "documents put back").strip()

    def time(self, before: str, after: str) -> Timed:
        """Times the real program on two commits as they are."""
        git_here(self.root, "checkout", "--quiet", "--force", "--detach", after)
        unit, start = seconds(["git", "-C", str(self.root), "diff", before, after]), seconds([sys.executable, "-c", ""])
        return Timed(after, self.cairn.run(self.root, "check", "--diff", f"{before}..{after}").seconds, unit, start)


def documents_in(root: Path, tree: str) -> dict[str, str]:
    """Mode and blob of each document; paths that git would quote are left out."""
    entries = (line.split("\t", 1) for line in git(root, "ls-tree", "-r", tree).decode(errors="replace").splitlines())
    return {path: f"{head.split()[0]} {head.split()[2]}" for head, path in entries if is_document(path)}


def git_here(root: Path, *args: str, given: str | None = None, extra: dict[str, str] | None = None) -> str:
    sent = None if given is None else given.encode("utf-8", "surrogateescape")
    command = ["git", "-C", str(root), *ME, *args]
    done = subprocess.run(command, input=sent, capture_output=True, env={**environment(), **(extra or {})}, check=True)
    return os.fsdecode(done.stdout)


def seconds(command: list[str]) -> float:
    """The better of two runs."""

    def once() -> float:
        started = time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment(), check=False)
        return time.perf_counter() - started

    return min(once(), once())
