"""Every plugin that is known, with what became of each extension."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cairn.core.extension_points import ExtensionRef, Plugin
from cairn.core.registry import PluginProblem, Registry
from cairn.errors import NotFound, Refused, UsageError
from cairn.lib.text.names import hint

BUILT_IN, INSTALLED, PROJECT = "built-in", "installed", "project"
IDLE = "idle"
_OURS = "cairn.extensions."


@dataclass(frozen=True, slots=True)
class ExtensionEntry:
    plugin: str
    id: str
    kind: str
    version: str
    description: str
    stability: str
    enabled: bool
    status: str
    """`enabled`, `disabled`, `idle` where no corpus is there that it is about, or why it does not take part."""
    message: str = ""

    @property
    def qualified(self) -> str:
        return f"{self.plugin}/{self.id}"

    def json(self) -> dict[str, Any]:
        return {
            "id": self.qualified,
            "kind": self.kind,
            "version": self.version,
            "description": self.description,
            "stability": self.stability,
            "enabled": self.enabled,
            "status": self.status,
            "message": self.message or None,
        }


@dataclass(frozen=True, slots=True)
class PluginEntry:
    id: str
    version: str
    description: str
    origin: str
    """`built-in`, `installed` or `project`."""
    status: str
    extensions: tuple[ExtensionEntry, ...] = ()
    message: str = ""

    def json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "version": self.version,
            "description": self.description,
            "origin": self.origin,
            "status": self.status,
            "message": self.message or None,
            "extensions": [extension.json() for extension in self.extensions],
        }


def catalogue(registry: Registry) -> list[PluginEntry]:
    """Those that were registered, in order, then those that could not be."""
    entries: list[PluginEntry] = []
    for plugin in registry.plugins:
        twice = any(entry.id == plugin.id for entry in entries)
        entries.append(_collided(plugin) if twice else _entry(plugin, registry))
    known = {entry.id for entry in entries}
    return entries + [_broken(p) for p in registry.problems if p.extension is None and p.plugin not in known]


def origin_of(plugin: Plugin) -> str:
    return BUILT_IN if any(ref.module.startswith(_OURS) for ref in plugin.extensions) else INSTALLED


def _entry(plugin: Plugin, registry: Registry) -> PluginEntry:
    extensions = tuple(_extension(plugin, ref, registry) for ref in plugin.extensions)
    status = "enabled" if any(e.enabled for e in extensions) else "disabled"
    if extensions and all(e.message or e.status == IDLE for e in extensions):
        status = extensions[0].status
    return PluginEntry(plugin.id, plugin.version, plugin.description, origin_of(plugin), status, extensions)


def _extension(plugin: Plugin, ref: ExtensionRef, registry: Registry) -> ExtensionEntry:
    found = registry.find(f"{plugin.id}/{ref.id}")
    if found is not None:
        m = found.manifest
        status = "enabled" if found.enabled else "disabled"
        return ExtensionEntry(plugin.id, ref.id, ref.kind, m.version, m.description, m.stability, found.enabled, status)
    if f"{plugin.id}/{ref.id}" in registry.idle:
        waits = f"Waits for a corpus of layout {' or '.join(ref.layouts)}."
        return ExtensionEntry(plugin.id, ref.id, ref.kind, plugin.version, waits, "stable", False, IDLE)
    problem = next(p for p in registry.problems if (p.plugin, p.extension) == (plugin.id, ref.id))
    return ExtensionEntry(
        plugin.id, ref.id, ref.kind, plugin.version, "", "stable", False, problem.status, problem.message
    )


def _collided(plugin: Plugin) -> PluginEntry:
    return PluginEntry(
        plugin.id,
        plugin.version,
        plugin.description,
        origin_of(plugin),
        "id-collision",
        message="its id is already taken",
    )


def _broken(problem: PluginProblem) -> PluginEntry:
    return PluginEntry(problem.plugin, problem.version, "", INSTALLED, problem.status, message=problem.message)


Named = tuple[PluginEntry, ExtensionEntry | None]
"""A plugin as a whole, or one extension of it."""


def find_named(entries: Sequence[PluginEntry], name: str) -> Named:
    """`plugin`, `plugin/extension`, or the id of an extension that only one plugin has."""
    for entry in entries:
        if entry.id == name:
            return entry, None
    matches = [(p, e) for p in entries for e in p.extensions if name in (e.qualified, e.id)]
    if len(matches) == 1 or (matches and "/" in name):
        return matches[0]
    if matches:
        names = ", ".join(f"`{e.qualified}`" for _, e in matches)
        raise UsageError(f"`{name}` may be {names}; name one in full.", candidates=[e.qualified for _, e in matches])
    meant = hint(name, _names(entries), "`cairn plugins list` shows what there is.", at_least=0.5)
    raise NotFound(f"There is no plugin or extension `{name}`; {meant}", name=name)


def _names(entries: Sequence[PluginEntry]) -> Iterator[str]:
    for entry in entries:
        yield entry.id
        for extension in entry.extensions:
            yield from (extension.qualified, extension.id)


def check_switchable(targets: Iterable[Named]) -> None:
    for plugin, _ in targets:
        if plugin.origin == PROJECT:
            raise Refused(
                f"`{plugin.id}` came with the repository, and only installed plugins run in this version.",
                plugin=plugin.id,
            )


def sweeping(targets: Sequence[Named]) -> list[str]:
    """Plugins that would be switched as a whole although they have several extensions."""
    return [plugin.id for plugin, extension in targets if extension is None and len(plugin.extensions) > 1]


def name_of(target: Named) -> str:
    plugin, extension = target
    return plugin.id if extension is None else extension.qualified


def keys_for(target: Named, wanted: bool, values: Mapping[str, Any]) -> list[str]:
    """The settings to write. A whole plugin also overrules what was said about single extensions of it."""
    plugin, extension = target
    if extension is not None:
        return [_key(plugin.id, extension.id)]
    contrary = [key for e in plugin.extensions if values.get(key := _key(plugin.id, e.id)) is (not wanted)]
    return [f"plugins.{plugin.id}.enabled", *contrary]


def _key(plugin: str, extension: str) -> str:
    return f"plugins.{plugin}.extensions.{extension}.enabled"
