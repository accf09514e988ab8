"""Running extractors over one document, and keeping what they say."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from cairn.kernel.model.contribution import View
from cairn.kernel.model.signal import LINK_KINDS, Candidate, Signal
from cairn.kernel.points import Extractor
from cairn.kernel.registry import Loaded
from cairn.kernel.text.document import Document


class ContributionDraft(NamedTuple):
    extension: str
    key: str
    slot: str
    payload: str


class VirtualDraft(NamedTuple):
    path: str
    kind: str
    provider: str
    title: str


class Extracted:
    """What the extractors said about one file."""

    __slots__ = ("contributions", "enrichments", "signals", "virtuals")

    def __init__(self) -> None:
        self.signals: list[Signal] = []
        self.contributions: list[ContributionDraft] = []
        self.enrichments: list[tuple[str, str]] = []
        self.virtuals: list[VirtualDraft] = []


class BadEmission(Exception):
    """An extractor said something that the contract does not allow."""


def declared_view(ui: Mapping[str, View], view: View | str) -> tuple[str, View]:
    """The key and view that an emission means: a declared object itself or its key; a copy is refused."""
    if isinstance(view, str):
        if view in ui:
            return view, ui[view]
    else:
        for key, declared in ui.items():
            if declared is view:
                return key, declared
    raise BadEmission("it emitted a contribution whose object is not one declared in its `ui` map")


class Context:
    """What one extractor sees and calls; bound to one file after another."""

    def __init__(self, loaded: Loaded[Extractor]) -> None:
        self.settings = loaded.settings
        self._id = loaded.qualified
        self._ui: Mapping[str, View] = loaded.manifest.ui
        self.document: Document = Document("", {}, "")
        self._out = Extracted()

    def bind(self, document: Document, out: Extracted) -> None:
        self.document = document
        self._out = out

    def emit_link(
        self,
        kind: str,
        target: str,
        confidence: float,
        *,
        start: int,
        end: int,
        raw: str,
        original: str,
        normalized: str,
        by_name: bool = False,
        data: dict[str, Any] | None = None,
    ) -> None:
        if kind not in LINK_KINDS:
            raise BadEmission(f"`{kind}` is not a kind of link")
        candidate = Candidate(self._id, kind, target, confidence, original, normalized, by_name, data)
        self._out.signals.append(Signal("body", start, end, self.document.line_at(start), raw, (candidate,)))

    def emit_signal(self, start: int, end: int, raw: str, *candidates: Candidate) -> None:
        wrong = next((c.kind for c in candidates if c.kind not in LINK_KINDS), None)
        if wrong is not None or not candidates:
            raise BadEmission(f"`{wrong}` is not a kind of link" if wrong else "a signal needs a candidate")
        self._out.signals.append(Signal("body", start, end, self.document.line_at(start), raw, candidates))

    def emit_field_link(self, kind: str, target: str, confidence: float, *, field_path: str, original: str) -> None:
        if kind not in LINK_KINDS:
            raise BadEmission(f"`{kind}` is not a kind of link")
        candidate = Candidate(self._id, kind, target, confidence, original, target)
        self._out.signals.append(Signal("frontmatter", 0, 0, 1, original, (candidate,), field_path))

    def emit_node(self, path: str, kind: str, *, provider: str, title: str = "") -> None:
        self._out.virtuals.append(VirtualDraft(path, kind, provider, title or path))

    def enrich_node(self, value: Mapping[str, Any]) -> None:
        self._out.enrichments.append((self._id, json.dumps(value, sort_keys=True, ensure_ascii=False)))

    def emit_contribution(self, view: View | str, payload: Mapping[str, Any]) -> None:
        key, declared = declared_view(self._ui, view)
        text = json.dumps(payload, sort_keys=True, ensure_ascii=False)
        self._out.contributions.append(ContributionDraft(self._id, key, declared.slot, text))

    def candidate(
        self,
        kind: str,
        target: str,
        confidence: float,
        *,
        original: str,
        normalized: str,
        by_name: bool = False,
        data: dict[str, Any] | None = None,
        rationale: str = "",
    ) -> Candidate:
        return Candidate(self._id, kind, target, confidence, original, normalized, by_name, data, rationale)


class Failure(NamedTuple):
    """An extension that failed on one file."""

    extension: str
    version: str
    path: str
    message: str


class Crew:
    """The extractors of a scan, ready to be sent over files."""

    def __init__(self, extractors: Sequence[Loaded[Extractor]]) -> None:
        self._members = [(loaded, Context(loaded), frozenset(_kinds(loaded))) for loaded in extractors]
        self.failures: list[Failure] = []

    def applicable(self, kinds: frozenset[str]) -> tuple[str, ...]:
        """Stamps of the extractors that have anything to say about a file with these claims."""
        return tuple(loaded.stamp for loaded, _, wanted in self._members if not wanted or wanted & kinds)

    def run(self, document: Document, stamps: frozenset[str] | tuple[str, ...]) -> tuple[Extracted, list[str]]:
        """What these extractors say, and the stamps of those that did not fail."""
        out = Extracted()
        sound: list[str] = []
        for loaded, context, _ in self._members:
            if loaded.stamp in stamps:
                before = len(out.signals)
                context.bind(document, out)
                try:
                    loaded.extension.extract(context)
                    sound.append(loaded.stamp)
                except Exception as error:
                    del out.signals[before:]
                    self.failures.append(_failure(loaded, document.path, error))
        return out, sound


def _kinds(loaded: Loaded[Extractor]) -> tuple[str, ...]:
    kinds: tuple[str, ...] = loaded.manifest.precondition.kind
    return kinds


def _failure(loaded: Loaded[Any], path: str, error: Exception) -> Failure:
    text = str(error) if isinstance(error, BadEmission) else f"{type(error).__name__}: {error}"
    return Failure(loaded.qualified, loaded.manifest.version, path, text)
