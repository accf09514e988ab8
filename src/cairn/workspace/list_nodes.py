"""A list of nodes as a person asks for it, each with how many issues are shown at it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cairn.core.model.graph import Node, node_json, shown_kind, stored_kind
from cairn.core.model.issue import Issue, Severity, places_of
from cairn.core.model.knowledge import Corpus
from cairn.core.ports.graph import NodeFilter
from cairn.core.ports.store import Store
from cairn.core.scope import Scope
from cairn.knowledge.serving_status import page_scope

_ORDER = list(Severity)


@dataclass(frozen=True, slots=True)
class ListedNode:
    node: Node
    issues: int = 0
    worst: Severity | None = None


@dataclass(frozen=True, slots=True)
class NodeList:
    rows: tuple[ListedNode, ...]
    total: int
    """Before limit and offset."""

    def json(self, corpora: tuple[Corpus, ...]) -> dict[str, Any]:
        scopes = ((row.node.path, page_scope(row.node.path, corpora)) for row in self.rows if not row.node.virtual)
        return {
            "nodes": [node_json(row.node) for row in self.rows],
            "issuesCounts": {row.node.path: row.issues for row in self.rows if row.issues},
            "scopes": {path: str(scope) for path, scope in scopes if scope is not Scope.CURRENT},
            "total": self.total,
        }


def list_nodes(
    store: Store,
    wanted: NodeFilter,
    keep: Callable[[str], bool] | None = None,
    issues: Sequence[Issue] | None = None,
) -> NodeList:
    """`keep` is a condition on paths that the store knows nothing about, `issues` are counted and asked for instead of
    those of the scan."""
    if issues is not None:
        return _with_findings(store, wanted, keep, issues)
    if keep is not None:
        return _kept(list_nodes(store, wanted._replace(limit=None, offset=0)).rows, wanted, keep)
    total = store.count_nodes(wanted)
    if wanted.limit is None and wanted.offset:
        wanted = wanted._replace(limit=total)
    if wanted.offset >= total:
        return NodeList((), total)
    troubles = _troubles(store.issues())
    rows = (ListedNode(node, *troubles.get(node.path, (0, None))) for node in store.find_nodes(wanted))
    return NodeList(tuple(rows), total)


def _with_findings(
    store: Store, wanted: NodeFilter, keep: Callable[[str], bool] | None, issues: Sequence[Issue]
) -> NodeList:
    by_count = wanted.sort_by == "issues"
    asked = wanted._replace(issues=None, limit=None, offset=0, sort_by="path" if by_count else wanted.sort_by)
    named = _troubles(issue for issue in issues if wanted.issues in (None, "any", issue.analyzer))
    troubles = _troubles(issues)
    rows = [ListedNode(node, *troubles.get(node.path, (0, None))) for node in store.find_nodes(asked)]
    if by_count:
        rows.sort(key=lambda row: -row.issues)
    return _kept(rows, wanted, lambda path: (wanted.issues is None or path in named) and (keep is None or keep(path)))


def _kept(rows: Iterable[ListedNode], wanted: NodeFilter, keep: Callable[[str], bool]) -> NodeList:
    kept = tuple(row for row in rows if keep(row.node.path))
    end = None if wanted.limit is None else wanted.offset + wanted.limit
    return NodeList(kept[wanted.offset : end], len(kept))


def _troubles(issues: Iterable[Issue]) -> dict[str, tuple[int, Severity]]:
    """For each path the number of issues with a place there, and the worst severity."""
    found: dict[str, tuple[int, Severity]] = {}
    for issue in issues:
        for path in {place.path for place in places_of(issue)}:
            count, worst = found.get(path, (0, issue.severity))
            found[path] = (count + 1, min(worst, issue.severity, key=_ORDER.index))
    return found


def words(values: Iterable[str]) -> tuple[str, ...]:
    """`a,b` and repeated options come to the same."""
    return tuple(word.strip() for value in values for word in value.split(",") if word.strip())


def kinds_of(values: Iterable[str]) -> tuple[str, ...]:
    """As `words`; `page` is what a plain page is called."""
    return tuple(map(stored_kind, words(values)))


def rule_name(analyzer: str | None) -> str | None:
    """Issues carry the short id, `core/reference-broken` is `reference-broken`."""
    return None if analyzer is None else analyzer.rpartition("/")[2]


def glob_of(path: str | None) -> str | None:
    """A folder stands for all that is below it."""
    return f"{path}*" if path and path.endswith("/") else path


def why_empty(store: Store, wanted: NodeFilter, issues: Sequence[Issue]) -> str:
    """A sentence that says what there is instead."""
    if not store.count_nodes(NodeFilter()):
        return "the graph is empty: no file was recognised when it was scanned"
    kinds = store.kinds()
    missing = [kind for kind in wanted.kinds if kind.rpartition("/")[2] not in kinds]
    if missing:
        return f"no document fits; there is no kind `{missing[0]}`, there are {_counted(kinds)}"
    rules = sorted({issue.analyzer for issue in issues})
    if wanted.issues not in (None, "any", *rules):
        there = ", ".join(rules) or "no analyzer"
        return f"no document fits; `{wanted.issues}` found nothing, there are issues of {there}"
    if wanted.offset:
        return f"no document fits; --offset skips all {store.count_nodes(wanted)} of them"
    return "no document fits"


def _counted(kinds: Mapping[str, int]) -> str:
    return ", ".join(f"{shown_kind(kind)} ({number})" for kind, number in kinds.items())
