"""Tells whether anything changed that findings are computed from, without computing them."""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from cairn.adapters.vcs.program import QUIET, GitProgram

_SECONDS = 120.0
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
