"""What git remembers about a line, a word or a file. Each question has a time limit and may go unanswered."""

import os
import re
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from cairn.adapters.vcs.program import GitProgram
from cairn.kernel.ports.vcs import Commit

_QUIET = ("-c", "protocol.allow=never", "-c", "log.showSignature=false", "-c", "diff.external=")
_RAW = ("--no-textconv", "--no-ext-diff")
"""Programs that a repository's configuration names are not run."""
_FORMAT = "--format=%H%x00%ct%x00%s"
_BLAMED = re.compile(rb"([0-9a-f]{40,64}) \d+ (\d+)")


class Seen(NamedTuple):
    """A line of a file at some revision."""

    path: str
    line: int
    text: str


class Past:
    def __init__(self, root: Path, *, seconds: float = 8.0, program: str = "git") -> None:
        self._git = GitProgram(root, program=program)
        self._seconds = seconds

    def commits(self, most: int = 1_000_000) -> int:
        """How many lead to where we are, counted up to `most`; 0 without a repository."""
        out = self._ask("rev-list", "--count", f"--max-count={most}", "HEAD")
        return int(out) if out and out.strip().isdigit() else 0

    def text(self, revision: str, path: str) -> bytes | None:
        return self._ask("cat-file", "blob", f"{revision}:./{path}")

    def written(self, path: str, lines: Collection[int]) -> dict[int, Commit]:
        """For lines of the file as it was last committed: the commit that wrote each."""
        spans = [f"-L{line},{line}" for line in sorted(lines)]
        out = self._ask("blame", "--no-textconv", "--line-porcelain", *spans, "HEAD", "--", path)
        return dict(_blamed(out or b""))

    def words(self, revision: str, words: Sequence[str]) -> list[Seen]:
        """Lines of that revision in which any of these stands as a word of its own."""
        wanted = [part for word in words for part in ("-e", word)]
        out = self._ask("grep", "-I", "-n", "-z", "-w", "-F", "--no-color", *wanted, revision, "--", ".")
        return [seen for line in (out or b"").split(b"\n") if (seen := _seen(line, revision))]

    def last_touch(self, word: str, since: str, path: str) -> Commit | None:
        """The last commit after `since` that made this word more or less frequent in a file."""
        return self._commit("log", "-1", _FORMAT, *_RAW, f"-S{word}", f"{since}..HEAD", "--", path)

    def removal(self, path: str) -> Commit | None:
        """The commit that took a file away."""
        return self._commit("log", "-1", _FORMAT, "--no-renames", "--diff-filter=D", *_RAW, "HEAD", "--", path)

    def moved(self, commit: str, path: str) -> str | None:
        """Where a commit moved a file to."""
        out = self._ask("show", "--format=", "--name-status", "-z", "-M", "--relative", *_RAW, commit)
        fields = [_name(field) for field in (out or b"").split(b"\0")]
        for at, field in enumerate(fields[:-2]):
            if field[:1] == "R" and fields[at + 1] == path:
                return fields[at + 2]
        return None

    def change(self, commit: str, path: str) -> str:
        """What a commit did to a file, as lines of a diff without context."""
        out = self._ask("show", "--format=", "-U0", "-M", "--no-color", *_RAW, commit, "--", path)
        return _text(out)

    def _commit(self, *arguments: str) -> Commit | None:
        parts = _text(self._ask(*arguments)).strip("\n").split("\0")
        return Commit(parts[0], int(parts[1]) * 1000, parts[2]) if len(parts) == 3 else None

    def _ask(self, *arguments: str) -> bytes | None:
        return self._git.attempt(*_QUIET, *arguments, seconds=self._seconds)


def _text(out: bytes | None) -> str:
    return (out or b"").decode("utf-8", "replace")


def _name(field: bytes) -> str:
    return os.fsdecode(field)


def _blamed(out: bytes) -> Iterable[tuple[int, Commit]]:
    id, line, at, summary = "", 0, 0, ""
    for row in out.split(b"\n"):
        if row.startswith(b"\t"):
            yield line, Commit(id, at, summary)
        elif found := _BLAMED.match(row):
            id, line = found[1].decode(), int(found[2])
        elif row.startswith(b"committer-time "):
            at = int(row[15:]) * 1000
        elif row.startswith(b"summary "):
            summary = _text(row[8:])


def _seen(line: bytes, revision: str) -> Seen | None:
    parts = line.split(b"\0", 2)
    if len(parts) != 3 or not parts[1].isdigit():
        return None
    path = _name(parts[0]).removeprefix(f"{revision}:")
    return Seen(path, int(parts[1]), _text(parts[2]))
