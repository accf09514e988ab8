"""Everything that a scan stores, without what may differ between two ways to the same graph: ids, times, file facts."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from cairn.core.model.graph import Emitters, load_signals

_PASSING = {"id", "size", "mtime_ns", "inode", "modified_at_ms", "text_id", "extractors"}
_PASSING_META = ("scanned_at_ms", "changed_at_ms", "files_walked")

_QUERIES = {
    "names": "SELECT m.name, n.path, m.origin FROM scan_names m JOIN scan_nodes n ON n.id = m.node_id",
    "tags": "SELECT n.path, t.tag, t.source FROM scan_node_tags t JOIN scan_nodes n ON n.id = t.node_id",
    "links": """SELECT s.path, l.target, l.kind, r.path, l.state, l.confidence, l.name, l.line, l."offset", l.seen,
        l.detail FROM scan_links l JOIN scan_nodes s ON s.id = l.source_id
        LEFT JOIN scan_nodes r ON r.id = l.resolved_id""",
    "rejections": "SELECT n.path, j.rejections FROM scan_rejections j JOIN scan_nodes n ON n.id = j.node_id",
    "scores": """SELECT n.path, s.target, s.kind, s.normalized, s.extension, s.op, s.value, s.result
        FROM scan_link_scores s JOIN scan_nodes n ON n.id = s.source_id""",
    "issues": """SELECT extension, analyzer, severity, path, others, line, message, detail, fix, data
        FROM scan_issues""",
    "contributions": """SELECT n.path, c.extension, c.key, c.slot, c.payload
        FROM scan_contributions c JOIN scan_nodes n ON n.id = c.node_id""",
    "enrichments": """SELECT n.path, e.extractor, e.value
        FROM scan_enrichments e JOIN scan_nodes n ON n.id = e.node_id""",
    "virtuals": """SELECT n.path, v.path, v.kind, v.provider, v.title
        FROM scan_virtuals v JOIN scan_nodes n ON n.id = v.node_id""",
    "aside": "SELECT path, rule FROM scan_aside",
}

_ORPHANED = {
    "signals": "SELECT count(*) FROM scan_signals WHERE node_id NOT IN (SELECT id FROM scan_nodes)",
    "names": "SELECT count(*) FROM scan_names WHERE node_id NOT IN (SELECT id FROM scan_nodes)",
    "tags": "SELECT count(*) FROM scan_node_tags WHERE node_id NOT IN (SELECT id FROM scan_nodes)",
    "links": "SELECT count(*) FROM scan_links WHERE source_id NOT IN (SELECT id FROM scan_nodes)",
    "targets": """SELECT count(*) FROM scan_links
        WHERE resolved_id IS NOT NULL AND resolved_id NOT IN (SELECT id FROM scan_nodes)""",
    "contributions": "SELECT count(*) FROM scan_contributions WHERE node_id NOT IN (SELECT id FROM scan_nodes)",
    "enrichments": "SELECT count(*) FROM scan_enrichments WHERE node_id NOT IN (SELECT id FROM scan_nodes)",
    "virtuals": "SELECT count(*) FROM scan_virtuals WHERE node_id NOT IN (SELECT id FROM scan_nodes)",
    "rejections": "SELECT count(*) FROM scan_rejections WHERE node_id NOT IN (SELECT id FROM scan_nodes)",
    "scores": "SELECT count(*) FROM scan_link_scores WHERE source_id NOT IN (SELECT id FROM scan_nodes)",
}


def snapshot(store: Any) -> dict[str, Any]:
    """The derived zone of a store, comparable with that of any other store."""
    found: dict[str, Any] = {"nodes": _nodes(store), "signals": _signals(store), "meta": _meta(store)}
    for name, query in _QUERIES.items():
        found[name] = sorted((_plain(row) for row in rows(store, query)), key=repr)
    found["leftovers"] = {name: rows(store, query)[0][0] for name, query in _ORPHANED.items()}
    return found


def rows(store: Any, query: str) -> list[tuple[Any, ...]]:
    """The answer to a query in plain SQL."""
    return list(store._db._execute(query))


def _nodes(store: Any) -> dict[str, dict[str, Any]]:
    sets = {id: sorted(json.loads(text)) for id, text in rows(store, "SELECT id, extractors FROM scan_extractor_sets")}
    cursor = store._db._execute("SELECT * FROM scan_nodes")
    columns = [column[0] for column in cursor.description]
    found = {}
    for row in cursor:
        values = dict(zip(columns, row, strict=True))
        kept = {key: _value(value) for key, value in values.items() if key not in _PASSING}
        found[values["path"]] = {**kept, "extractors": sets.get(values["extractors"])}
    return found


def _signals(store: Any) -> dict[str, list[Any]]:
    known = Emitters(row[:3] for row in rows(store, "SELECT id, extractor, kind FROM scan_emitters"))
    query = "SELECT n.path, s.signals FROM scan_signals s JOIN scan_nodes n ON n.id = s.node_id"
    return {path: sorted(load_signals(text, known), key=repr) for path, text in rows(store, query)}


def _meta(store: Any) -> dict[str, Any]:
    return {key: value for key, value in store.meta().items() if key not in _PASSING_META}


def _plain(row: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(_values(row))


def _values(row: Iterable[Any]) -> Iterator[Any]:
    for value in row:
        yield _value(value)


def _value(value: Any) -> Any:
    return bytes(value).hex() if isinstance(value, bytes | memoryview) else value
