"""The branch and the remote of a work tree, without starting git: both stand in small files."""

import os
import re

_ORIGIN = re.compile(r'^\s*\[\s*remote\s+"origin"\s*\]\s*(?:[#;].*)?$', re.IGNORECASE)
_URL = re.compile(r"^\s*url\s*=\s*((?:.*\S)?)\s*$", re.IGNORECASE)
_LARGEST = 1024 * 1024


def branch(root: str) -> str | None:
    """None outside of a repository, and where no branch is checked out."""
    folder = _git_folder(root)
    head = _text(os.path.join(folder, "HEAD")) if folder else ""
    name = head.strip().removeprefix("ref: refs/heads/")
    return name if name and name != head.strip() else None


def remote(root: str) -> str | None:
    """The address of `origin`, as the repository's own configuration has it."""
    folder = _git_folder(root)
    found, inside = None, False
    for line in _text(os.path.join(_common(folder), "config")).splitlines() if folder else ():
        if line.lstrip().startswith("["):
            inside = _ORIGIN.match(line) is not None
        elif inside and found is None and (match := _URL.match(line)):
            found = match[1].strip('"') or None
    return found


def _git_folder(root: str) -> str | None:
    """Of the repository that holds this folder; a linked work tree's `.git` is a file that says where."""
    folder = os.path.realpath(root)
    while True:
        git = os.path.join(folder, ".git")
        if os.path.isdir(git):
            return git
        if os.path.isfile(git):
            said = _text(git).strip()
            return os.path.join(folder, said.removeprefix("gitdir:").strip()) if said.startswith("gitdir:") else None
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def _common(folder: str) -> str:
    said = _text(os.path.join(folder, "commondir")).strip()
    return os.path.join(folder, said) if said else folder


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:
            return stream.read(_LARGEST)
    except OSError:
        return ""
