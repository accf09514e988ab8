"""Loads the settings of a workspace: finds it, reads its files without trusting them, and merges all layers."""

import os
import stat
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from cairn.config.old import from_old_file
from cairn.config.settings import (
    Layer,
    LayeredSettings,
    LayerName,
    defaults,
    from_environment,
    from_file,
    from_flags,
    merge,
)
from cairn.core.paths import (
    COMMITTED,
    FOLDER,
    KNOWLEDGE_BASE,
    LOCAL,
    OBSERVABILITY,
    REVIEWS,
    index_names,
    is_machine_file,
)
from cairn.errors import ConfigError, LocalFileTracked, NotInitialised
from cairn.worktree import foreign_part

LARGEST = 1_048_576


def read_text(root: Path, file: str) -> str | None:
    """The text of a settings file, None when there is none; anything but a small, regular UTF-8 file is refused."""
    path = os.path.join(root, file)
    try:
        # Without O_NONBLOCK a FIFO in its place would make us wait for ever.
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        if os.path.islink(path):
            raise ConfigError(f"{file} is a link to nowhere; remove it or make it a file", file=file) from None
        return None
    except OSError as problem:
        raise ConfigError(f"{file} cannot be read ({problem.strerror}); check its permissions", file=file) from None
    try:
        _refuse_odd(os.fstat(handle), root, file)
        with open(handle, "rb", closefd=False) as stream:
            return _decoded(stream.read(LARGEST + 1), file)
    finally:
        os.close(handle)


def _refuse_odd(facts: os.stat_result, root: Path, file: str) -> None:
    if not stat.S_ISREG(facts.st_mode):
        raise ConfigError(f"{file} is not a regular file; replace it by one", file=file)
    if facts.st_size > LARGEST:
        raise ConfigError(f"{file} is larger than 1 MB, which no settings are; make it smaller", file=file)
    base = os.path.realpath(root)
    if not os.path.realpath(os.path.join(base, file)).startswith(base.rstrip("/") + "/"):
        raise ConfigError(f"{file} is a link to a place outside the repository; make it a file", file=file)


def _decoded(data: bytes, file: str) -> str:
    if len(data) > LARGEST:
        raise ConfigError(f"{file} is larger than 1 MB, which no settings are; make it smaller", file=file)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        raise ConfigError(f"{file}:{line}: this is not UTF-8; save the file as UTF-8", file=file, line=line) from None


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


def find_root(start: Path) -> Path:
    """The nearest folder, from here upwards, that has a workspace; the deepest one wins."""
    folder = os.path.abspath(start)
    while not os.path.lexists(os.path.join(folder, COMMITTED)):
        parent = os.path.dirname(folder)
        if parent == folder:
            raise NotInitialised(
                f"there is no Cairn workspace in {os.path.abspath(start)} or above it; "
                "run `cairn init` in the root of your repository",
                directory=os.path.abspath(start),
            )
        folder = parent
    return Path(folder)


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


_ORDER = ("default", "old", "committed", "local", "environment", "flag")


def settings_at(settings: LayeredSettings, read: Callable[[str], bytes | None]) -> LayeredSettings:
    """What the operator says on this machine stays."""
    said = []
    if (text := read(OBSERVABILITY)) is not None:
        said.append(from_old_file(OBSERVABILITY, text.decode("utf-8", "replace")))
    if (text := read(COMMITTED)) is not None:
        said.append(from_file("committed", COMMITTED, text.decode("utf-8", "replace")))
    layers = {id(layer): layer for layer in settings.origins.values()}.values()
    kept = [layer for layer in layers if layer.name not in ("old", "committed")]
    return merge(sorted([*kept, *said], key=lambda layer: _ORDER.index(layer.name)))
