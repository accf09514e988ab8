"""Making a workspace in a repository, and taking it away again without a trace."""

import json
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from cairn.changes.write import remove_file, remove_folder, write_file
from cairn.core.machine_files import MACHINE_FILES
from cairn.errors import CannotWrite

FOLDER = ".cairn"
SETTINGS = f"{FOLDER}/settings.json"
IGNORE = f"{FOLDER}/.gitignore"

COMMITTED = {
    SETTINGS: "shared settings",
    IGNORE: "keeps local files out of git",
    f"{FOLDER}/plugins/": "plugins of this project, if any",
    f"{FOLDER}/conflicts/": "contradictions that wait for a person, and how they were settled",
}

_IGNORE_TEXT = "# Belongs to this machine; Cairn refuses to read it from a commit.\n" + "".join(
    f"/{n}\n" for n in MACHINE_FILES
)


@dataclass(frozen=True, slots=True)
class Step:
    """One file that making the workspace is about."""

    path: str
    action: str
    """`create`, `update` or `keep`."""
    what: str


def plan(root: Path, settings: dict[str, object]) -> list[tuple[Step, str]]:
    """What would be written, with the content. What is there already is kept, unless it is ours and outdated."""
    wanted = [(SETTINGS, json.dumps(settings, indent=2) + "\n", False), (IGNORE, _IGNORE_TEXT, True)]
    steps = []
    for path, content, ours in wanted:
        target = root / path
        there = target.exists()
        current = target.read_text("utf-8", "replace") if there and ours else None
        action = "create" if not there else "update" if ours and current != content else "keep"
        steps.append((Step(path, action, COMMITTED[path]), content))
    return steps


def carry_out(root: Path, steps: Iterable[tuple[Step, str]]) -> None:
    for step, content in steps:
        if step.action != "keep":
            write_file(root, step.path, content)


def belongings(root: Path) -> list[str]:
    """Every file and folder below `.cairn`, deepest first; folders end with a slash."""
    base = root / FOLDER
    if base.is_symlink() or not base.is_dir():
        return []
    found = [path for path in base.rglob("*") if not _below_symlink(path, base)]
    names = [f"{p.relative_to(root).as_posix()}{'/' if p.is_dir() and not p.is_symlink() else ''}" for p in found]
    return [*sorted(names, key=lambda name: (-name.rstrip("/").count("/"), name)), f"{FOLDER}/"]


def _below_symlink(path: Path, base: Path) -> bool:
    return any(parent.is_symlink() for parent in path.parents if parent != base and base in parent.parents)


def _is_plain(path: Path) -> bool:
    return not path.is_symlink() and (path.is_file() or path.is_dir())


def remove(root: Path, names: Sequence[str], *, tell: Callable[[str], None]) -> None:
    """Take these away, in order. What Cairn did not make is not taken away, and then nothing is. What is gone
    meanwhile, such as a backup of settings that were just restored, is left out."""
    names = [name for name in names if os.path.lexists(root / name)]
    odd = next((name for name in names if not _is_plain(root / name)), None)
    if odd is not None:
        raise CannotWrite(f"`{odd}` is not a regular file; remove it yourself, then run the command again.")
    for name in names:
        if name.endswith("/"):
            remove_folder(root, name.rstrip("/"))
        else:
            remove_file(root, name)
        tell(name)
