"""Plugins of this workspace: what there is, switching them, and whether they keep to the rules."""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cairn.core.extension_points import Manifest
from cairn.core.registry import LoadedExtension
from cairn.workspace.draw import kind_specs
from cairn.workspace.plugin_catalogue import (
    INSTALLED,
    PROJECT,
    ExtensionEntry,
    Named,
    PluginEntry,
    catalogue,
    check_switchable,
    find_named,
    keys_for,
    name_of,
    origin_of,
)
from cairn.workspace.plugin_reach import imported, reaches
from cairn.workspace.ports import WorkspacePorts


def manifest_json(manifest: Manifest) -> dict[str, Any]:
    """Every field, with the names of the wire."""
    return {_camel(name): _plain(getattr(manifest, name)) for name in manifest.names}


def declared(manifest: Manifest) -> dict[str, Any]:
    """What its author said besides the usual: neither empty, nor among what every extension has."""
    common = {"version", "description", "stability", "settings", "kinds"}
    found = {key: value for key, value in manifest_json(manifest).items() if key not in common}
    return {key: _without_empty(value) for key, value in found.items() if _without_empty(value) not in (None, {}, [])}


def documentation(extension: object) -> str:
    """The docstring of its class, else of its module."""
    from inspect import cleandoc
    from sys import modules

    module = modules.get(type(extension).__module__)
    return cleandoc(type(extension).__doc__ or (module.__doc__ if module else None) or "")


def why_it_matters(extension: object) -> str:
    """The first sentence of that section of its documentation, without its full stop; empty if there is none."""
    from re import DOTALL, MULTILINE, search

    found = search(r"^Why it matters\n +(\S.*?)\.(?:\s|\Z)", documentation(extension), DOTALL | MULTILINE)
    return " ".join(found[1].split()) if found else ""


def _plain(value: Any) -> Any:
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {_camel(name): _plain(item) for name, item in value._asdict().items()}
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(map(str, value))
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def _without_empty(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return {k: v for k, item in value.items() if (v := _without_empty(item)) not in (None, {}, [], "")}


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


_MOST_FILES = 500
_LARGEST_SOURCE = 4 * 1024 * 1024


def known_plugins(ports: WorkspacePorts) -> list[PluginEntry]:
    """Built-in and installed ones, then those that lie in the project and don't run."""
    return [*catalogue(ports.registry), *_project(ports)]


def _project(ports: WorkspacePorts) -> Iterator[PluginEntry]:
    for found in ports.project_plugins():
        why = found.problem
        extensions = tuple(
            ExtensionEntry(found.id, id, kind, found.version, "", "stable", False, why.status)
            for kind, _, id in (name.partition("/") for name in found.extensions)
        )
        yield PluginEntry(found.id, found.version, found.description, PROJECT, why.status, extensions, why.message)


# --- one of them ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PluginDescription:
    plugin: PluginEntry
    extension: ExtensionEntry | None = None
    loaded: LoadedExtension[Any] | None = None

    def json(self) -> dict[str, Any]:
        return {"plugin": self.plugin.json(), "extension": self._extension_json()}

    def settings(self) -> list[dict[str, Any]]:
        if self.loaded is None:
            return []
        start = f"plugins.{self.loaded.plugin}.extensions.{self.loaded.id}.settings"
        return [
            {
                "key": f"{start}.{id}",
                "type": setting.type,
                "label": setting.label,
                "description": setting.description,
                "default": setting.default,
                "value": self.loaded.settings[id],
            }
            for id, setting in self.loaded.manifest.settings.items()
        ]

    def _extension_json(self) -> dict[str, Any] | None:
        if self.extension is None:
            return None
        manifest = None if self.loaded is None else manifest_json(self.loaded.manifest)
        text = "" if self.loaded is None else documentation(self.loaded.extension)
        return {**self.extension.json(), "manifest": manifest, "documentation": text, "settings": self.settings()}


def describe_plugin(ports: WorkspacePorts, name: str) -> PluginDescription:
    plugin, extension = find_named(known_plugins(ports), name)
    if extension is None:
        return PluginDescription(plugin)
    loaded = None if plugin.origin == PROJECT else ports.registry.find(extension.qualified)
    return PluginDescription(plugin, extension, loaded)


# --- on and off -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SwitchResult:
    id: str
    changed: bool


def targets_for(ports: WorkspacePorts, names: Iterable[str], *, all: bool) -> list[Named]:
    entries = known_plugins(ports)
    targets: list[Named] = [(p, None) for p in entries if p.origin != PROJECT and p.extensions] if all else []
    targets += [find_named(entries, name) for name in names]
    check_switchable(targets)
    return targets


def switch(ports: WorkspacePorts, targets: Sequence[Named], wanted: bool) -> list[SwitchResult]:
    """In the file of this machine: what one person tries out is nobody else's business."""
    done: list[SwitchResult] = []
    for target in targets:
        keys = keys_for(target, wanted, ports.settings.values)
        changed = [ports.write_setting(key, "true" if wanted else "false", local=True) for key in keys]
        done.append(SwitchResult(name_of(target), any(changed)))
    return done


# --- doctor ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PluginFinding:
    level: str
    """`problem`, which makes `plugins doctor` end with 1, or `warning`."""
    subject: str
    code: str
    message: str
    file: str | None = None
    line: int | None = None

    def json(self) -> dict[str, Any]:
        return {
            "level": self.level,
            "subject": self.subject,
            "code": self.code,
            "message": self.message,
            "file": self.file,
            "line": self.line,
        }


def examine_plugins(ports: WorkspacePorts) -> list[PluginFinding]:
    """Problems first."""
    found = [*_problems(ports), *_foreign_code(ports), *_preconditions(ports), *_settings(ports)]
    return sorted(found, key=lambda f: (f.level != "problem", f.subject, f.file or "", f.line or 0, f.code, f.message))


def _problems(ports: WorkspacePorts) -> Iterator[PluginFinding]:
    for problem in ports.registry.problems:
        subject = f"{problem.plugin}/{problem.extension}" if problem.extension else problem.plugin
        yield PluginFinding("problem", subject, problem.status, problem.message)
    for found in ports.project_plugins():
        level = "warning" if found.problem.status == "untrusted" else "problem"
        yield PluginFinding(level, found.id, found.problem.status, found.problem.message)
        yield from (PluginFinding("warning", found.id, "catalog-compat-missing", note) for note in found.notes)


def _foreign_code(ports: WorkspacePorts) -> Iterator[PluginFinding]:
    """What the syntax trees of plugins that are not ours show; nothing is imported for it."""
    for plugin in ports.registry.plugins:
        if origin_of(plugin) == INSTALLED:
            for ref in plugin.extensions:
                yield from _reaching(f"{plugin.id}/{ref.id}", _modules_of(ref.module))
    for entry in _project(ports):
        folder = ports.root / ".cairn" / "plugins" / entry.id
        yield from _reaching(entry.id, ((path, _source(path)) for path in _python_files(folder)), ports.root)


def _reaching(subject: str, sources: Iterable[tuple[Path, bytes]], root: Path | None = None) -> Iterator[PluginFinding]:
    for path, source in sources:
        name = path.relative_to(root).as_posix() if root else str(path)
        for reach in reaches(source):
            yield PluginFinding("problem", subject, reach.what, reach.how, name, reach.line)


def _modules_of(module: str) -> Iterator[tuple[Path, bytes]]:
    """The module, and those of the same package that it imports, directly or not."""
    top = module.partition(".")[0]
    waiting, seen = [module], {module}
    while waiting and len(seen) < _MOST_FILES:
        name = waiting.pop()
        path = _file_of(name)
        if path is None:
            continue
        source = _source(path)
        yield path, source
        names = imported(source, name, package=path.name == "__init__.py")
        new = sorted(n for n in names if n.partition(".")[0] == top and n not in seen)
        waiting += new
        seen.update(new)


def _file_of(module: str) -> Path | None:
    """Found by its name below its package, so that looking at a module does not import it."""
    top, *rest = module.split(".")
    package = sys.modules.get(top)
    if not rest:
        return Path(package.__file__) if package and package.__file__ else None
    for base in getattr(package, "__path__", ()):
        place = Path(base, *rest)
        for path in (place.with_name(f"{place.name}.py"), place / "__init__.py"):
            if path.is_file():
                return path
    return None


def _python_files(folder: Path) -> list[Path]:
    files = (path for path in folder.rglob("*.py") if path.is_file() and not path.is_symlink())
    return sorted(files)[:_MOST_FILES]


def _source(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_LARGEST_SOURCE)
    except OSError:
        return b""


def _preconditions(ports: WorkspacePorts) -> Iterator[PluginFinding]:
    """An extension that waits for something that nobody provides is never asked."""
    kinds = kind_specs(ports.registry)
    providers = {provider.id for provider in ports.registry.providers}
    for extension in (e for e in ports.registry.extensions if e.enabled):
        wanted = getattr(extension.manifest, "precondition", None)
        for kind in wanted.kind if wanted else ():
            if kind not in kinds:
                message = f"its precondition names the kind `{kind}`, which no enabled provider has"
                yield PluginFinding("warning", extension.qualified, "applicable-kind-unknown", message)
        for provider in wanted.provider if wanted else ():
            if provider not in providers:
                message = f"its precondition names the provider `{provider}`, which is not enabled"
                yield PluginFinding("warning", extension.qualified, "applicable-provider-unknown", message)


def _settings(ports: WorkspacePorts) -> Iterator[PluginFinding]:
    """Switches and settings for something that is not there are forgotten or mistyped."""
    chosen: Mapping[str, Any] = ports.settings.mapping("plugins")
    known = {entry.id for entry in known_plugins(ports)}
    for plugin, values in chosen.items():
        if plugin not in known:
            yield PluginFinding("warning", plugin, "settings-unknown", "there are settings for it, but no such plugin")
            continue
        for id, own in values.get("extensions", {}).items():
            loaded = ports.registry.find(f"{plugin}/{id}")
            unknown = [] if loaded is None else [k for k in own.get("settings", {}) if k not in loaded.settings]
            for key in unknown:
                yield PluginFinding("warning", f"{plugin}/{id}", "settings-unknown", f"it has no setting `{key}`")
