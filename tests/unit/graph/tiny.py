"""A small world for tests of the graph: real files, a store in memory, and extensions as a third party writes them."""

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from cairn.adapters.clock.memory import SettableClock
from cairn.adapters.files.local import LocalFiles
from cairn.adapters.storage.sqlite.store import open_memory
from cairn.core.extension_points import ExtensionRef
from cairn.core.ports.runtime import Silent
from cairn.core.registry import ExtensionSwitches, Registry, build_registry
from cairn.graph.scan import scan
from cairn.graph.scan_request import ScanPorts, ScanReport, ScanRequest
from cairn.plugin import (
    AnalyzerContext,
    AnalyzerManifest,
    ExtractorContext,
    ExtractorManifest,
    Issue,
    KindSpec,
    Plugin,
    Presentation,
    ProviderManifest,
    normalize_trigger,
)


def provider(id: str, kind: str = "page", *, claims: Callable[[str], bool] = lambda _: True, **manifest: Any) -> Any:
    """Recognises the files for which `claims` is true, as one kind."""
    spec = manifest.pop("spec", KindSpec(label=kind, color="#000000", identifiers=("frontmatter.name",)))
    given = {"version": "1", "description": id, "presentation": Presentation(label=id, color="#000000"), **manifest}
    made = ProviderManifest(kinds={kind: spec}, **given)
    return SimpleNamespace(manifest=made, classify=lambda path, _: kind if claims(path) else None)


def extractor(extract: Callable[[ExtractorContext], None], **manifest: Any) -> Any:
    made = ExtractorManifest(**{"version": "1", "description": "reads", **manifest})
    return SimpleNamespace(manifest=made, extract=extract)


def analyzer(evaluate: Callable[[AnalyzerContext], Iterable[Issue]], **manifest: Any) -> Any:
    made = AnalyzerManifest(**{"version": "1", "description": "judges", **manifest})
    return SimpleNamespace(manifest=made, evaluate=evaluate)


def find(pattern: str, kind: str = "references", *, confidence: float = 0.5, by_name: bool = False) -> Any:
    """A function that makes a link of whatever the pattern's first group matches."""

    def extract(ctx: ExtractorContext) -> None:
        for hit in re.finditer(pattern, ctx.document.body):
            target = hit[1]
            ctx.emit_link(
                kind,
                target,
                confidence,
                start=hit.start(),
                end=hit.end(),
                raw=hit[0],
                original=target,
                normalized=normalize_trigger(target) if by_name else target,
                by_name=by_name,
            )

    return extract


PAGES = provider("pages")
LINKS = extractor(find(r"<([\w./-]+)>"))
NAMES = extractor(find(r"(@\w+)", "mentions", by_name=True))


def bundle(id: str, extensions: Mapping[str, Any], version: str = "1.0") -> tuple[Plugin, dict[str, Any]]:
    """A plugin of extensions as `kind/id`, and its modules."""
    refs, modules = [], {}
    for name, extension in extensions.items():
        kind, _, short = name.partition("/")
        modules[f"{id}.{short}"] = SimpleNamespace(extension=extension)
        refs.append(ExtensionRef(kind, short, f"{id}.{short}"))  # type: ignore[arg-type]
    return Plugin(id, version, id, tuple(refs)), modules


def registry_of(*bundles: tuple[Plugin, dict[str, Any]], switches: ExtensionSwitches | None = None) -> Registry:
    modules = {name: module for _, more in bundles for name, module in more.items()}
    return build_registry([plugin for plugin, _ in bundles], load=modules.__getitem__, switches=switches)


class World:
    """A folder with a graph of it. `scan` brings the graph up to date with the extensions given."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.store = open_memory()
        self.clock = SettableClock()
        self.files: Any = LocalFiles(root)

    def write(self, files: Mapping[str, str | bytes]) -> None:
        for name, content in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())

    def scan(
        self, *bundles: tuple[Plugin, dict[str, Any]], active: str | None = None, files: Any = None, **wanted: Any
    ) -> ScanReport:
        self.clock.advance(1000)
        ports = ScanPorts(files or self.files, self.store, self.clock, Silent())
        return scan(ScanRequest(**wanted), registry=registry_of(*bundles), active=active, ports=ports)

    def use(self, extensions: Mapping[str, Any], **wanted: Any) -> ScanReport:
        """Scan with one plugin `mine` that has these extensions beside pages and links."""
        return self.scan(bundle("mine", {"provider/pages": PAGES, "extractor/links": LINKS, **extensions}), **wanted)

    def links(self) -> dict[tuple[str, str, str], str | None]:
        return {(link.source, link.kind, link.target): link.resolved for link in self.store.links()}

    def issues(self, *rules: str) -> list[tuple[str, str]]:
        return [(i.analyzer, i.path) for i in self.store.issues() if not rules or i.analyzer in rules]

    def paths(self) -> list[str]:
        return [node.path for node in self.store.nodes()]


def without_times(world: World) -> Any:
    """The graph as values, for comparing an incremental scan with one from scratch."""
    nodes = [node._replace(modified_at_ms=None) for node in world.store.nodes()]
    shown = [c for node in nodes for c in world.store.contributions(node.path)]
    facts = {node.path: dict(world.store.enrichments(node.path)) for node in nodes}
    return nodes, list(world.store.links()), list(world.store.issues()), shown, facts
