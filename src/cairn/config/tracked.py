"""Asks git which local files it tracks, without starting git when the index can't hold any."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from cairn.core.paths import index_names


def by_git(root: Path) -> Callable[[Sequence[str]], tuple[str, ...]]:
    """The `tracked` that `load` wants."""
    return lambda paths: _tracked(root, paths)


def _tracked(root: Path, paths: Sequence[str]) -> tuple[str, ...]:
    if not paths or not may_be_tracked(root):
        return ()
    from cairn.adapters.vcs.git import Git

    return Git(root).tracked(paths)


def may_be_tracked(root: Path) -> bool:
    """False when the index surely names no local file, or when there is no index at all.

    Starting git costs more than everything else in loading settings, and in nearly every repository the answer can
    be had by one look at the index. It can't when names are shortened (version 4) or kept elsewhere (split, sparse).
    """
    index = _index_of(root)
    if index is None:
        return False
    try:
        with open(index, "rb") as stream:
            data = stream.read()
    except FileNotFoundError:
        return False
    except OSError:
        return True
    whole = data[4:8] in (b"\0\0\0\2", b"\0\0\0\3") and b"link" not in data and b"sdir" not in data
    return not whole or any(name in data.lower() for name in _LOCAL_NAMES)


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
