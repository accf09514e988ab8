"""The history that checks read, and a stamp that tells whether it or the work tree changed."""

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path

from cairn.adapters.vcs.program import QUIET, GitProgram, Objects
from cairn.core.ports.vcs import MOST_COMMITS, UNCOMMITTED, Commit, CommittedChange, History, NoHistory
from cairn.errors import EnvironmentProblem

_RAW = ("--raw", "-z", "--no-abbrev", "--no-renames", "--no-textconv", "--no-ext-diff", "--relative")
_FORMAT = "--format=%H%x00%ct%x00%s"
_SECONDS = 120.0
"""Against a git that hangs; not a budget."""
_NOTHING = b"0" * 40


def read_history(root: Path, *, most: int = MOST_COMMITS, program: str = "git") -> History:
    """The history at `root`, or one without commits and the reason for that."""
    git = GitProgram(root, program=program)
    if not git.installed():
        return NoHistory("git is not installed")
    if git.attempt(*QUIET, "rev-parse", "--verify", "--quiet", "HEAD", seconds=_SECONDS) is None:
        return NoHistory(_why_none(git))
    return GitHistory(git, most)


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
        self._objects = Objects(git)
        self._renames: dict[str, dict[str, str]] = {}
        """New names by old ones, of the commits that somebody asked about."""

    @property
    def commits(self) -> Sequence[Commit]:
        return self._read[0]

    @cached_property
    def number(self) -> int:
        all = self._ask("rev-list", "--count", "HEAD") if self._committed < self._most else None
        return max(self._committed, int(all)) if all and all.strip().isdigit() else self._committed

    @property
    def changes(self) -> Sequence[CommittedChange]:
        return self._read[1]

    @cached_property
    def missing(self) -> str:
        if None in self._printed:
            return self._why_unread()
        if (self._ask("rev-parse", "--is-shallow-repository") or b"").strip() == b"true":
            return f"this is a shallow clone of {_number(self._committed, 'commit')}"
        if self._committed >= self._most and self._count() > self._most:
            return f"only the latest {self._most:,} commits were read"
        return ""

    def _why_unread(self) -> str:
        partial = self._ask("config", "--get-regexp", r"^remote\..*\.promisor$")
        return "this is a partial clone that lacks old folders" if partial else "git could not read the history"

    @property
    def lacking(self) -> int:
        return len(self._objects.lacking)

    def blobs(self, ids: Iterable[str]) -> Iterator[tuple[str, bytes | None]]:
        return self._objects.read(ids)

    def moved(self, commit: Commit, path: str) -> str | None:
        if commit.id not in self._renames:  # one commit moves many files, and git needs long to compare them
            self._renames[commit.id] = self._renamed_in(commit)
        return self._renames[commit.id].get(path)

    def _renamed_in(self, commit: Commit) -> dict[str, str]:
        span = [commit.id] if commit.id else []
        show = ("show", "--format=", "-m", "--first-parent") if commit.id else ("diff", "HEAD")
        out = self._ask(*show, "--name-status", "-z", "-M80%", "--relative", *_RAW[4:6], *span)
        fields = [os.fsdecode(field) for field in (out or b"").split(b"\0")]
        pairs = zip(fields, fields[1:], fields[2:], strict=False)
        return {old: new for status, old, new in pairs if status[:1] == "R" and status[1:].isdigit()}

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
        process = self._git.start(*QUIET, "check-ignore", "--stdin", "-z", "--no-index", piped=True, literal=False)
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
    def _printed(self) -> tuple[bytes | None, bytes | None]:
        """What git says about the work tree and about its commits; None where it failed."""
        log = ("log", "-z", "-m", "--first-parent", _FORMAT, f"--max-count={self._most}", *_RAW, "HEAD")
        return self._pending(), self._ask(*log)

    def _pending(self) -> bytes | None:
        """Git ends a comparison by writing its index anew where the times of files changed, and fails on a full disk.
        Without that step, files that only have another time are listed too."""
        diff = ("diff", *_RAW, "HEAD")
        found = self._ask(*diff)
        return self._ask("-c", "diff.autoRefreshIndex=false", *diff) if found is None else found

    @cached_property
    def _read(self) -> tuple[list[Commit], list[CommittedChange]]:
        pending, log = self._printed
        commits: list[Commit] = [UNCOMMITTED] if pending else []
        changes: list[CommittedChange] = []
        _parse(pending or b"", commits, changes)
        _parse(log or b"", commits, changes)
        return commits, changes

    @property
    def _committed(self) -> int:
        return sum(1 for commit in self.commits if commit.id)

    def _count(self) -> int:
        out = self._ask("rev-list", "--count", "--first-parent", f"--max-count={self._most + 1}", "HEAD")
        return int(out) if out and out.strip().isdigit() else 0

    def _ask(self, *arguments: str) -> bytes | None:
        return self._git.attempt(*QUIET, *arguments, seconds=_SECONDS)


def _parse(out: bytes, commits: list[Commit], changes: list[CommittedChange]) -> None:
    """Every field ends with NUL: id, date and subject of a commit, then `:100644 100644 <old> <new> M` and a path for
    each file. A subject or a path may hold any other byte, so fields are told apart by their order."""
    fields = iter(out.split(b"\0"))
    for field in fields:
        head = field.lstrip(b"\n")
        if head.startswith(b":"):
            changes.extend(_changes(head, next(fields), len(commits) - 1))
        elif head:
            at, subject = next(fields), next(fields)
            commits.append(Commit(head.decode(), int(at or 0) * 1000, subject.decode("utf-8", "replace")))


def _changes(head: bytes, path: bytes, at: int) -> Iterator[CommittedChange]:
    """Nothing for a submodule, which is not a file."""
    *modes, old, new, status = head[1:].split(b" ")
    if b"160000" not in modes:
        yield CommittedChange(at, os.fsdecode(path), _blob(old), _blob(new), deleted=status[:1] == b"D")


def _blob(id: bytes) -> str:
    return "" if id.startswith(_NOTHING) else id.decode()


def _number(count: int, thing: str) -> str:
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


_STATUS = ("status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all", "--", ".")
_FIELDS = {b"1": 8, b"2": 9, b"u": 10, b"?": 1}
"""How many fields stand before the path in each kind of record."""
_OWN = b".cairn"


def work_tree_stamp(root: Path, *, program: str = "git") -> str | None:
    """Changes whenever a commit is added, a file differs, or git knows more or other history; None where git can't
    tell. One process, because every scan asks this."""
    status = GitProgram(root, program=program).attempt(*QUIET, *_STATUS, seconds=_SECONDS)
    top = next((folder for folder in (root, *root.parents) if (folder / ".git").exists()), None)
    if status is None or top is None:
        return None
    facts = [*_work_tree(status, os.fsencode(top), os.fsencode(root)), *_repository(_common_folder(top / ".git"))]
    return hashlib.sha256(b"\0".join(facts)).hexdigest()


def _work_tree(status: bytes, top: bytes, root: bytes) -> Iterator[bytes]:
    """Every record of git's, with the state of its file. Without the workspace's own files: Cairn writes them itself,
    and no document is among them."""
    own = os.path.join(root, _OWN, b"")
    for record in status.split(b"\0"):
        path = _status_path(record)
        file = os.path.join(top, path) if path else b""
        if not file.startswith(own):
            yield record
            yield _facts(file) if file else b""


def _status_path(record: bytes) -> bytes:
    fields = record.split(b" ", _FIELDS.get(record[:1], 0))
    return fields[-1] if len(fields) > 1 else b""


def _repository(folder: Path) -> Iterator[bytes]:
    """What git status does not show: where a shallow clone ends, paths that are ignored on this machine, the address of
    the remote, branches, and what a partial clone fetched later."""
    for name in ("shallow", "info/exclude", "config", "packed-refs"):
        yield _facts(os.fsencode(folder / name))
    for kind in ("heads", "remotes"):
        for path, folders, files in os.walk(os.fsencode(folder / "refs" / kind)):
            folders.sort()
            yield from (b"%b %b" % (name, _facts(os.path.join(path, name))) for name in sorted(files))
    yield from sorted(os.fsencode(pack.name) for pack in (folder / "objects" / "pack").glob("*.promisor"))


def _common_folder(git: Path) -> Path:
    """The folder of the repository; a linked work tree has a file that leads there."""
    try:
        own = git if git.is_dir() else git.parent / git.read_text("utf-8").removeprefix("gitdir:").strip()
        shared = own / "commondir"
        return own / shared.read_text("utf-8").strip() if shared.exists() else own
    except (OSError, ValueError):
        return git


def _facts(path: bytes) -> bytes:
    try:
        found = os.lstat(path)
    except OSError:
        return b"-"
    return f"{found.st_size} {found.st_mtime_ns} {found.st_ino}".encode()
