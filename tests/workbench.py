"""A small workspace to work in: real files, the real scan, the built-in extensions, a clock that stands still."""

from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from cairn.adapters.clock.memory import SettableClock
from cairn.adapters.files.local import LocalFiles
from cairn.core.extension_points import Plugin
from cairn.core.ports.runtime import Files, Silent
from cairn.core.ports.store import Store
from cairn.core.registry import ExtensionSwitches, LoadedExtension, Registry, build_registry
from cairn.extensions import BUILT_INS
from cairn.graph.scan import scan
from cairn.graph.scan_request import ScanPorts, ScanReport, ScanRequest


def built_in_plugins() -> list[Plugin]:
    return [import_module(name).PLUGIN for name in BUILT_INS]


def built_ins(switches: ExtensionSwitches | None = None) -> Registry:
    return build_registry(built_in_plugins(), load=import_module, switches=switches)


def with_extension(registry: Registry, kind: Any, extension: Any, *, id: str = "probe", **settings: Any) -> Registry:
    """The registry with one more extension, of the plugin `test`."""
    extensions = (*registry.extensions, LoadedExtension("test", id, kind, extension, settings))
    return Registry(registry.plugins, extensions, registry.problems)


class Bench:
    def __init__(
        self,
        root: Path,
        store: Store,
        *,
        registry: Registry | None = None,
        active: str | None = "claude",
        files: Callable[[Path], Files] = LocalFiles,
    ) -> None:
        self.root = root
        self.store = store
        self.registry = registry or built_ins()
        self.active = active
        self.clock = SettableClock()
        root.mkdir(parents=True, exist_ok=True)
        self.files = files(root)

    def write(self, path: str, text: str | bytes = "") -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode() if isinstance(text, str) else text)
        return file

    def remove(self, path: str) -> None:
        (self.root / path).unlink()

    def move(self, old: str, new: str) -> None:
        target = self.root / new
        target.parent.mkdir(parents=True, exist_ok=True)
        (self.root / old).rename(target)

    def scan(self, **request: Any) -> ScanReport:
        """An hour later than the scan before it."""
        self.clock.advance(3_600_000)
        ports = ScanPorts(self.files, self.store, self.clock, Silent())
        return scan(ScanRequest(**request), registry=self.registry, active=self.active, ports=ports)

    def write_all(self, files: Sequence[tuple[str, str]]) -> None:
        for path, text in files:
            self.write(path, text)
