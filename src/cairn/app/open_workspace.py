"""Opens the application: for a workspace, for a folder without one, in memory, or with default settings."""

from collections.abc import Mapping
from pathlib import Path

from cairn.app.build import App, build_app
from cairn.config.load import by_git, find_root, load, refuse_foreign
from cairn.config.settings import LayeredSettings, defaults, merge
from cairn.core.paths import COMMITTED, FOLDER
from cairn.errors import NotInitialised


def open_workspace(start: Path, *, env: Mapping[str, str]) -> App:
    """The workspace that a folder belongs to. Raises `NotInitialised` where there is none."""
    return build_app(find_root(start), env=env)


def open_internally(root: Path, *, env: Mapping[str, str]) -> App:
    """For Cairn's own work: models and git that it calls are no turns of an agent."""
    return build_app(root, env={**env, "CAIRN_INTERNAL": "1"})


def open_with_defaults(root: Path, *, env: Mapping[str, str]) -> App:
    """For a folder whose settings can't be read, or that has none."""
    return App(root, _default_settings(), env=env)


def open_before_init(root: Path, *, env: Mapping[str, str]) -> App:
    """For a folder that becomes a workspace; where it is one already, its settings are in force."""
    refuse_foreign(root)
    return App(root, _settings_if((root / COMMITTED).exists(), root, env), env=env)


def outer_workspace(root: Path) -> Path | None:
    """The workspace above a folder."""
    try:
        return find_root(root.parent)
    except NotInitialised:
        return None


def open_around(directory: Path, *, env: Mapping[str, str]) -> App:
    """The workspace that a folder is in; else its repository, or the folder, as if nothing was ever set."""
    try:
        root = find_root(directory)
    except NotInitialised:
        folder = directory.resolve()
        top = next((above for above in (folder, *folder.parents) if (above / ".git").exists()), folder)
        return open_with_defaults(top, env=env)
    return App(root, load(root, env=env, flags={}, tracked=by_git(root)), env=env)


def open_without_workspace(directory: Path, env: Mapping[str, str]) -> App:
    """The repository that a folder is in, with default settings and a store in memory."""
    here = open_with_defaults(directory, env=env)
    return _in_memory(Path(here.vcs.root() or directory), here.settings, env)


def open_in_memory(root: Path, *, env: Mapping[str, str]) -> App:
    """A folder that is never written to: the store is in memory. Settings are those of the workspace, if it is one."""
    return _in_memory(root, _settings_if((root / FOLDER).is_dir(), root, env), env)


def _in_memory(root: Path, settings: LayeredSettings, env: Mapping[str, str]) -> App:
    from cairn.adapters.clock.system import SystemClock
    from cairn.adapters.storage.sqlite.store import open_memory

    clock = SystemClock()
    return App(root, settings, env=env, clock=clock, store=open_memory(now_ms=clock.now_ms()))


def _default_settings() -> LayeredSettings:
    return merge([defaults()])


def _settings_if(is_workspace: bool, root: Path, env: Mapping[str, str]) -> LayeredSettings:
    return load(root, env=env, flags={}, tracked=by_git(root)) if is_workspace else _default_settings()
