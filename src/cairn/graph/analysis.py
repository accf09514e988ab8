"""Asking the analyzers, phase by phase, about no more of the graph than a change can have reached."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, Protocol

from cairn.core.extension_points import PHASES, Analyzer, AnalyzerManifest, KindSpec, Reach
from cairn.core.model.graph import Link, Node, Rejection, View
from cairn.core.model.issue import Issue, Severity
from cairn.core.ports.graph import ContributionRow, Degree, GraphView, IssueCount, ScoreRow, SharedName
from cairn.core.ports.runtime import Progress, Silent
from cairn.core.ports.store import FocusView, ScanSession
from cairn.core.registry import (
    FAILING,
    BadEmission,
    ExtensionFailure,
    LoadedExtension,
    Registry,
    as_json,
    failure,
    must_be_text,
)
from cairn.core.repository.repository import Repository
from cairn.graph.extraction import Providers, declared_view


class Op(NamedTuple):
    """One operation of one analyzer on one link."""

    extension: str
    """Qualified id: the fold goes in its order."""
    op: str
    value: float


def fold(base: float, ops: Iterable[Op]) -> float:
    """The last `set`, then the sum of the deltas, then the highest floor, then the lowest ceiling, then one clamp.

    Sorting by the whole operation makes the result independent of the order in which they came, also when one
    extension says two things.
    """
    ordered = sorted(ops)
    value = next((op.value for op in reversed(ordered) if op.op == "set"), base)
    value += sum(op.value for op in ordered if op.op == "delta")
    value = max([value, *(op.value for op in ordered if op.op == "floor")])
    value = min([value, *(op.value for op in ordered if op.op == "ceil")])
    return round(min(1.0, max(0.0, value)), 6)


LIFTED = 1.0
"""What every link's confidence is before the score phase."""

_OPS = ("set", "delta", "floor", "ceil")

LinkKey = tuple[str, str, str, str]


class AnalysisReport(NamedTuple):
    failures: list[ExtensionFailure]
    ran: list[str]
    """Stamps of the analyzers that ran to their end."""


class AnalysisContext:
    """What one analyzer sees and calls."""

    def __init__(
        self, loaded: LoadedExtension[Analyzer], view: FocusView, lens: Providers, asked: set[str] | None
    ) -> None:
        self.settings = loaded.settings
        self.active_provider = lens.active
        self.ops: list[tuple[LinkKey, Op]] = []
        self.shown: list[tuple[str, str, str, str]] = []
        self._loaded = loaded
        self._view = view
        self._lens = lens
        self._asked = asked
        """Paths of the nodes in focus; None for all."""
        self._kinds = frozenset(loaded.manifest.precondition.kind)
        self._counts: dict[int, str] = {}

    @property
    def graph(self) -> GraphView:
        return self._view.graph()

    def nodes(self, *, mentioning: str | None = None) -> Iterator[Node]:
        nodes = self._view.nodes(mentioning)
        return (n for n in nodes if n.qualified_kind in self._kinds) if self._kinds else nodes

    def links(self, *, state: str | None = None) -> Iterator[Link]:
        return self._view.links(state)

    def self_links(self) -> Iterator[Link]:
        return self._view.self_links()

    def mixed_links(self) -> Iterator[tuple[str, str, tuple[Link, ...]]]:
        return self._view.mixed_links()

    def repeated_links(self) -> Iterator[tuple[str, str, tuple[Link, ...]]]:
        return self._view.repeated_links()

    def links_to(self, targets: Iterable[str]) -> Iterator[Link]:
        return self._view.links_to(targets)

    def rejections(self) -> Iterator[tuple[str, Rejection]]:
        return self._view.rejections()

    def shared_names(self, origin: str = "name") -> Iterator[SharedName]:
        return self._view.shared_names(origin)

    def facts(self, extractor: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
        return self._view.facts(extractor)

    def reserved(self) -> frozenset[str]:
        return self._view.reserved()

    def degrees(self) -> Iterator[Degree]:
        return self._view.degrees()

    def issue_counts(self) -> Iterator[IssueCount]:
        return self._view.issue_counts()

    def kind_spec(self, node: Node) -> KindSpec | None:
        return self._lens.spec(node.provider, node.kind)

    def namespace(self, node: Node) -> str | None:
        return self._lens.namespace(node.provider, node.path)

    def adjust_confidence(self, link: Link, op: Literal["set", "delta", "floor", "ceil"], value: float) -> None:
        if self._loaded.manifest.phase != "score":
            raise BadEmission("confidence can be adjusted in the score phase only")
        if op not in _OPS or not isinstance(value, int | float) or not abs(value) <= 1:
            raise BadEmission(f"confidence is adjusted by {', '.join(_OPS)} and a number up to 1, not `{op}` {value!r}")
        self.must_be_asked(link.source)
        key = (link.source, link.target, link.kind, link.normalized)
        self.ops.append((key, Op(self._loaded.qualified, op, value)))

    def emit_contribution(self, path: str, view: View | str, payload: Mapping[str, Any]) -> None:
        key, declared = declared_view(self._loaded.manifest.ui, view)
        self.must_be_asked(path)
        self.shown.append((path, key, declared.slot, self._payload(payload)))

    def _payload(self, payload: Mapping[str, Any]) -> str:
        """Counters say the same few things about thousands of nodes; numbers up to 99 are written down once."""
        value = payload.get("value")
        if len(payload) > 1 or type(value) is not int or not 0 <= value < 100:
            return as_json(payload)
        if value not in self._counts:
            self._counts[value] = as_json(payload)
        return self._counts[value]

    def must_be_asked(self, path: str) -> None:
        """What it says about other nodes could not be replaced when they change."""
        if self._asked is not None and path not in self._asked:
            reach = self._loaded.manifest.reach
            raise BadEmission(f"it declares reach `{reach}` but reported `{path}`, which it was not asked about")


class Analysis:
    """One run over the analyzers. `dirty` are the nodes that changed, or whose links did; None for all."""

    def __init__(
        self,
        session: ScanSession,
        analyzers: Sequence[LoadedExtension[Analyzer]],
        lens: Providers,
        dirty: Collection[int] | None,
    ) -> None:
        self._session = session
        self._lens = lens
        self._dirty = None if dirty is None else set(dirty)
        self._analyzers = [a for a in analyzers if a.manifest.phase != "read" and _speaks(a.manifest, lens.active)]
        self._report = AnalysisReport([], [])
        self._named: set[str] = set()
        """Paths named by issues that changed."""

    def recount(self) -> AnalysisReport:
        """Only the last phase: issues changed that no analyzer made."""
        for loaded in self._analyzers:
            if loaded.manifest.phase == "aggregate":
                self._ask(loaded, self._focus(loaded.manifest.reach))
            else:
                self._report.ran.append(loaded.stamp)
        return self._report

    def run(self) -> AnalysisReport:
        self._session.drop_issues(rules=self._session.issue_analyzers() - {a.qualified for a in self._analyzers})
        for phase in PHASES:
            members = [a for a in self._analyzers if a.manifest.phase == phase]
            if phase == "aggregate":
                self._dirty = self._with_named()
            if phase == "score":
                self._score(members)
            else:
                for loaded in members:
                    self._ask(loaded, self._focus(loaded.manifest.reach))
        return self._report

    def _with_named(self) -> set[int] | None:
        """What counts issues has to look at every node that any changed issue names."""
        if self._dirty is None:
            return None
        return self._dirty | set(self._session.ids(self._named).values())

    def _focus(self, reach: Reach) -> set[int] | None:
        if self._dirty is None or reach == "graph":
            return None
        return self._dirty if reach == "node" else self._dirty | self._session.neighbours(self._dirty)

    def _score(self, members: Sequence[LoadedExtension[Analyzer]]) -> None:
        """All of the phase over the widest reach among them, since their operations are folded together."""
        if not members:
            if self._dirty is None:  # the last one of the phase may have gone
                self._session.put_scores(None, [])
            return
        reach = max((m.manifest.reach for m in members), key=("node", "neighbours", "graph").index)
        focus = self._focus(reach)
        ops: dict[LinkKey, list[Op]] = {}
        for loaded in members:
            for key, op in self._ask(loaded, focus).ops:
                ops.setdefault(key, []).append(op)
        ids = self._session.ids({key[0] for key in ops})
        rows = [row for key, said in ops.items() if key[0] in ids for row in _score_rows(ids[key[0]], key, said)]
        self._session.put_scores(focus, rows)

    def _ask(self, loaded: LoadedExtension[Analyzer], focus: set[int] | None) -> AnalysisContext:
        paths = None if focus is None else self._session.paths(focus)
        context = AnalysisContext(loaded, self._session.focus(focus), self._lens, paths)
        try:
            issues = [_owned(loaded, issue, context) for issue in loaded.extension.evaluate(context)]
        except FAILING as error:
            self._report.failures.append(failure(loaded, "", error))
            issues = []
            context.ops.clear()
            context.shown.clear()
        else:
            self._report.ran.append(loaded.stamp)
        self._named |= self._session.put_issues(loaded.qualified, paths, issues)
        self._show(loaded, focus, context)
        return context

    def _show(self, loaded: LoadedExtension[Analyzer], focus: set[int] | None, context: AnalysisContext) -> None:
        if not loaded.manifest.ui:
            return
        ids = self._session.ids({path for path, *_ in context.shown})
        rows = [
            ContributionRow(ids[path], loaded.qualified, key, slot, payload)
            for path, key, slot, payload in context.shown
            if path in ids
        ]
        self._session.replace_contributions(loaded.qualified, focus, rows)


def _speaks(manifest: AnalyzerManifest, active: str | None) -> bool:
    wanted = manifest.precondition.provider
    return manifest.mode == "deterministic" and (not wanted or active in wanted)


def _owned(loaded: LoadedExtension[Analyzer], issue: Issue, context: AnalysisContext) -> Issue:
    """The issue under this analyzer's own name, provided that it can be stored and shown."""
    if not isinstance(issue, Issue):
        raise BadEmission(f"it reported {issue!r}, which is not an Issue")
    if not isinstance(issue.nodes, tuple | list) or not issue.nodes:
        raise BadEmission("it reported an issue that names no node")
    must_be_text(*issue.nodes, issue.message, issue.detail or "", issue.fix.summary if issue.fix else "")
    if issue.severity not in tuple(Severity):
        raise BadEmission(f"`{issue.severity}` is not a severity; there are {', '.join(Severity)}")
    if issue.line is not None and not isinstance(issue.line, int):
        raise BadEmission(f"{issue.line!r} is not the number of a line")
    as_json(issue.data)
    context.must_be_asked(issue.path)
    return issue if issue.analyzer == loaded.id else issue._replace(analyzer=loaded.id)


def _score_rows(source: int, key: LinkKey, ops: Sequence[Op]) -> Iterator[ScoreRow]:
    """One attribution row for every operation, each with what all of them together came to."""
    _, target, kind, normalized = key
    result = fold(LIFTED, ops)
    for op in sorted(ops):
        yield ScoreRow(source, target, kind, normalized, op.extension, op.op, op.value, result)


class ReadAnalyzer(Protocol):
    """Looks at a repository and reports what it can prove."""

    def evaluate(self, ctx: Repository) -> Iterable[Issue]: ...


class ReadResult(NamedTuple):
    issues: list[Issue]
    failures: list[ExtensionFailure]
    timings: list[tuple[str, float]]
    """Each analyzer with its seconds. The first one that needs history or code pays for reading it."""


def run_read_phase(
    registry: Registry, repository: Repository, progress: Progress | None, now: Callable[[], float]
) -> ReadResult:
    """An analyzer that fails is named, and takes nobody else's results with it."""
    result = ReadResult([], [], [])
    members = [loaded for loaded in registry.analyzers if loaded.manifest.phase == "read"]
    for number, loaded in enumerate(members, 1):
        (progress or Silent()).step(f"checking {loaded.id}", number, len(members))
        started = now()
        analyzer: ReadAnalyzer = loaded.extension  # type: ignore[assignment]
        try:
            result.issues.extend(analyzer.evaluate(repository))
        except FAILING as error:
            result.failures.append(failure(loaded, "", error))
        result.timings.append((loaded.id, now() - started))
        (progress or Silent()).event("analyzer.completed", analyzerId=loaded.qualified)
    return result
