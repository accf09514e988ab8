"""What may be wrong with the manifest of an extension, in words that its author can act on."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, get_args

from cairn.core.extension_points import (
    TRIGGERS,
    ActionManifest,
    AnalyzerManifest,
    ExtensionRef,
    ExtractorManifest,
    FormatterManifest,
    HookManifest,
    KindSpec,
    Manifest,
    Mode,
    Parser,
    Phase,
    Precondition,
    ProviderManifest,
    Reach,
    Setting,
    Stability,
)
from cairn.core.lens_point import LensManifest
from cairn.core.model.contribution import SLOTS, View

_SHAPES: Mapping[str, tuple[type[Manifest], str]] = {
    "provider": (ProviderManifest, "classify"),
    "extractor": (ExtractorManifest, "extract"),
    "analyzer": (AnalyzerManifest, "evaluate"),
    "action": (ActionManifest, "invoke"),
    "formatter": (FormatterManifest, "format"),
    "hook": (HookManifest, "on"),
    "lens": (LensManifest, "look"),
}
_CHOICES: Mapping[str, tuple[str, ...]] = {
    "stability": get_args(Stability),
    "phase": get_args(Phase),
    "reach": get_args(Reach),
    "mode": get_args(Mode),
    "parser": get_args(Parser),
}
_VALUES: Mapping[str, type] = {"settings": Setting, "ui": View, "kinds": KindSpec}
_LISTS = ("markers", "roots", "extensions", "kind_priority", "aka", "writes", "triggers", "needs", "after")
_ID = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")


def id_fault(id: object) -> str | None:
    """Ids are joined by `/`, `@` and blanks when they are kept."""
    if isinstance(id, str) and _ID.fullmatch(id):
        return None
    return f"the id {id!r} may have letters, digits, dots, dashes and underscores only"


def faults(ref: ExtensionRef, extension: object) -> list[str]:
    """Empty when the extension is sound."""
    fault = id_fault(ref.id)
    if fault is not None:
        return [fault]
    if ref.kind not in _SHAPES:
        return [f"`{ref.kind}` is not a kind of extension"]
    shape, method = _SHAPES[ref.kind]
    manifest = getattr(extension, "manifest", None)
    if not isinstance(manifest, shape):
        return [f"`manifest` must be a {shape.__name__}"]
    if not callable(getattr(extension, method, None)):
        return [f"an extension of kind {ref.kind} needs a method `{method}`"]
    return list(_wrong_types(manifest)) or list(_wrong_values(manifest))


def _wrong_types(manifest: Manifest) -> Iterator[str]:
    for key, kind in _VALUES.items():
        value = getattr(manifest, key, {})
        if not isinstance(value, Mapping) or not all(isinstance(item, kind) for item in value.values()):
            yield f"/{key} must map names to {kind.__name__} objects"
    for key in _LISTS:
        if not _texts(getattr(manifest, key, ())):
            yield f"/{key} must be a tuple of texts"
    condition = getattr(manifest, "precondition", Precondition())
    if not isinstance(condition, Precondition) or not all(map(_texts, _parts(condition))):
        yield "/precondition must be a Precondition of tuples of texts"


def _parts(condition: Precondition) -> tuple[Any, ...]:
    return condition.kind, condition.provider, condition.analyzer_ids


def _texts(value: object) -> bool:
    """A single text in place of a list of them is the usual slip: `(".md")` is no tuple."""
    return isinstance(value, tuple | list) and all(isinstance(item, str) for item in value)


def _wrong_values(manifest: Manifest) -> Iterator[str]:
    for key, known in _CHOICES.items():
        if getattr(manifest, key, known[0]) not in known:
            yield f"/{key} must be one of {', '.join(known)}"
    yield from (f"/ui/{key}/slot is not a valid value" for key, view in manifest.ui.items() if view.slot not in SLOTS)
    if isinstance(manifest, LensManifest) and manifest.scope not in ("docs", "code"):
        yield "/scope must be one of docs, code"
    if isinstance(manifest, HookManifest):
        yield from (f"unknown trigger `{trigger}`" for trigger in manifest.triggers if trigger not in TRIGGERS)
    if isinstance(manifest, ActionManifest) and manifest.mode == "probabilistic" and not manifest.expected_seconds:
        yield "a probabilistic action needs `expected_seconds`"
