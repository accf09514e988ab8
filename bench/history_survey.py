"""Asks the program under test which lines of documents a change makes wrong, in this process."""

import subprocess
from collections import OrderedDict
from pathlib import Path
from typing import NamedTuple, Protocol

from cairn.adapters.vcs.trees import GitTrees
from cairn.freshness.diff.survey import SurveyMemory, survey_revisions
from history_limits import OutOfTime, within
from history_trees import PutBack
from measure import environment

MOST_PAGES = 4000
MOST_SECONDS = 60
"""For one commit."""


class Asserted(NamedTuple):
    """A line that `check --diff` calls wrong."""

    path: str
    line: int
    reason: str
    written: str
    message: str


class Answer(NamedTuple):
    asserted: tuple[Asserted, ...]
    crash: str = ""


class Surveyor(Protocol):
    def ask(self, before: str, after: str, documents: str) -> Answer: ...


class InProcess:
    """One per repository, because it caches what it read per blob."""

    def __init__(self, clone: Path, scratch: Path) -> None:
        self.clone, self.scratch = clone, scratch
        self.lacked = 0
        self.begin()

    def begin(self) -> None:
        self.put_back = PutBack(self.clone, self.scratch)
        self.trees = GitTrees(self.scratch)
        self.memory = SurveyMemory()

    @property
    def lacking(self) -> int:
        return self.lacked + self.trees.lacking

    def ask(self, before: str, after: str, documents: str) -> Answer:
        try:
            with within(MOST_SECONDS):
                judged = self.put_back.tree(after, documents)
                found = survey_revisions(self.trees, before, judged, memory=self.memory)
        except OutOfTime as problem:
            self.lacked = self.lacking
            self.begin()  # git may be in the middle of an answer
            return Answer((), f"left out, {problem}")
        except Exception as problem:  # one bad commit must not end the replay; the report counts it
            return Answer((), f"{type(problem).__name__}: {problem}")
        lines = {
            (one.document, one.line): Asserted(one.document, one.line, str(one.reason), one.written, one.message)
            for one in found.doubts
        }
        return Answer(tuple(lines.values()))


class Pages:
    """Reads documents at a commit through one `git cat-file` that stays open."""

    def __init__(self, clone: Path) -> None:
        self.process = subprocess.Popen(
            ["git", "-C", str(clone), "cat-file", "--batch"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment(),
        )
        self.kept: OrderedDict[tuple[str, str], list[str]] = OrderedDict()

    def lines(self, commit: str, path: str) -> list[str]:
        """The lines of the document; none where the clone or the commit lacks it."""
        key = (commit, path)
        if key not in self.kept:
            self.kept[key] = self.read(f"{commit}:{path}")
            if len(self.kept) > MOST_PAGES:
                self.kept.popitem(last=False)
        return self.kept[key]

    def read(self, name: str) -> list[str]:
        if "\n" in name:
            return []
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(name.encode("utf-8", "surrogateescape") + b"\n")
        self.process.stdin.flush()
        head = self.process.stdout.readline().split()
        if len(head) != 3:
            return []
        data = self.process.stdout.read(int(head[2]) + 1)[:-1]
        return [line.rstrip("\r") for line in data.decode("utf-8", "replace").split("\n")]

    def close(self) -> None:
        self.process.communicate()
