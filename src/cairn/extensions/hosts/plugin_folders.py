"""Finds the plugins of a repository: folders with a plugin manifest, and folders that a marketplace names."""

from collections.abc import Callable, Iterable, Iterator
from posixpath import join, normpath
from typing import Any, NamedTuple

Exists = Callable[[str], bool]
Read = Callable[[str], str]

KINDS = {"agents": "agent", "commands": "command", "skills": "skill"}
"""Folders of a plugin, and what is in them."""

_MARKETPLACES = (
    ".claude-plugin/marketplace.json",
    ".cursor-plugin/marketplace.json",
    ".agents/plugins/marketplace.json",
)
_MANIFESTS = (".claude-plugin/plugin.json", ".cursor-plugin/plugin.json", ".codex-plugin/plugin.json")
_PLUGINS = "plugins"
"""Each folder in a folder of this name is a plugin: a manifest is optional."""


class PluginFolder(NamedTuple):
    """`root` is empty for a repository that is one plugin. `named` are paths that its manifest lists, with kinds."""

    root: str
    name: str
    named: tuple[tuple[str, str], ...] = ()

    def inside(self, path: str) -> str | None:
        """The rest of a path below this folder."""
        if not self.root:
            return path
        return path[len(self.root) + 1 :] if path.startswith(f"{self.root}/") else None


class ListedPlugin(NamedTuple):
    """A plugin that a marketplace lists with a folder of this repository."""

    marketplace: str
    source: str
    """As written."""
    root: str
    entry: dict[str, Any]


def find_plugins(paths: Iterable[str], exists: Exists, read: Read) -> tuple[PluginFolder, ...]:
    """All plugins, the innermost first. `paths` are the files of the repository."""
    found = {at.root: _from_manifest(at.root, at.entry, None) for at in listed_plugins(exists, read)}
    for root in _candidates(paths):
        manifest = next((at for name in _MANIFESTS if exists(at := join(root, name))), None)
        if manifest is not None:
            found[root] = _from_manifest(root, _json(read(manifest)), found.get(root))
        elif root.rpartition("/")[0].rpartition("/")[2] == _PLUGINS:
            found.setdefault(root, PluginFolder(root, _last(root)))
    return tuple(sorted(found.values(), key=lambda plugin: (-len(plugin.root), plugin.root)))


def _candidates(paths: Iterable[str]) -> list[str]:
    """Folders that hold a folder of agents, commands or skills."""
    found = {""}
    for folder in {path.rpartition("/")[0] for path in paths}:
        parts = folder.split("/")
        found.update("/".join(parts[:index]) for index, part in enumerate(parts) if part in KINDS)
    return sorted(found)


def listed_plugins(exists: Exists, read: Read) -> Iterator[ListedPlugin]:
    for at in _MARKETPLACES:
        if not exists(at):
            continue
        listed = _json(read(at))
        base = _text(_mapping(listed.get("metadata")).get("pluginRoot"))
        for entry in map(_mapping, _list(listed.get("plugins"))):
            source = _written(entry.get("source"))
            root = _local(source, base)
            if root is not None:
                yield ListedPlugin(at, source, root, entry)


def _written(source: object) -> str:
    """The path that a source names; empty for one that is elsewhere."""
    inside = isinstance(source, dict) and source.get("source") in ("local", None)
    return _text(source.get("path")) if isinstance(source, dict) and inside else _text(source)


def _local(at: str, base: str) -> str | None:
    """A source inside of the repository as a clean path; None for one that is elsewhere."""
    if not at or ":" in at:
        return None
    path = normpath(at if at.startswith("./") or not base else join(base, at))
    if path.startswith(("../", "/")) or path == "..":
        return None
    return "" if path == "." else path


def _from_manifest(root: str, said: dict[str, Any], known: PluginFolder | None) -> PluginFolder:
    name = _text(said.get("name")) or (known.name if known else "") or _last(root)
    return PluginFolder(root, name, (*(known.named if known else ()), *_named(root, said)))


def _named(root: str, said: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for field, kind in KINDS.items():
        value = said.get(field)
        for at in [value] if isinstance(value, str) else _list(value):
            path = normpath(join(root, at)) if isinstance(at, str) else ""
            if path and not path.startswith(("..", "/")):
                yield path, kind


def _last(root: str) -> str:
    return root.rpartition("/")[2]


def _json(text: str) -> dict[str, Any]:
    import json  # few repositories have anything to read

    try:
        return _mapping(json.loads(text))
    except (ValueError, RecursionError):
        return {}


def _mapping(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
