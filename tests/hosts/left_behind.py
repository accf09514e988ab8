"""Compares every byte of a project and a home folder before an installation, after it, and after its removal."""

import hashlib
from collections.abc import Mapping
from pathlib import Path

Contents = Mapping[str, str]
"""The hash of each file, or the target of each link, by its path."""
_OF_OTHERS = (".git", ".cairn")
"""Git's own files, and the workspace: an agent's host may go, and what was noted stays."""


def contents(*folders: Path) -> Contents:
    found: dict[str, str] = {}
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_symlink():
                found[str(path)] = f"link to {path.readlink()}"
            elif path.is_file() and not set(path.relative_to(folder).parts) & set(_OF_OTHERS):
                found[str(path)] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def left_behind(before: Contents, installed: Contents, used: Contents, after: Contents) -> list[str]:
    """Files that are not as they were, and files that were not ours and were changed. What the host itself wrote
    into a file of ours meanwhile stays; then nothing of ours may be left in it."""
    ours = {path for path in {*before, *installed} if before.get(path) != installed.get(path)}
    wrong = []
    for path in sorted({*before, *installed, *used, *after}):
        if path not in ours and used.get(path) != after.get(path):
            wrong.append(f"{path} is not ours, and uninstall changed it")
        elif path in ours and after.get(path) != before.get(path) and not _by_the_host(path, installed, used):
            wrong.append(f"{path} is not as it was before install")
    return wrong


def _by_the_host(path: str, installed: Contents, used: Contents) -> bool:
    """Whether somebody else wrote to the file after us, and it holds nothing of ours now."""
    file = Path(path)
    changed = used.get(path) != installed.get(path)
    return changed and file.is_file() and b"cairn" not in file.read_bytes()
