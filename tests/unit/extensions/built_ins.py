"""All built-in extensions, loaded the way the registry does it."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import ryaml

from cairn.extensions import BUILT_INS
from cairn.plugin import Corpus, KindSpec, KnowledgeBase

HERE = Path(__file__).parent


def extensions(kind: str) -> Iterator[tuple[str, Any]]:
    """(qualified id, extension) of one kind, in order."""
    for module in BUILT_INS:
        plugin = import_module(module).PLUGIN
        for ref in plugin.extensions:
            if ref.kind == kind:
                yield f"{plugin.id}/{ref.id}", import_module(ref.module).extension


def read_analyzers() -> dict[str, Any]:
    """Analyzers that look at a repository instead of the graph; their cases are repositories."""
    return {name: one for name, one in extensions("analyzer") if one.manifest.phase == "read"}


def cases(kind: str) -> Iterator[tuple[str, Any, dict[str, Any]]]:
    """(test id, extension, case) for every case in the file that belongs to an extension; each must have one."""
    for qualified, extension in extensions(kind):
        if kind == "analyzer" and extension.manifest.phase == "read":
            continue
        plugin, _, name = qualified.partition("/")
        file = HERE / plugin / "cases" / f"{name}.yml"
        for case in ryaml.loads(file.read_text(encoding="utf-8")):
            yield f"{name}: {case['name']}", extension, case


def bound(extension: Any, case: dict[str, Any]) -> Any:
    """The extension within the corpora that a case names, as `root: layout`."""
    if "corpora" not in case:
        return extension
    corpora = tuple(Corpus(root, root, layout) for root, layout in case["corpora"].items())
    return extension.within(KnowledgeBase(corpora, case.get("allowlist", "")))


def kinds() -> dict[str, KindSpec]:
    """By qualified kind."""
    providers = [(qualified.partition("/")[2], provider) for qualified, provider in extensions("provider")]
    return {f"{id}/{kind}": spec for id, provider in providers for kind, spec in provider.manifest.kinds.items()}
