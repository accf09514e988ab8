"""Reads the history of a repository with one `git log --raw` and one `git cat-file --batch`."""

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from cairn.adapters.vcs.program import GitProgram
from cairn.errors import EnvironmentProblem
from cairn.kernel.ports.history import MOST_COMMITS, UNCOMMITTED, FileChange, History, NoHistory
from cairn.kernel.ports.vcs import Commit

if TYPE_CHECKING:
    import subprocess

_QUIET = (
    "-c",
    "protocol.allow=never",
    "-c",
    "log.showSignature=false",
    "-c",
    "diff.external=",
    "-c",
    "core.quotePath=false",
)
_RAW = ("--raw", "-z", "--no-abbrev", "--no-renames", "--no-textconv", "--no-ext-diff", "--relative")
_FORMAT = "--format=%x01%H%x00%ct%x00%s%x00"
_SECONDS = 120.0
"""Against a git that hangs; not a budget."""
_NOTHING = b"0" * 40
_LARGEST = 2_000_000
_AT_ONCE = 500


def read_history(root: Path, *, most: int = MOST_COMMITS, program: str = "git") -> History:
    """The history at `root`, or one without commits and the reason for that."""
    git = GitProgram(root, program=program)
    if not git.installed():
        return NoHistory("git is not installed")
    if git.attempt(*_QUIET, "rev-parse", "--verify", "--quiet", "HEAD", seconds=_SECONDS) is None:
        return NoHistory(_why_none(git))
    return GitHistory(git, most)


def work_tree_stamp(root: Path, *, program: str = "git") -> str | None:
    """Changes whenever a commit is added or a file differs; None where git can't tell. One process, because every scan
    asks this."""
    import hashlib

    status = GitProgram(root, program=program).attempt(*_QUIET, *_STATUS, seconds=_SECONDS)
    top = next((folder for folder in (root, *root.parents) if (folder / ".git").exists()), None)
    if status is None or top is None:
        return None
    facts = [_facts(os.path.join(os.fsencode(top), path)) for path in map(_status_path, status.split(b"\0")) if path]
    return hashlib.sha256(b"\0".join([status, *facts])).hexdigest()


_STATUS = ("status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all", "--", ".")
_FIELDS = {b"1": 8, b"2": 9, b"u": 10, b"?": 1}
"""How many fields stand before the path in each kind of record."""


def _status_path(record: bytes) -> bytes:
    fields = record.split(b" ", _FIELDS.get(record[:1], 0))
    return fields[-1] if len(fields) > 1 else b""


def _facts(path: bytes) -> bytes:
    try:
        found = os.lstat(path)
    except OSError:
        return b"-"
    return f"{found.st_size} {found.st_mtime_ns} {found.st_ino}".encode()


def _why_none(git: GitProgram) -> str:
    """Git refuses to read a repository of another user; that is not the same as having none."""
    try:
        inside = git.answer("rev-parse", "--git-dir")
    except EnvironmentProblem as error:
        return "git refuses to read it (safe.directory)" if "dubious ownership" in str(error) else "git cannot read it"
    return "this folder is not in a git repository" if inside is None else "there are no commits yet"


class GitHistory:
    def __init__(self, git: GitProgram, most: int) -> None:
        self._git = git
        self._most = most

    @property
    def commits(self) -> Sequence[Commit]:
        return self._read[0]

    @property
    def changes(self) -> Sequence[FileChange]:
        return self._read[1]

    @cached_property
    def missing(self) -> str:
        if (self._ask("rev-parse", "--is-shallow-repository") or b"").strip() == b"true":
            return f"this is a shallow clone of {_number(self._committed, 'commit')}"
        if self._committed >= self._most and self._count() > self._most:
            return f"only the latest {self._most:,} commits were read"
        return ""

    def blobs(self, ids: Iterable[str]) -> Iterator[tuple[str, bytes | None]]:
        """In batches: a pipe that is filled while nobody reads from it would block."""
        with _Batch(self._git) as batch:
            waiting: list[str] = []
            for id in ids:
                waiting.append(id)
                if len(waiting) == _AT_ONCE:
                    yield from batch.read(waiting)
                    waiting = []
            yield from batch.read(waiting)

    def moved(self, commit: Commit, path: str) -> str | None:
        span = [commit.id] if commit.id else []
        show = ("show", "--format=", "-m", "--first-parent") if commit.id else ("diff", "HEAD")
        out = self._ask(*show, "--name-status", "-z", "-M80%", "--relative", *_RAW[4:6], *span)
        fields = [os.fsdecode(field) for field in (out or b"").split(b"\0")]
        pairs = zip(fields, fields[1:], fields[2:], strict=False)
        return next((new for status, old, new in pairs if status[:1] == "R" and old == path), None)

    def ignored(self, paths: Sequence[str]) -> frozenset[str]:
        """A path below a file or a submodule is no question for git, and ends the whole answer: ask one by one then."""
        out = self._check_ignore(paths)
        if out is None and len(paths) > 1:
            half = len(paths) // 2
            return self.ignored(paths[:half]) | self.ignored(paths[half:])
        return frozenset(out or ())

    def _check_ignore(self, paths: Sequence[str]) -> list[str] | None:
        if not paths:
            return []
        process = self._git.start(*_QUIET, "check-ignore", "--stdin", "-z", "--no-index", piped=True, literal=False)
        if process is None:
            return []
        out, _ = process.communicate(b"\0".join(map(os.fsencode, paths)) + b"\0", timeout=_SECONDS)
        return [os.fsdecode(path) for path in out.split(b"\0") if path] if process.returncode in (0, 1) else None

    @cached_property
    def remote(self) -> str:
        return self._line("config", "--get", "remote.origin.url")

    @cached_property
    def prefix(self) -> str:
        return self._line("rev-parse", "--show-prefix")

    @cached_property
    def branch(self) -> str:
        return self._line("symbolic-ref", "--quiet", "--short", "HEAD")

    def has_on(self, branch: str, path: str) -> bool | None:
        if branch == self.branch:
            branches = [f"refs/heads/{branch}"]
        else:
            known = (f"refs/remotes/origin/{branch}", f"refs/heads/{branch}")
            branches = [ref for ref in known if self._line("rev-parse", "--verify", "--quiet", ref)]
        if not branches:
            return None
        return bool(self._line("ls-tree", "-z", "--full-tree", "--name-only", branches[0], "--", self.prefix + path))

    def _line(self, *arguments: str) -> str:
        return os.fsdecode(self._ask(*arguments) or b"").strip("\0\n ")

    # --- reading ----------------------------------------------------------------------------------------------------

    @cached_property
    def _read(self) -> tuple[list[Commit], list[FileChange]]:
        commits: list[Commit] = []
        changes: list[FileChange] = []
        pending = _changes(self._ask("diff", *_RAW, "HEAD") or b"", 0)
        if pending:
            commits.append(UNCOMMITTED)
            changes += pending
        line = ("log", "-m", "--first-parent", _FORMAT, f"--max-count={self._most}", *_RAW, "HEAD")
        for record in (self._ask(*line) or b"").split(b"\x01")[1:]:
            id, at, subject, rest = record.split(b"\0", 3)
            changes += _changes(rest.lstrip(b"\n\0"), len(commits))
            commits.append(Commit(id.decode(), int(at) * 1000, subject.decode("utf-8", "replace")))
        return commits, changes

    @property
    def _committed(self) -> int:
        return sum(1 for commit in self.commits if commit.id)

    def _count(self) -> int:
        out = self._ask("rev-list", "--count", "--first-parent", f"--max-count={self._most + 1}", "HEAD")
        return int(out) if out and out.strip().isdigit() else 0

    def _ask(self, *arguments: str) -> bytes | None:
        return self._git.attempt(*_QUIET, *arguments, seconds=_SECONDS)


def _changes(out: bytes, at: int) -> list[FileChange]:
    """`:100644 100644 <old> <new> M\\0path\\0` for each file; submodules and symlinks are not files."""
    fields = out.split(b"\0")
    return [
        FileChange(at, os.fsdecode(path), _blob(facts[2]), _blob(facts[3]), deleted=facts[4][:1] == b"D")
        for head, path in zip(fields[::2], fields[1::2], strict=False)
        if (facts := head.lstrip(b":\n").split(b" ")) and len(facts) == 5 and b"160000" not in facts[:2]
    ]


def _blob(id: bytes) -> str:
    return "" if id.startswith(_NOTHING) else id.decode()


def _number(count: int, thing: str) -> str:
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


class _Batch:
    """One `git cat-file --batch`, given a few hundred ids at a time."""

    def __init__(self, git: GitProgram) -> None:
        self._git = git
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> "_Batch":
        self._process = self._git.start(*_QUIET, "cat-file", "--batch", piped=True)
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()

    def read(self, ids: Sequence[str]) -> Iterator[tuple[str, bytes | None]]:
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            yield from ((id, None) for id in ids)
            return
        for id in ids:
            process.stdin.write(f"{id}\n".encode())
        process.stdin.flush()
        for id in ids:
            yield id, self._one(process)

    def _one(self, process: "subprocess.Popen[bytes]") -> bytes | None:
        assert process.stdout is not None
        head = process.stdout.readline().split()
        if len(head) != 3 or not head[2].isdigit():
            return None
        data = process.stdout.read(int(head[2]) + 1)[:-1]
        return data if len(data) <= _LARGEST else None
