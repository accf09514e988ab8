"""What holds for every built-in plugin: where it may look, what it declares, that nobody is forgotten."""

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import cairn.extensions
from cairn.extensions import BUILT_INS
from cairn.plugin import (
    AnalyzerManifest,
    ExtractorManifest,
    FormatterManifest,
    ProviderManifest,
)
from unit.extensions.built_ins import extensions

ROOT = Path(cairn.extensions.__file__).parent
MODULES = sorted(path for path in ROOT.rglob("*.py") if path.name != "__init__.py")
MANIFESTS = {
    "provider": ProviderManifest,
    "extractor": ExtractorManifest,
    "analyzer": AnalyzerManifest,
    "formatter": FormatterManifest,
}
ALL = [(kind, qualified, extension) for kind in MANIFESTS for qualified, extension in extensions(kind)]
ICON_SLOTS = ("card.title.right", "card.subtitle.left", "card.footer.left", "card.footer.right")


def test_order_of_providers() -> None:
    ids = [qualified.partition("/")[2] for qualified, _ in extensions("provider")]
    assert ids == ["claude", "antigravity", "openai", "knowledge", "agent-skills", "agent-files", "markdown"]


def test_every_module_of_an_extension_is_listed() -> None:
    listed = {ref.module for name in BUILT_INS for ref in import_module(name).PLUGIN.extensions}
    kinds = {f"{kind}s" for kind in MANIFESTS}
    there = {
        ".".join(("cairn.extensions", *path.relative_to(ROOT).with_suffix("").parts))
        for path in MODULES
        if path.parent.name in kinds
    }
    assert there == listed


@pytest.mark.parametrize(("kind", "extension"), [(k, e) for k, _, e in ALL], ids=[q for _, q, _ in ALL])
def test_manifest(kind: str, extension: object) -> None:
    manifest = extension.manifest  # type: ignore[attr-defined]
    assert type(manifest) is MANIFESTS[kind]
    assert manifest.version.count(".") == 2
    assert manifest.description.endswith(".")
    for view in manifest.ui.values():
        assert view.label
        assert view.icon or view.slot not in ICON_SLOTS


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_only_the_public_door(path: Path) -> None:
    plugin = f"cairn.extensions.{path.relative_to(ROOT).parts[0]}"
    names: set[str] = set()
    for statement in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(statement, ast.ImportFrom):
            names.add(statement.module or "")
        elif isinstance(statement, ast.Import):
            names.update(alias.name for alias in statement.names)
    foreign = {name for name in names if name.partition(".")[0] not in sys.stdlib_module_names}
    assert all(name == "cairn.plugin" or name.startswith(plugin) for name in foreign)


def test_what_a_scan_imports_is_light() -> None:
    modules = [ref.module for name in BUILT_INS for ref in import_module(name).PLUGIN.extensions]
    scan = [module for module in modules if ".formatters." not in module]
    code = f"import sys\nfor name in {scan!r}: __import__(name)\nprint(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"urllib.parse", "json", "jsonschema_rs", "pyromark", "ryaml", "pathlib"} & set(loaded)
