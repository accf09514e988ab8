"""What providers and extractors make of one document: its kind and names, and what they say is in it."""

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from cairn.core.extension_points import Extractor, KindSpec, Parser, Provider, ProviderManifest
from cairn.core.model.graph import LINK_KINDS, Candidate, ProviderClaim, Signal, View
from cairn.core.ports.runtime import FoundFile, NameEndings
from cairn.core.registry import FAILING, BadEmission, ExtensionFailure, LoadedExtension, as_json, failure, must_be_text
from cairn.lib.document.document import Document
from cairn.lib.text.names import knowledge_name, normalize_trigger

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


class Name(NamedTuple):
    name: str
    origin: str
    """`name` from the frontmatter, `file`, `dir`, `space` with a namespace or a prefix before it, `page` for wikilinks;
    of pages of knowledge `knowledge` as declared, `knowledge-file`."""


class Classification(NamedTuple):
    """A file as it appears: None for kind and provider when nobody claims it just now."""

    kind: str | None
    provider: str | None
    names: tuple[Name, ...]
    reserved: bool


class Providers:
    """The providers, and which of them is active; what depends on no file is worked out once."""

    def __init__(self, providers: Sequence[LoadedExtension[Provider]], active: str | None) -> None:
        self.providers = tuple(providers)
        self.active = active
        self._manifests: dict[str, ProviderManifest] = {p.id: p.manifest for p in providers}
        self._shown = {id for id, m in self._manifests.items() if not m.gated or active in (None, id)}
        self._gates = [(p, _lowered(p.manifest.roots), NameEndings.of(p.manifest.extensions)) for p in self.providers]
        self._spaces = {p.id: p.extension.namespace for p in providers if hasattr(p.extension, "namespace")}
        self.failures: list[ExtensionFailure] = []

    def manifest(self, provider: str | None) -> ProviderManifest | None:
        return self._manifests.get(provider or "")

    def spec(self, provider: str | None, kind: str | None) -> KindSpec | None:
        manifest = self._manifests.get(provider or "")
        return manifest.kinds.get(kind or "") if manifest else None

    def namespace(self, provider: str, path: str) -> str | None:
        """What may stand before the names of a file."""
        space = self._spaces.get(provider)
        return space(path) if space else None

    def shows(self, provider: str) -> bool:
        """Whether this provider's claims count."""
        return provider in self._shown

    def claims(self, path: str, frontmatter: Mapping[str, Any]) -> tuple[ProviderClaim, ...]:
        """What each provider says the file is, in dispatch order, whether or not it is the active one."""
        lowered = path.lower()
        found = []
        for provider, roots, ending in self._gates:
            if (not roots or lowered.startswith(roots)) and ending.fits(lowered):
                try:
                    kind = provider.extension.classify(path, frontmatter)
                    if kind is not None:
                        _must_be_declared(provider.manifest, kind)
                        found.append(ProviderClaim(provider.id, kind))
                except FAILING as error:
                    self.failures.append(failure(provider, path, error))
        return tuple(found)

    def wanted(self, files: Sequence[FoundFile]) -> list[FoundFile]:
        """The files that any provider wants to see: nobody asks for a `pyproject.toml`."""
        anywhere = tuple(suffix for _, roots, ending in self._gates if not roots for suffix in ending.endings)
        return [file for file in files if file.path.endswith(anywhere) or self._wants(file.path)]

    def _wants(self, path: str) -> bool:
        lowered = path.lower()
        return any(
            (not roots or lowered.startswith(roots)) and ending.fits(lowered) for _, roots, ending in self._gates
        )

    def parser(self, path: str) -> Parser:
        """How a file of this name is read: as the first provider says that wants to see it."""
        lowered = path.lower()
        return next((p.manifest.parser for p, _, ending in self._gates if ending.fits(lowered)), "frontmatter-yaml")


def _lowered(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(text.lower() for text in texts)


def _must_be_declared(manifest: ProviderManifest, kind: str) -> None:
    if kind not in manifest.kinds:
        raise BadEmission(f"it said kind `{kind}`, which its manifest does not declare")


def classify_file(
    path: str, frontmatter: Mapping[str, Any], claimed: Sequence[ProviderClaim], lens: Providers
) -> Classification:
    """The first claim that counts decides."""
    claim = next((c for c in claimed if lens.shows(c.provider)), None)
    if claim is None:
        return Classification(None, None, (), False)
    spec = lens.spec(claim.provider, claim.kind)
    names = _names(path, frontmatter, spec)
    space = lens.namespace(claim.provider, path)
    reserved = space is None and _reserved(names, claim, lens)
    if space is not None:
        names = _with(f"{space}:", names)
    if spec and spec.prefix:
        names = _with(spec.prefix, names)
    return Classification(claim.kind, claim.provider, names, reserved)


def _with(before: str, names: Sequence[Name]) -> tuple[Name, ...]:
    """The names, and each with this before it: a host that keeps `help` for itself still reaches `plugin:help`."""
    found = {name.name: name for name in names}
    for name in names:
        if name.origin in ("name", "file", "dir", "space"):
            longer = normalize_trigger(f"{before}{name.name}")
            found.setdefault(longer, Name(longer, "space"))
    return tuple(found.values())


def _names(path: str, frontmatter: Mapping[str, Any], spec: KindSpec | None) -> tuple[Name, ...]:
    folder, _, file = path.rpartition("/")
    stem = file.rpartition(".")[0] or file
    found: dict[str, Name] = {}
    for identifier in spec.identifiers if spec else ():
        if identifier == "knowledge":
            found.update((name.name, name) for name in _knowledge_names(folder, stem, frontmatter))
            continue
        if identifier == "frontmatter.name":
            declared = frontmatter.get("name")
            name = Name(normalize_trigger(declared) if isinstance(declared, str) else "", "name")
        elif identifier == "dirname":
            name = Name(normalize_trigger(folder.rpartition("/")[2]), "dir")
        else:
            name = Name(normalize_trigger(stem), "file")
        if name.name:
            found.setdefault(name.name, name)
    page = f"[[{normalize_trigger(stem)}"
    return (*found.values(), Name(page, "page"))


def _knowledge_names(folder: str, stem: str, frontmatter: Mapping[str, Any]) -> Iterator[Name]:
    """What other pages of knowledge call this one: its declared name or id, and its file or, of a procedure, folder."""
    shown = folder.rpartition("/")[2] if stem == "canonical" else stem
    yield Name(knowledge_name(shown), "knowledge-file")
    for key in ("name", "id"):
        declared = frontmatter.get(key)
        if isinstance(declared, str) and declared.strip():
            yield Name(knowledge_name(declared), "knowledge")
            return


def _reserved(names: Sequence[Name], claim: ProviderClaim, lens: Providers) -> bool:
    """Whether the host keeps one of the names for itself: the node's own provider, or the active one for nodes of
    providers that are shared between hosts."""
    own = lens.manifest(claim.provider)
    called = {name.name for name in names if name.origin != "page"}
    if own is not None and called & own.reserved_names.get(claim.kind, frozenset()):
        return True
    active = lens.manifest(lens.active)
    if active is None or own is None or own.gated or claim.provider == lens.active:
        return False
    return bool(called & active.reserved_names.get(claim.kind, frozenset()))
