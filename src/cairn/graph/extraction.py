"""Running extractors over one document, and keeping what they say."""

from collections.abc import Container, Mapping, Sequence
from typing import Any, NamedTuple

from cairn.core.extension_points import Extractor
from cairn.core.model.graph import View
from cairn.core.model.signal import LINK_KINDS, Candidate, Signal
from cairn.core.registry import FAILING, BadEmission, ExtensionFailure, LoadedExtension, as_json, failure, must_be_text
from cairn.lib.document.document import Document

MAX_SIGNALS = 20_000
"""Of one extractor in one file. Nobody reads a page with so many references; whoever wrote it wants us to be slow."""

_new = tuple.__new__  # a named tuple made without its own __new__, which is most of the cost of making one


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


class ExtractionResult:
    """What the extractors said about one file."""

    __slots__ = ("contributions", "cut", "enrichments", "signals", "virtuals")

    def __init__(self) -> None:
        self.cut = False
        """Whether an extractor had more to say than is kept."""
        self.signals: list[Signal] = []
        self.contributions: list[ContributionDraft] = []
        self.enrichments: list[tuple[str, str]] = []
        self.virtuals: list[VirtualDraft] = []


class Enough(Exception):
    """Ends an extractor that has said all that is kept of it."""


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


class ExtractionContext:
    """What one extractor sees and calls; bound to one file after another."""

    def __init__(self, loaded: LoadedExtension[Extractor]) -> None:
        self.settings = loaded.settings
        self._id = loaded.qualified
        self._ui: Mapping[str, View] = loaded.manifest.ui
        self.document: Document = Document("", {}, "")
        self._out = ExtractionResult()
        self._most = MAX_SIGNALS

    def bind(self, document: Document, out: ExtractionResult) -> None:
        self.document = document
        self._out = out
        self._most = len(out.signals) + MAX_SIGNALS

    def _keep(self, signal: Signal) -> None:
        signals = self._out.signals
        if len(signals) >= self._most:
            raise Enough
        signals.append(signal)

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
        document = self.document
        candidate = _new(Candidate, (self._id, kind, target, confidence, original, normalized, by_name, data, ""))
        if not (
            kind in LINK_KINDS
            and f"{raw}{target}{original}{normalized}".isascii()
            and type(target) is type(original) is type(normalized) is type(raw) is str
            and data is None
            and 0.0 <= confidence <= 1.0
            and 0 <= start <= end <= len(document.body)
        ):  # what is plain is sound; the rest is looked at closely
            _check(candidate)
            self._check_range(start, end, raw)
        line = document.line_at(start)
        signals = self._out.signals
        if len(signals) >= self._most:  # as in `_keep`, without a call: this is the hottest place of a first scan
            raise Enough
        signals.append(_new(Signal, ("body", start, end, line, raw, (candidate,), "", "")))

    def _check_range(self, start: int, end: int, raw: str) -> None:
        if not 0 <= start <= end <= len(self.document.body):
            raise BadEmission(f"the range {start}–{end} is not in the body")
        if type(raw) is not str or not raw.isascii():
            must_be_text(raw)

    def emit_signal(self, start: int, end: int, raw: str, *candidates: Candidate) -> None:
        if not candidates:
            raise BadEmission("a signal needs a candidate")
        for candidate in candidates:
            _check(candidate)
        self._check_range(start, end, raw)
        self._keep(Signal("body", start, end, self.document.line_at(start), raw, candidates))

    def emit_field_link(
        self,
        kind: str,
        target: str,
        confidence: float,
        *,
        field_path: str,
        original: str,
        line: int = 1,
        normalized: str | None = None,
        data: dict[str, Any] | None = None,
    ) -> None:
        by_name = normalized is not None
        candidate = Candidate(self._id, kind, target, confidence, original, normalized or target, by_name, data)
        _check(candidate)
        must_be_text(field_path)
        self._keep(Signal("frontmatter", 0, 0, line, original, (candidate,), field_path))

    def emit_node(self, path: str, kind: str, *, provider: str, title: str = "") -> None:
        must_be_text(path, kind, provider, title)
        if "://" not in path:
            raise BadEmission(f"a virtual node needs an address such as `mcp://name`, not `{path}`")
        self._out.virtuals.append(VirtualDraft(path, kind, provider, title or path))

    def enrich_node(self, value: Mapping[str, Any]) -> None:
        self._out.enrichments.append((self._id, as_json(value)))

    def emit_contribution(self, view: View | str, payload: Mapping[str, Any]) -> None:
        key, declared = declared_view(self._ui, view)
        self._out.contributions.append(ContributionDraft(self._id, key, declared.slot, as_json(payload)))

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


def _check(candidate: Candidate) -> None:
    """Everything here ends up in the store, where a wrong type would end the whole scan. Quick for what is right."""
    _, kind, target, confidence, original, normalized, _, data, _ = candidate
    if kind not in LINK_KINDS:
        raise BadEmission(f"`{kind}` is not a kind of link")
    if type(target) is not str or not (target.isascii() and original.isascii() and normalized.isascii()):
        must_be_text(target, original, normalized)
    if not 0 <= confidence <= 1:
        raise BadEmission(f"a confidence is a number from 0 to 1, not {confidence!r}")
    if data is not None:
        as_json(data)


class CrewMember(NamedTuple):
    """An extractor, with what is worked out about it once."""

    stamp: str
    loaded: LoadedExtension[Extractor]
    context: ExtractionContext
    kinds: frozenset[str]


class Crew:
    """The extractors of a scan, ready to be sent over files."""

    def __init__(self, extractors: Sequence[LoadedExtension[Extractor]]) -> None:
        self._members = [CrewMember(e.stamp, e, ExtractionContext(e), frozenset(_kinds(e))) for e in extractors]
        self._applicable: dict[str, tuple[str, ...]] = {}
        self.failures: list[ExtensionFailure] = []

    def applicable(self, claims: str) -> tuple[str, ...]:
        """Stamps of the extractors that have anything to say about a file with these claims (`provider/kind` …)."""
        if claims not in self._applicable:
            kinds = set(claims.split())
            self._applicable[claims] = tuple(m.stamp for m in self._members if not m.kinds or m.kinds & kinds)
        return self._applicable[claims]

    def run(self, document: Document, stamps: Container[str]) -> tuple[ExtractionResult, list[str]]:
        """What these extractors say, and the stamps of those that did not fail."""
        out = ExtractionResult()
        sound: list[str] = []
        failed = False
        for member in self._members:
            if member.stamp in stamps:
                member.context.bind(document, out)
                try:
                    member.loaded.extension.extract(member.context)
                    sound.append(member.stamp)
                except Enough:
                    out.cut = True
                    sound.append(member.stamp)
                except FAILING as error:
                    failed = True
                    self.failures.append(failure(member.loaded, document.path, error))
        if failed:  # nothing is kept of what they said before they failed
            return self.run(document, frozenset(sound))
        return out, sound


def _kinds(loaded: LoadedExtension[Extractor]) -> tuple[str, ...]:
    kinds: tuple[str, ...] = loaded.manifest.precondition.kind
    return kinds
