"""Loads the settings of a workspace: defaults, committed file, local file, environment, flags."""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from cairn.config.files import read_text
from cairn.config.layer import Layer, LayerName, defaults, from_environment, from_file, from_flags
from cairn.config.settings import LayeredSettings, merge
from cairn.core.paths import (
    COMMITTED,
    FOLDER,
    KNOWLEDGE_BASE,
    LOCAL,
    OBSERVABILITY,
    REVIEWS,
    is_machine_file,
)
from cairn.errors import ConfigError, LocalFileTracked
from cairn.worktree import foreign_part

Tracked = Callable[[Sequence[str]], Sequence[str]]
"""Which of these paths, relative to the workspace, git tracks."""

_NAMED = 5


def load(root: Path, *, env: Mapping[str, str], flags: Mapping[str, object], tracked: Tracked) -> LayeredSettings:
    """The settings in force, or an error that names the file, the line and the key."""
    refuse_foreign(root)
    refuse_tracked(root, tracked)
    layers = [
        defaults(),
        *_old_layers(root),
        *_file_layer(root, "committed", COMMITTED),
        *_file_layer(root, "local", LOCAL),
        from_environment(env),
        from_flags(flags),
    ]
    return merge(layers)


def refuse_foreign(root: Path) -> None:
    """Git lists nothing below a link or a submodule, so asking it about local files would not help."""
    if found := foreign_part(os.fspath(root)):
        path, why = found
        raise ConfigError(why, file=path)


def refuse_tracked(root: Path, tracked: Tracked) -> None:
    """A local file that came with the repository is somebody else's word about this machine: not believed."""
    present = _local_files(root)
    found = sorted(tracked(present)) if present else []
    if found:
        names = ", ".join(found[:_NAMED]) + (f" and {len(found) - _NAMED} more" if len(found) > _NAMED else "")
        places = sorted({"/".join(file.split("/")[:2]) for file in found})
        raise LocalFileTracked(
            f"git tracks {names}, which must stay on this machine; look at it, then run "
            f"`git rm -r --cached -- {' '.join(places)}` and commit",
            files=found,
        )


def _local_files(root: Path) -> list[str]:
    """Machine files that are there, folders as a whole."""
    try:
        names = sorted(os.listdir(os.path.join(root, FOLDER)))
    except OSError:
        return []
    return [f"{FOLDER}/{name}" for name in names if is_machine_file(name)]


def _old_layers(root: Path) -> list[Layer]:
    """Nothing is imported for workspaces that never had such a file."""
    there = [file for file in (REVIEWS, KNOWLEDGE_BASE, OBSERVABILITY) if os.path.lexists(os.path.join(root, file))]
    if not there:
        return []
    from cairn.config.old import from_old_file

    texts = [(file, read_text(root, file)) for file in there]
    return [from_old_file(file, text) for file, text in texts if text is not None]


def _file_layer(root: Path, name: LayerName, file: str) -> list[Layer]:
    text = read_text(root, file)
    return [] if text is None else [from_file(name, file, text)]
