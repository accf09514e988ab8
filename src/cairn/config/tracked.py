"""Asks git which local files it tracks, without starting git when the index can't hold any."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from cairn.core.paths import index_names


def by_git(root: Path) -> Callable[[Sequence[str]], tuple[str, ...]]:
    """The `tracked` that `load` wants."""
    return lambda paths: _tracked(root, paths)


def _tracked(root: Path, paths: Sequence[str]) -> tuple[str, ...]:
    if not paths:
        return ()
    found = _by_index(_elsewhere(root), paths)
    if found or not may_be_tracked(root):
        return found
    from cairn.adapters.vcs.git import Git

    git = Git(root)
    found = git.tracked(paths)
    # Without git, in a repository that calls itself bare, or with another work tree: then its index is all there is.
    return found or (() if git.root() is not None else _by_index(_index_of(root), paths))


def _by_index(index: str | None, paths: Sequence[str]) -> tuple[str, ...]:
    """Those whose names stand in this index, wherever in the tree; all of them where names are shortened."""
    data = _read(index) if index else b""
    shortened = data[4:8] == b"\0\0\0\4"
    return tuple(path for path in paths if data and (shortened or os.fsencode(path).lower() in data.lower()))


def _elsewhere(root: Path) -> str | None:
    """The index of the repository that the environment names, when it is not the one that holds this folder."""
    folder = os.environ.get("GIT_DIR")
    index = os.path.join(root, folder, "index") if folder else ""
    own = _index_of(root)
    if not index or not os.path.isfile(index) or (own and os.path.realpath(own) == os.path.realpath(index)):
        return None
    return index


def may_be_tracked(root: Path) -> bool:
    """False when the index surely names no local file, or when there is no index at all.

    Starting git costs more than everything else in loading settings, and in nearly every repository the answer can
    be had by one look at the index. It can't when names are shortened (version 4) or kept elsewhere (split, sparse).
    """
    index = _index_of(root)
    if index is None:
        return False
    try:
        data = _read(index)
    except OSError:
        return True
    whole = data[4:8] in (b"\0\0\0\2", b"\0\0\0\3") and b"link" not in data and b"sdir" not in data
    return bool(data) and (not whole or any(name in data.lower() for name in _LOCAL_NAMES))


def _read(index: str) -> bytes:
    """Empty when there is none."""
    try:
        with open(index, "rb") as stream:
            return stream.read()
    except FileNotFoundError:
        return b""


_LOCAL_NAMES = (*index_names(), b"/_sessions/", b"knowledge-base/_logs/")


def _index_of(root: Path) -> str | None:
    """The index of the repository that holds this folder; a work tree's `.git` is a file that says where."""
    folder = os.path.realpath(root)
    while True:
        git = os.path.join(folder, ".git")
        if os.path.isdir(git):
            return os.path.join(git, "index")
        if os.path.isfile(git):
            return _linked_index(folder, git)
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def _linked_index(folder: str, git: str) -> str | None:
    with open(git, encoding="utf-8", errors="replace") as stream:
        line = stream.readline()
    if not line.startswith("gitdir:"):
        return None
    return os.path.join(folder, line.removeprefix("gitdir:").strip(), "index")
