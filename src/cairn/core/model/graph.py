"""Nodes, links and contributions of the graph, with their JSON for the schemas; and signals, which become links."""

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache
from typing import Any, Literal, NamedTuple

from cairn.core.model.issue import Issue


class Triple(NamedTuple):
    """A size in three parts."""

    frontmatter: int
    body: int
    total: int


class ExternalRef(NamedTuple):
    url: str
    line: int
    original: str


class Tag(NamedTuple):
    """A label and where it was written: `frontmatter`, `topics` or `sidecar`."""

    tag: str
    source: str


class ProviderClaim(NamedTuple):
    """What one provider says that a file is."""

    provider: str
    kind: str


class Node(NamedTuple):
    path: str
    kind: str
    provider: str
    title: str
    description: str
    frontmatter: Mapping[str, Any]
    body_hash: str
    frontmatter_hash: str
    bytes: Triple
    modified_at_ms: int | None = None
    tokens: Triple | None = None
    links_out: int = 0
    links_in: int = 0
    external_refs: tuple[ExternalRef, ...] = ()
    tags: tuple[Tag, ...] = ()
    virtual: bool = False
    derived_from: tuple[str, ...] = ()

    @property
    def qualified_kind(self) -> str:
        return f"{self.provider}/{self.kind}"


class Occurrence(NamedTuple):
    """One place in the source that says the same thing."""

    extractor: str
    """Short id."""
    original: str
    line: int
    offset: int


class Link(NamedTuple):
    source: str
    target: str
    kind: str
    confidence: float
    sources: tuple[str, ...]
    original: str
    normalized: str
    by_name: bool
    line: int
    offset: int
    raw: str
    occurrences: tuple[Occurrence, ...] = ()
    resolved: str | None = None
    """Path of the node that it points at, if it is one."""
    state: str = "broken"
    """`node`; `file` (on disk, but not a node); `outside` (above the root, nobody can say); `reference` (named in
    scan.reference_paths); `mismatch` (the name exists, but not as a kind it may point at); `ambiguous`
    (several nodes of that name are equally near); `broken`."""
    data: dict[str, Any] | None = None


SLOTS = (
    "card.title.right",
    "card.subtitle.left",
    "card.footer.left",
    "card.footer.right",
    "graph.node.alert",
    "inspector.header.badge",
    "inspector.action.button",
    "inspector.body.panel.breakdown",
    "inspector.body.panel.records",
    "inspector.body.panel.tree",
    "inspector.body.panel.key-values",
    "inspector.body.panel.link-list",
    "inspector.body.panel.markdown",
    "topbar.nav.start",
)


class View(NamedTuple):
    """An entry of a manifest's `ui` map: where and how a payload is shown."""

    slot: str
    label: str = ""
    tooltip: str = ""
    icon: str | None = None
    empty_text: str = ""
    emit_when_empty: bool = False
    priority: int = 100


class Contribution(NamedTuple):
    path: str
    extension: str
    """Qualified id."""
    key: str
    """Of the manifest's `ui` map."""
    slot: str
    payload: Mapping[str, Any]


_PLAIN = "markdown"
"""The kind of a page without another one, whatever its format; people call it a page."""
_PAGE = "page"


def shown_kind(kind: str) -> str:
    return _PAGE if kind == _PLAIN else kind


def stored_kind(kind: str) -> str:
    return _PLAIN if kind == _PAGE else kind


def qualified_kind(node: Node) -> str:
    """As people read it."""
    return _PAGE if node.kind == _PLAIN else node.qualified_kind


def node_json(node: Node) -> dict[str, Any]:
    out: dict[str, Any] = {
        "path": node.path,
        "kind": node.kind,
        "provider": node.provider,
        "title": node.title,
        "description": node.description,
        "frontmatter": dict(node.frontmatter),
        "bodyHash": node.body_hash,
        "frontmatterHash": node.frontmatter_hash,
        "bytes": triple_json(node.bytes),
        "linksOutCount": node.links_out,
        "linksInCount": node.links_in,
        "externalRefsCount": len(node.external_refs),
        "tags": [{"tag": tag.tag, "source": tag.source} for tag in node.tags],
    }
    if node.tokens is not None:
        out["tokens"] = triple_json(node.tokens)
    if node.modified_at_ms is not None:
        out["modifiedAtMs"] = node.modified_at_ms
    if node.external_refs:
        out["externalRefs"] = [
            {"url": ref.url, "line": ref.line, "originalTrigger": ref.original} for ref in node.external_refs
        ]
    if node.virtual:
        out["virtual"] = True
        out["derivedFrom"] = list(node.derived_from)
    return out


def triple_json(triple: Triple) -> dict[str, int]:
    return {"frontmatter": triple.frontmatter, "body": triple.body, "total": triple.total}


def link_json(link: Link) -> dict[str, Any]:
    out: dict[str, Any] = {
        "source": link.source,
        "target": link.target,
        "kind": link.kind,
        "confidence": link.confidence,
        "sources": list(link.sources),
        "trigger": {"originalTrigger": link.original, "normalizedTrigger": link.normalized},
        "location": {"line": link.line, "offset": link.offset},
        "raw": link.raw,
        "state": link.state,
        "occurrences": [
            {
                "extractor": seen.extractor,
                "originalTrigger": seen.original,
                "location": {"line": seen.line, "offset": seen.offset},
            }
            for seen in link.occurrences
        ],
    }
    if link.resolved is not None:
        out["resolvedTarget"] = link.resolved
    if link.data:
        out["data"] = dict(link.data)
    return out


def issue_json(issue: Issue) -> dict[str, Any]:
    out: dict[str, Any] = {
        "analyzerId": issue.analyzer,
        "severity": str(issue.severity),
        "nodeIds": list(issue.nodes),
        "message": issue.message,
    }
    if issue.line is not None:
        out["line"] = issue.line
    if issue.detail is not None:
        out["detail"] = issue.detail
    if issue.fix is not None:
        out["fix"] = {"summary": issue.fix.summary, "autofixable": issue.fix.autofixable}
    if issue.data is not None:
        out["data"] = dict(issue.data)
    return out


LinkKind = Literal["invokes", "references", "mentions", "points"]
LINK_KINDS: tuple[LinkKind, ...] = ("invokes", "references", "mentions", "points")

Scope = Literal["body", "frontmatter", "sidecar"]


class Candidate(NamedTuple):
    """One reading of a signal: which extractor thinks that it is what kind of link to where."""

    extractor: str
    """Qualified id, `plugin/extension`."""
    kind: str
    target: str
    confidence: float
    original: str
    """The trigger as it was written."""
    normalized: str
    """The trigger as names are compared; for path-style links the target itself."""
    by_name: bool = False
    """True when the target is a name to look up, not a path."""
    data: dict[str, Any] | None = None
    rationale: str = ""


class Signal(NamedTuple):
    """A stretch of a file, and what it may mean. Offsets are code points of the body, the line is of the file."""

    scope: str
    start: int
    end: int
    line: int
    raw: str
    candidates: tuple[Candidate, ...]
    field_path: str = ""
    context: str = ""


RejectionReason = Literal[
    "kind-priority", "higher-confidence", "longer-range", "earlier-declaration", "inside-url", "inactive-provider"
]


class Rejection(NamedTuple):
    """Why a signal did not become a link: the signal that won against it, and the step that decided."""

    signal: Signal
    extractor: str
    """Of the candidate that lost."""
    kind: str
    target: str
    reason: str
    winner_extractor: str
    winner_start: int
    winner_end: int
    winner_line: int


_new = tuple.__new__  # a named tuple made without its own __new__, which is most of the cost of making one


@cache
def _json() -> tuple[Callable[[Any], str], Callable[[str], tuple[Any, int]]]:
    """Imported when the first signal is stored: extensions import this module, and need no JSON."""
    from json import JSONDecoder, JSONEncoder

    return JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False).encode, JSONDecoder().raw_decode


def _dump(value: Any) -> str:
    return _json()[0](value)


def _load(text: str) -> Any:
    """JSON that we wrote ourselves: no blanks around it to look for."""
    return _json()[1](text)[0]


class Emitters:
    """Extractors with the kinds of link they emit, as numbers: a signal names its emitter by one."""

    def __init__(self, known: Iterable[tuple[int, str, str]] = ()) -> None:
        self._numbers = {(extractor, kind): id for id, extractor, kind in known}
        self._names = {id: pair for pair, id in self._numbers.items()}
        self._fresh: list[tuple[int, str, str]] = []

    def number(self, extractor: str, kind: str) -> int:
        found = self._numbers.get((extractor, kind))
        if found is None:
            found = max(self._names, default=0) + 1
            self._numbers[extractor, kind] = found
            self._names[found] = (extractor, kind)
            self._fresh.append((found, extractor, kind))
        return found

    def name(self, number: int) -> tuple[str, str]:
        return self._names[number]

    def take_fresh(self) -> list[tuple[int, str, str]]:
        """Those that were numbered since the last call."""
        fresh, self._fresh = self._fresh, []
        return fresh


# Nearly every signal is of the body with one candidate; it is stored as ten values in a row, where 0 stands for "the
# same as": target = raw, original = raw, normalized = target. The others are stored as objects that say it all.


def dump_signals(signals: Iterable[Signal], emitters: Emitters) -> str:
    return f"[{','.join([_packed(signal, emitters) for signal in signals])}]"


def _packed(signal: Signal, emitters: Emitters) -> str:
    scope, start, end, line, raw, candidates, field_path, context = signal
    if len(candidates) != 1 or scope != "body" or field_path or context:
        return _dump(_whole(signal))
    extractor, kind, target, confidence, original, normalized, by_name, data, rationale = candidates[0]
    if data is not None or rationale:
        return _dump(_whole(signal))
    number = emitters.number(extractor, kind)
    text = f"{raw}{target}{original}{normalized}"
    if not (text.isprintable() and '"' not in text and "\\" not in text):
        short = (0 if target == raw else target, 0 if original == raw else original)
        rest = (0 if normalized == target else normalized, 1 if by_name else 0)
        return _dump([start, end, line, raw, number, short[0], confidence, short[1], *rest])
    # Nothing to escape, as nearly always: written down without the encoder, which would take several times as long.
    return (
        f'[{start},{end},{line},"{raw}",{number},'
        f"{0 if target == raw else _QUOTED % target},{confidence!r},"
        f"{0 if original == raw else _QUOTED % original},"
        f"{0 if normalized == target else _QUOTED % normalized},{1 if by_name else 0}]"
    )


_QUOTED = '"%s"'


def _whole(signal: Signal) -> dict[str, Any]:
    return {**signal._asdict(), "candidates": [list(candidate) for candidate in signal.candidates]}


def load_signals(text: str, emitters: Emitters) -> list[Signal]:
    return [_unpack_signal(packed, emitters) for packed in _load(text)]


def _unpack_signal(packed: Any, emitters: Emitters) -> Signal:
    if type(packed) is dict:
        candidates = tuple(Candidate(*candidate) for candidate in packed["candidates"])
        return Signal(**{**packed, "candidates": candidates})
    start, end, line, raw, emitter, target, confidence, original, normalized, by_name = packed
    extractor, kind = emitters.name(emitter)
    target = raw if target == 0 else target
    candidate = (
        extractor,
        kind,
        target,
        confidence,
        raw if original == 0 else original,
        target if normalized == 0 else normalized,
        by_name == 1,
        None,
        "",
    )
    return _new(Signal, ("body", start, end, line, raw, (_new(Candidate, candidate),), "", ""))


def dump_rejections(rejections: Iterable[Rejection]) -> str:
    return _dump([[_whole(r.signal), *r[1:]] for r in rejections])


def load_rejections(text: str) -> list[Rejection]:
    nobody = Emitters()
    return [Rejection(_unpack_signal(packed, nobody), *rest) for packed, *rest in _load(text)]


def without(text: str, emitters: Emitters, extractors: Collection[str]) -> list[Signal]:
    """These signals less the candidates of some extractors."""
    kept = []
    for signal in load_signals(text, emitters):
        candidates = tuple(c for c in signal.candidates if c.extractor not in extractors)
        if candidates:
            kept.append(signal._replace(candidates=candidates))
    return kept
