"""The extension points: what a provider, extractor, analyzer, action, formatter or hook declares and does.

An extension is an object with a `manifest` and one method. Its id is the name of its module or folder, its plugin's
id the name of the plugin; both together, `plugin/extension`, are the key in the registry. Extensions return data or
call back into the context they are handed; they never write files.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, Protocol, get_args

from cairn.core.frozen_record import FrozenRecord
from cairn.core.model.graph import Candidate, Link, Node, Rejection, View
from cairn.core.model.issue import Issue
from cairn.core.ports.graph import Degree, GraphView, IssueCount, SharedName
from cairn.lib.document.document import Document

ExtensionKind = Literal["provider", "extractor", "analyzer", "action", "formatter", "hook", "lens"]
EXTENSION_KINDS: tuple[ExtensionKind, ...] = get_args(ExtensionKind)

Stability = Literal["experimental", "beta", "stable", "deprecated"]
Mode = Literal["deterministic", "probabilistic"]
Phase = Literal["score", "detect", "aggregate", "read"]
Reach = Literal["node", "neighbours", "graph"]
PHASES: tuple[Phase, ...] = ("score", "detect", "aggregate")
"""Of a scan. Analyzers of the phase `read` need files beside the documents, or history; see `read_phase.py`."""

# What is declared here is cheap on purpose: this module is imported by every command that scans.

TRIGGERS = (
    "boot",
    "scan.started",
    "scan.completed",
    "extractor.completed",
    "analyzer.completed",
    "action.completed",
    "job.spawning",
    "job.completed",
    "job.failed",
    "shutdown",
)


NOTHING: Mapping[str, Any] = MappingProxyType({})


class Precondition(NamedTuple):
    """When an extension has anything to say. Empty means always."""

    kind: tuple[str, ...] = ()
    """Qualified kinds, `provider/kind`."""
    provider: tuple[str, ...] = ()
    """Ids of which the active provider must be one."""
    analyzer_ids: tuple[str, ...] = ()
    """Of an action: qualified ids of the analyzers whose issues it answers."""


ALWAYS = Precondition()


class Setting(NamedTuple):
    """A value that a user may set at `plugins.<plugin>.extensions.<extension>.settings.<id>`."""

    type: str
    label: str
    default: Any = None
    description: str = ""


class Manifest(FrozenRecord):
    """What every extension declares."""

    version: str
    description: str
    stability: Stability = "stable"
    order: int = 100
    settings: Mapping[str, Setting] = NOTHING
    ui: Mapping[str, View] = NOTHING

    @property
    def on_by_default(self) -> bool:
        return self.stability not in ("experimental", "deprecated")


# --- provider -------------------------------------------------------------------------------------------------------

Identifier = Literal["frontmatter.name", "filename-basename", "dirname", "knowledge"]
"""Where a name comes from. `knowledge`: what pages of knowledge call each other, in a room of its own, so that no
`@name` or `/name` leads there."""
Parser = Literal["frontmatter-yaml", "toml"]


class Presentation(NamedTuple):
    label: str
    color: str
    color_dark: str | None = None
    emoji: str | None = None
    hide_chip: bool = False


class KindSpec(NamedTuple):
    """A kind of node that a provider knows."""

    label: str
    color: str
    identifiers: tuple[Identifier, ...] = ()
    """By which names other nodes may call it."""
    schema: Mapping[str, Any] | None = None
    """JSON Schema of its frontmatter."""
    emoji: str | None = None
    virtual: bool = False
    prefix: str = ""
    """A prefix that a call may put before a name, such as `agent-` in `@agent-reviewer`."""


class ProviderManifest(Manifest):
    presentation: Presentation
    kinds: Mapping[str, KindSpec]
    markers: tuple[str, ...] = ()
    """Paths whose presence says that this provider is used here."""
    host_markers: Mapping[str, tuple[str, ...]] = NOTHING
    """For ids of other providers, further paths whose presence says that those are used here."""
    roots: tuple[str, ...] = ()
    """Folders (with a trailing slash) outside of which it claims nothing. Empty: everywhere."""
    gated: bool = False
    """True: it claims only while it is the active provider, or while none is."""
    extensions: tuple[str, ...] = (".md",)
    """File names that it wants to see end with one of these; one without a dot, such as `readme`, is a whole name."""
    parser: Parser = "frontmatter-yaml"
    resolution: Mapping[str, tuple[str, ...]] = NOTHING
    """For each kind of link, the kinds of node that a name may resolve to while this provider is active, the preferred
    one first."""
    kind_priority: tuple[str, ...] = ()
    """Kinds of link, most wanted first, when signals overlap."""
    reserved_names: Mapping[str, frozenset[str]] = NOTHING
    """For each kind, names that the host keeps for itself (already normalised)."""
    built_in_names: frozenset[str] = frozenset()
    """Further names that the host answers to without a file (already normalised); a call of one is not broken."""
    skill_dir: str | None = None
    aka: tuple[str, ...] = ()


class Provider(Protocol):
    """Recognises files."""

    @property
    def manifest(self) -> ProviderManifest: ...

    def classify(self, path: str, frontmatter: Mapping[str, Any]) -> str | None:
        """The kind of the file at this path, or None when it is not this provider's."""
        ...


class Placeable(Protocol):
    """A provider that has to know which files there are has these besides."""

    @property
    def stamp(self) -> str:
        """Changes whenever the same file may be classified otherwise."""
        ...

    def placed(self, paths: Iterable[str], exists: Callable[[str], bool], read: Callable[[str], str]) -> Provider:
        """Itself among these files. `read` gives an empty text for a file that cannot be read."""
        ...

    def namespace(self, path: str) -> str | None:
        """What may stand before the name of a file, as in `plugin:name`."""
        ...


class Bindable(Protocol):
    """Any extension that has to know the corpora of the workspace has this method besides."""

    def within(self, knowledge: Any) -> "AnyExtension":
        """Itself as it is there. It gets a `KnowledgeBase`, which is above this room."""
        ...


# --- extractor ------------------------------------------------------------------------------------------------------


class ExtractorManifest(Manifest):
    scope: Literal["frontmatter", "body", "both"] = "body"
    precondition: Precondition = ALWAYS


class ExtractorContext(Protocol):
    """One file at a time, and the ways to say what was seen in it. Reused from file to file: keep no reference."""

    document: Document
    settings: Mapping[str, Any]

    def emit_signal(self, start: int, end: int, raw: str, *candidates: Candidate) -> None:
        """A stretch of the body, with one or more readings. `candidate()` makes them."""
        ...

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
        """A signal with one reading, the usual case."""
        ...

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
        """A link that stands in the frontmatter; with `normalized` the target is a name to look up. An address of the
        web is a link only if `data` has a `node`: then it leads to the virtual node of that address."""
        ...

    def emit_node(self, path: str, kind: str, *, provider: str, title: str = "") -> None:
        """A virtual node that this file implies."""
        ...

    def enrich_node(self, value: Mapping[str, Any]) -> None:
        """Facts kept beside the node; the author's frontmatter is never touched."""
        ...

    def emit_contribution(self, view: View | str, payload: Mapping[str, Any]) -> None:
        """Something to show: the view declared in the manifest's `ui`, or its key."""
        ...

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
        """One reading of a signal, in the name of this extractor."""
        ...


class Extractor(Protocol):
    """Reads one file and says what may be a link in it."""

    @property
    def manifest(self) -> ExtractorManifest: ...

    def extract(self, ctx: ExtractorContext) -> None: ...


# --- analyzer -------------------------------------------------------------------------------------------------------


class AnalyzerManifest(Manifest):
    phase: Phase = "detect"
    reach: Reach = "node"
    """How far an edit can reach: `node` looks at a node and its own links, `neighbours` also at the nodes at the
    other end of links in both directions, `graph` at everything. After an edit only what it can reach runs again."""
    mode: Mode = "deterministic"
    precondition: Precondition = ALWAYS


class AnalyzerContext(Protocol):
    """Lazy views of what there is to look at.

    Everything here is limited to the nodes that have to be looked at again; after a cold scan, and for analyzers of
    reach `graph`, these are all. `graph` sees everything and is for looking up what is next to them. An issue must
    name a node in focus first.
    """

    settings: Mapping[str, Any]
    active_provider: str | None

    @property
    def graph(self) -> GraphView: ...

    def nodes(self, *, mentioning: str | None = None) -> Iterator[Node]:
        """The nodes in focus, or those of them whose frontmatter has this word somewhere."""
        ...

    def links(self, *, state: str | None = None) -> Iterator[Link]:
        """Links out of the nodes in focus, optionally only those in one state."""
        ...

    def self_links(self) -> Iterator[Link]: ...

    def mixed_links(self) -> Iterator[tuple[str, str, tuple[Link, ...]]]:
        """(source, target, links) where one pair is linked by two kinds or more, `points` left out."""
        ...

    def repeated_links(self) -> Iterator[tuple[str, str, tuple[Link, ...]]]:
        """(source, resolved target, links) with two occurrences or more."""
        ...

    def links_to(self, targets: Iterable[str]) -> Iterator[Link]:
        """Links out of the nodes in focus that resolve to one of these nodes."""
        ...

    def rejections(self) -> Iterator[tuple[str, Rejection]]:
        """(source, rejection) for every signal that lost against another."""
        ...

    def shared_names(self, origin: str = "name") -> Iterator[SharedName]:
        """Names declared in the frontmatter of two nodes or more; with origin `knowledge`, those of pages of
        knowledge."""
        ...

    def reserved(self) -> frozenset[str]:
        """Paths of the nodes, anywhere, whose name the host keeps for itself."""
        ...

    def facts(self, extractor: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """(path, value) of what this extractor (qualified) kept beside the nodes in focus by `enrich_node`."""
        ...

    def degrees(self) -> Iterator[Degree]:
        """In and out counts of each node in focus, loops to itself left out."""
        ...

    def issue_counts(self) -> Iterator[IssueCount]:
        """Errors and warnings of each node in focus that has any."""
        ...

    def kind_spec(self, node: Node) -> KindSpec | None:
        """What the node's provider says about its kind."""
        ...

    def namespace(self, node: Node) -> str | None:
        """What may stand before the names of the node: of `/plugin:name` the plugin."""
        ...

    def adjust_confidence(self, link: Link, op: Literal["set", "delta", "floor", "ceil"], value: float) -> None:
        """Score phase only: one operation on a link's confidence, attributed to this analyzer."""
        ...

    def emit_contribution(self, path: str, view: View | str, payload: Mapping[str, Any]) -> None: ...


class Analyzer(Protocol):
    """Looks at the graph and says what is wrong."""

    @property
    def manifest(self) -> AnalyzerManifest: ...

    def evaluate(self, ctx: AnalyzerContext) -> Iterable[Issue]: ...


# --- action, formatter, hook ----------------------------------------------------------------------------------------


class ActionManifest(Manifest):
    mode: Mode = "deterministic"
    expected_seconds: int | None = None
    """How long a model needs for it; required when probabilistic."""
    writes: tuple[Literal["sidecar"], ...] = ()
    precondition: Precondition = ALWAYS
    prompt: Mapping[str, Any] | None = None


class Action(Protocol):
    """Does something about a node when asked. What it wants written it returns."""

    @property
    def manifest(self) -> ActionManifest: ...

    def invoke(self, request: Mapping[str, Any], ctx: Any) -> Mapping[str, Any]: ...


class FormatterManifest(Manifest):
    content_type: str = "text/plain"


class FormatterContext(NamedTuple):
    """The graph, or the part of it that was asked for, in a fixed order."""

    nodes: tuple[Node, ...]
    links: tuple[Link, ...]
    issues: tuple[Issue, ...]
    kinds: Mapping[str, KindSpec]
    """By qualified kind."""
    title: str
    root: str | None = None
    """The node that the picture is about, if it is about one."""
    summary: str = ""
    """What the repository is about, in its own words."""


class Formatter(Protocol):
    """Renders a graph; the same graph gives the same bytes."""

    @property
    def manifest(self) -> FormatterManifest: ...

    def format(self, ctx: FormatterContext) -> str: ...


class HookManifest(Manifest):
    triggers: tuple[str, ...]
    filter: Mapping[str, Any] = NOTHING
    """Top-level keys of the event's data that must equal these values."""


class HookContext(NamedTuple):
    event: str
    data: Mapping[str, Any]
    settings: Mapping[str, Any]
    store: Any
    queue: Callable[[str, Mapping[str, Any]], None]
    """`queue(action, payload)` submits a job; nothing else has an effect."""


class Hook(Protocol):
    """Is told that something happened; cannot stop or change it."""

    @property
    def manifest(self) -> HookManifest: ...

    def on(self, ctx: HookContext) -> None: ...


AnyExtension = Provider | Extractor | Analyzer | Action | Formatter | Hook


class ExtensionRef(NamedTuple):
    """Where an extension lives, so that it is imported only when it is needed."""

    kind: ExtensionKind
    id: str
    module: str
    """Dotted name of a module that has the object as `extension`."""
    layouts: tuple[str, ...] = ()
    """It is about corpora of these layouts, and not even imported where there is none of them. Empty: always."""


class Plugin(NamedTuple):
    """A named bundle of extensions."""

    id: str
    version: str
    description: str
    extensions: tuple[ExtensionRef, ...]

    @classmethod
    def of(
        cls,
        id: str,
        package: str,
        version: str,
        description: str,
        extensions: Iterable[str] | Mapping[str, tuple[str, ...]],
    ) -> "Plugin":
        """Extensions as `kind/id`; the module is `<package>.<kinds>.<id with underscores>`. In a mapping, each with
        the layouts of the corpora that it is about."""
        layouts = extensions if isinstance(extensions, Mapping) else {}
        refs = tuple(_ref(package, name)._replace(layouts=layouts.get(name, ())) for name in extensions)
        return cls(id, version, description, refs)


def _ref(package: str, name: str) -> ExtensionRef:
    kind, _, id = name.partition("/")
    known = next((k for k in EXTENSION_KINDS if k == kind), None)
    if known is None or not id:
        raise ValueError(f"`{name}` is not `kind/id`; the kinds are {', '.join(EXTENSION_KINDS)}")
    return ExtensionRef(known, id, f"{package}.{folder_of(known)}.{id.replace('-', '_')}")


def folder_of(kind: str) -> str:
    """Where a plugin has its extensions of a kind."""
    return "lenses" if kind == "lens" else f"{kind}s"
