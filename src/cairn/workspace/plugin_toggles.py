"""Which settings switch a plugin or an extension on or off."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from cairn.errors import Refused
from cairn.workspace.plugin_catalogue import PROJECT, Named


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
