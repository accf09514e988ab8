"""Reading the graph with the shared queries."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from cairn.adapters.storage.sql import codec
from cairn.adapters.storage.sql.database import Database
from cairn.core.model.graph import Contribution, Link, Node, Rejection, Tag, load_rejections
from cairn.core.model.issue import Issue
from cairn.core.ports.graph import Degree, GraphView, IssueCount, NodeFilter, SharedName

_PAGE = 500

_ISSUES_AT_NODE = "(SELECT count(*) FROM scan_issues i WHERE i.path = n.path)"
_SORTS = {
    "path": "n.path",
    "kind": "n.kind, n.path",
    "bytes": "n.bytes_frontmatter + n.bytes_body DESC, n.path",
    "links-in": "n.links_in DESC, n.path",
    "links-out": "n.links_out DESC, n.path",
    "external-refs": "n.external_refs_count DESC, n.path",
    "issues": f"{_ISSUES_AT_NODE} DESC, n.path",
    "modified": "n.modified_at_ms DESC NULLS LAST, n.path",
}
SORTS = tuple(_SORTS)


class SqlGraph:
    def __init__(self, database: Database) -> None:
        self._db = database

    def node(self, path: str) -> Node | None:
        return next(self._nodes("n.path = :path", {"path": path}), None)

    def nodes(self, paths: Iterable[str] | None = None) -> Iterator[Node]:
        if paths is None:
            return self._nodes("", {})
        return self._nodes("n.path IN [:paths]", {"paths": list(paths)})

    def find_nodes(self, wanted: NodeFilter) -> Iterator[Node]:
        where, parameters = self._conditions(wanted)
        limit = "LIMIT :limit OFFSET :skip" if wanted.limit is not None else ""
        if limit:
            parameters |= {"limit": wanted.limit, "skip": wanted.offset}
        return self._nodes(where, parameters, _SORTS[wanted.sort_by], limit)

    def count_nodes(self, wanted: NodeFilter) -> int:
        where, parameters = self._conditions(wanted)
        return int(next(iter(self._db.rows("count_nodes", parameters, where=where)))[0])

    def _conditions(self, wanted: NodeFilter) -> tuple[str, dict[str, Any]]:
        conditions: list[str] = []
        parameters: dict[str, Any] = {}
        if wanted.kinds:
            conditions.append("(n.kind IN [:kinds] OR n.provider || '/' || n.kind IN [:kinds])")
            parameters["kinds"] = list(wanted.kinds)
        if wanted.without:
            conditions.append("NOT n.kind IN [:without]")
            parameters["without"] = list(wanted.without)
        if wanted.providers:
            conditions.append("n.provider IN [:providers]")
            parameters["providers"] = list(wanted.providers)
        if wanted.tags:
            conditions.append("n.id IN (SELECT t.node_id FROM scan_node_tags t WHERE t.tag IN [:tags])")
            parameters["tags"] = list(wanted.tags)
        if wanted.issues == "any":
            conditions.append("n.path IN (SELECT i.path FROM scan_issues i)")
        elif wanted.issues is not None:
            conditions.append("n.path IN (SELECT i.path FROM scan_issues i WHERE i.analyzer = :analyzer)")
            parameters["analyzer"] = wanted.issues
        if wanted.path_glob is not None:
            conditions.append(self._db.glob("n.path", "path_glob"))
            parameters["path_glob"] = self._db.glob_value(wanted.path_glob)
        return " AND ".join(conditions), parameters

    def _nodes(
        self, where: str, parameters: dict[str, Any], order: str = "n.path", limit: str = "", focused: bool = False
    ) -> Iterator[Node]:
        """Pages are built one ahead, so that the rows are complete before the next query runs."""
        rows = self._db.rows("nodes", parameters, focused=focused, where=where, order=order, limit=limit)
        for page in _pages(rows):
            tags = self._tags([row[0] for row in page])
            yield from [codec.node(row[1:], tags.get(row[0], ())) for row in page]

    def _tags(self, ids: list[int]) -> dict[int, list[Tag]]:
        found: dict[int, list[Tag]] = {}
        for id, tag, source in self._db.rows("tags", {"ids": ids}):
            found.setdefault(id, []).append(Tag(tag, source))
        return found

    def links(self, *, source: str | None = None, resolved: str | None = None) -> Iterator[Link]:
        conditions = ["s.path = :source"] * (source is not None) + ["r.path = :resolved"] * (resolved is not None)
        parameters = {"source": source, "resolved": resolved}
        used = {key: value for key, value in parameters.items() if value is not None}
        return map(codec.link, self._db.rows("links", used, where=" AND ".join(conditions)))

    def issues(self, *, path: str | None = None, analyzers: tuple[str, ...] = ()) -> Iterator[Issue]:
        conditions: list[str] = []
        parameters: dict[str, Any] = {}
        if path is not None:
            # "contains" as both databases say it; LIKE would take `_` for any character and, on one of them, a for A
            conditions.append("(i.path = :path OR replace(i.others, :quoted, '') <> i.others)")
            parameters |= {"path": path, "quoted": json.dumps(path, ensure_ascii=False)}
        if analyzers:
            conditions.append("i.analyzer IN [:analyzers]")
            parameters["analyzers"] = list(analyzers)
        return map(codec.issue, self._db.rows("issues", parameters, where=" AND ".join(conditions)))

    def contributions(self, path: str) -> Iterator[Contribution]:
        for extension, key, slot, payload in self._db.rows("contributions", {"path": path}):
            yield Contribution(path, extension, key, slot, json.loads(payload))


class SqlFocus:
    """The questions of analyzers over some nodes, or over all."""

    def __init__(self, database: Database, ids: Collection[int] | None) -> None:
        self._db = database
        self._ids = None if ids is None else list(ids)
        self._graph = SqlGraph(database)

    def _rows(self, query: str, parameters: dict[str, Any] | None = None, where: str = "") -> Iterator[Sequence[Any]]:
        """Other queries may move the focus while an iterator is open, so the rows are fetched at once."""
        if self._ids is not None:
            self._db.focus(self._ids)
        return iter(list(self._db.rows(query, parameters, focused=self._ids is not None, where=where)))

    def graph(self) -> GraphView:
        return self._graph

    def nodes(self, mentioning: str | None = None) -> Iterator[Node]:
        conditions: list[str] = []
        parameters: dict[str, Any] = {}
        if self._ids is not None:
            conditions.append("n.id IN [:ids]")
            parameters["ids"] = self._ids
        if mentioning is not None:
            conditions.append("replace(n.frontmatter, :mentioning, '') <> n.frontmatter")
            parameters["mentioning"] = mentioning
        return self._graph._nodes(" AND ".join(conditions), parameters)

    def links(self, state: str | None) -> Iterator[Link]:
        if state is None:
            return map(codec.link, self._rows("links"))
        return map(codec.link, self._rows("links", {"state": state}, "l.state = :state"))

    def self_links(self) -> Iterator[Link]:
        return map(codec.link, self._rows("self_links"))

    def mixed_links(self) -> Iterator[tuple[str, str, tuple[Link, ...]]]:
        return self._grouped("mixed_links")

    def repeated_links(self) -> Iterator[tuple[str, str, tuple[Link, ...]]]:
        return self._grouped("repeated_links")

    def _grouped(self, query: str) -> Iterator[tuple[str, str, tuple[Link, ...]]]:
        links = map(codec.link, self._rows(query))
        for (source, target), group in groupby(links, key=lambda link: (link.source, link.resolved or link.target)):
            yield source, target, tuple(group)

    def links_to(self, targets: Iterable[str]) -> Iterator[Link]:
        wanted = list(targets)
        if not wanted:
            return iter(())
        return map(codec.link, self._rows("links", {"targets": wanted}, "r.path IN [:targets]"))

    def rejections(self) -> Iterator[tuple[str, Rejection]]:
        for path, text in self._rows("rejections"):
            for rejection in load_rejections(text):
                yield path, rejection

    def shared_names(self, origin: str = "name") -> Iterator[SharedName]:
        for name, rows in groupby(self._rows("shared_names", {"origin": origin}), key=lambda row: row[0]):
            yield SharedName(name, tuple(row[1] for row in rows))

    def facts(self, extractor: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
        return ((path, json.loads(value)) for path, value in self._rows("extractor_facts", {"extractor": extractor}))

    def reserved(self) -> frozenset[str]:
        return frozenset(row[0] for row in self._db.rows("reserved"))

    def degrees(self) -> Iterator[Degree]:
        for path, links_in, links_out, loops in self._rows("degrees"):
            if links_in > loops or links_out > loops:
                yield Degree(path, links_in - loops, links_out - loops)

    def issue_counts(self) -> Iterator[IssueCount]:
        """Most issues name one node and are counted by the database; the few that name several are added here."""
        wanted = None if self._ids is None else {row[0] for row in self._db.rows("paths", {"ids": self._ids})}
        if wanted is None:
            rows = self._db.rows("issue_counts")
        else:
            rows = self._db.rows("issue_counts_at", {"paths": list(wanted)})
        counts = {path: [errors, warnings] for path, errors, warnings in rows}
        for path, others, severity in self._db.rows("issues_naming_others"):
            for other in set(json.loads(others)) - {path}:
                if wanted is None or other in wanted:
                    counts.setdefault(other, [0, 0])[severity != "error"] += 1
        for path in sorted(counts):
            yield IssueCount(path, counts[path][0], counts[path][1])


def _pages(rows: Iterator[Sequence[Any]]) -> Iterator[list[Sequence[Any]]]:
    page: list[Sequence[Any]] = []
    for row in rows:
        page.append(row)
        if len(page) == _PAGE:
            yield page
            page = []
    if page:
        yield page
