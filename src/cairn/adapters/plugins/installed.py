"""Plugins that other distributions bring, by the entry point group `cairn.plugins`."""

import os
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import NamedTuple

from cairn.core.extension_points import Plugin
from cairn.core.registry import PluginProblem

_GROUP = "[cairn.plugins]"


class EntryPoint(NamedTuple):
    name: str
    target: str
    """`module:attribute`."""
    distribution: str
    version: str


def entry_points(path: list[str] | None = None) -> Iterator[EntryPoint]:
    """Read straight from the metadata files: `importlib.metadata` costs more than a whole unchanged scan."""
    for folder in _installed_folders() if path is None else path:
        try:
            names = sorted(os.listdir(folder))
        except OSError:
            continue
        for name in names:
            if name.endswith((".dist-info", ".egg-info")):
                yield from _read(os.path.join(folder, name))


def _installed_folders() -> list[str]:
    """Where modules come from, less the current folder: `python -m cairn` puts it there, and what lies in it came
    with the repository, not by an installation."""
    here = os.path.realpath(os.curdir)
    return [folder for folder in dict.fromkeys(sys.path) if folder and os.path.realpath(folder) != here]


def _read(folder: str) -> Iterator[EntryPoint]:
    try:
        with open(os.path.join(folder, "entry_points.txt"), encoding="utf-8") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError):
        return
    if _GROUP not in text:
        return
    stem = os.path.basename(folder).rpartition(".")[0]
    distribution, _, version = stem.partition("-")
    for line in text.partition(_GROUP)[2].splitlines():
        if line.startswith("["):
            return
        name, equals, target = line.partition("=")
        if equals:
            yield EntryPoint(name.strip(), target.strip(), distribution, version)


def load_installed(
    points: Iterator[EntryPoint], load: Callable[[str], object] = import_module
) -> tuple[list[Plugin], list[PluginProblem]]:
    """The plugins, and why some are not there."""
    plugins: list[Plugin] = []
    problems: list[PluginProblem] = []
    seen: set[EntryPoint] = set()
    for point in points:
        if point in seen:
            continue
        seen.add(point)
        module, _, attribute = point.target.partition(":")
        try:
            plugin = getattr(load(module), attribute or "PLUGIN")
            if not isinstance(plugin, Plugin):
                raise TypeError(f"{point.target} is not a cairn.plugin.Plugin")
            plugins.append(plugin)
        except (Exception, SystemExit) as error:
            message = f"{type(error).__name__}: {error}"
            problems.append(PluginProblem(point.name, point.version, None, "load-error", message))
    return plugins, problems
