"""Asking the analyzers, phase by phase, about no more of the graph than a change can have reached."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from cairn.kernel.appearance import Lens
from cairn.kernel.extraction import BadEmission, Failure, declared_view
from cairn.kernel.model.contribution import View
from cairn.kernel.model.issue import Issue
from cairn.kernel.model.link import Link
from cairn.kernel.model.node import Node
from cairn.kernel.model.signal import Rejection
from cairn.kernel.points import PHASES, Analyzer, AnalyzerManifest, KindSpec, Reach
from cairn.kernel.ports.graph import Degree, GraphView, IssueCount, SharedName
from cairn.kernel.ports.store import ContributionRow, FocusView, ScanSession, ScoreRow
from cairn.kernel.registry import Loaded
from cairn.kernel.score import Op, fold

LIFTED = 1.0
"""What every link's confidence is before the score phase."""

LinkKey = tuple[str, str, str, str]


@dataclass
class AnalysisReport:
    failures: list[Failure] = field(default_factory=list)
    ran: list[str] = field(default_factory=list)
    """Stamps of the analyzers that ran to their end."""


class Context:
    """What one analyzer sees and calls."""

    def __init__(self, loaded: Loaded[Analyzer], view: FocusView, lens: Lens) -> None:
        self.settings = loaded.settings
        self.active_provider = lens.active
        self.ops: list[tuple[LinkKey, Op]] = []
        self.shown: list[tuple[str, str, str, str]] = []
        self._loaded = loaded
        self._view = view
        self._lens = lens
        self._kinds = frozenset(loaded.manifest.precondition.kind)

    @property
    def graph(self) -> GraphView:
        return self._view.graph()

    def nodes(self) -> Iterator[Node]:
        nodes = self._view.nodes()
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

    def shared_names(self) -> Iterator[SharedName]:
        return self._view.shared_names()

    def reserved(self) -> frozenset[str]:
        return self._view.reserved()

    def degrees(self) -> Iterator[Degree]:
        return self._view.degrees()

    def issue_counts(self) -> Iterator[IssueCount]:
        return self._view.issue_counts()

    def kind_spec(self, node: Node) -> KindSpec | None:
        return self._lens.spec(node.provider, node.kind)

    def adjust_confidence(self, link: Link, op: Literal["set", "delta", "floor", "ceil"], value: float) -> None:
        if self._loaded.manifest.phase != "score":
            raise BadEmission("confidence can be adjusted in the score phase only")
        key = (link.source, link.target, link.kind, link.normalized)
        self.ops.append((key, Op(self._loaded.qualified, op, value)))

    def emit_contribution(self, path: str, view: View | str, payload: Mapping[str, Any]) -> None:
        key, declared = declared_view(self._loaded.manifest.ui, view)
        text = json.dumps(payload, sort_keys=True, ensure_ascii=False)
        self.shown.append((path, key, declared.slot, text))


class Analysis:
    """One run over the analyzers. `dirty` are the nodes that changed, or whose links did; None for all."""

    def __init__(
        self, session: ScanSession, analyzers: Sequence[Loaded[Analyzer]], lens: Lens, dirty: Collection[int] | None
    ) -> None:
        self._session = session
        self._lens = lens
        self._dirty = None if dirty is None else set(dirty)
        self._analyzers = [a for a in analyzers if _speaks(a.manifest, lens.active)]
        self._report = AnalysisReport()
        self._named: set[str] = set()
        """Paths named by issues that changed."""

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

    def _score(self, members: Sequence[Loaded[Analyzer]]) -> None:
        """All of the phase over the widest reach among them, since their operations are folded together."""
        if not members:
            return
        reach = max((m.manifest.reach for m in members), key=("node", "neighbours", "graph").index)
        focus = self._focus(reach)
        ops: dict[LinkKey, list[Op]] = {}
        for loaded in members:
            for key, op in self._ask(loaded, focus).ops:
                ops.setdefault(key, []).append(op)
        ids = self._session.ids({key[0] for key in ops})
        self._session.put_scores(focus, [row for key, said in ops.items() for row in _score_rows(ids, key, said)])

    def _ask(self, loaded: Loaded[Analyzer], focus: set[int] | None) -> Context:
        view = self._session.focus(focus)
        context = Context(loaded, view, self._lens)
        paths = None if focus is None else self._session.paths(focus)
        try:
            issues = [_owned(loaded, issue, paths) for issue in loaded.extension.evaluate(context)]
        except Exception as error:
            text = str(error) if isinstance(error, BadEmission) else f"{type(error).__name__}: {error}"
            self._report.failures.append(Failure(loaded.qualified, loaded.manifest.version, "", text))
            issues = []
            context.ops.clear()
            context.shown.clear()
        else:
            self._report.ran.append(loaded.stamp)
        self._named |= self._session.put_issues(loaded.qualified, paths, issues)
        self._show(loaded, focus, context)
        return context

    def _show(self, loaded: Loaded[Analyzer], focus: set[int] | None, context: Context) -> None:
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


def _owned(loaded: Loaded[Analyzer], issue: Issue, paths: set[str] | None) -> Issue:
    if not issue.nodes:
        raise BadEmission("it reported an issue that names no node")
    if paths is not None and issue.path not in paths:
        reach = loaded.manifest.reach
        raise BadEmission(f"it declares reach `{reach}` but reported `{issue.path}`, which it was not asked about")
    return issue if issue.analyzer == loaded.id else replace(issue, analyzer=loaded.id)


def _score_rows(ids: Mapping[str, int], key: LinkKey, ops: Sequence[Op]) -> Iterator[ScoreRow]:
    """One attribution row for every operation, each with what all of them together came to."""
    source, target, kind, normalized = key
    result = fold(LIFTED, ops)
    for op in sorted(ops):
        yield ScoreRow(ids[source], target, kind, normalized, op.extension, op.op, op.value, result)
