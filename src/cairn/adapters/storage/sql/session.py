"""One scan's transaction, over any database that speaks the shared queries."""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from cairn.adapters.storage.sql import codec
from cairn.adapters.storage.sql.database import Database
from cairn.adapters.storage.sql.view import SqlFocus
from cairn.core.model.graph import Emitters
from cairn.core.model.issue import Issue
from cairn.core.ports.graph import (
    Appearance,
    ContributionRow,
    EnrichmentRow,
    LinkTarget,
    MissingNode,
    NameRow,
    NodeRow,
    Orphan,
    Rename,
    ScoreRow,
    StoredNode,
    TagRow,
    TextRow,
    VirtualRow,
)
from cairn.core.ports.runtime import FoundFile
from cairn.core.ports.store import FocusView
from cairn.journal import new_id

DERIVED = (
    "scan_meta",
    "scan_nodes",
    "scan_aside",
    "scan_signals",
    "scan_extractor_sets",
    "scan_emitters",
    "scan_names",
    "scan_node_tags",
    "scan_virtuals",
    "scan_enrichments",
    "scan_contributions",
    "scan_links",
    "scan_rejections",
    "scan_link_scores",
    "scan_issues",
)
KEPT = (
    "state_renames",
    "state_orphans",
    "state_favorites",
    "state_plugin_values",
    "state_sources",
    "state_source_texts",
    "state_links",
    "state_attempts",
    "state_audits",
    "state_findings",
    "state_jobs",
    "state_job_contents",
    "state_executions",
)
CACHED = ("cache_outlines", "cache_results", "cache_vectors")
INDEXED = (
    "index_ledger_files",
    "index_events",
    "index_event_names",
    "index_facts",
    "index_turns",
    "index_notes",
    "index_alerts",
    "index_cleared",
    "index_gap_days",
    "index_gap_batches",
    "index_gap_voices",
    "index_gap_names",
    "index_gap_excerpts",
    "index_readings",
    "index_trust_artefacts",
    "index_trust_ballots",
    "index_trust_rejected",
    "index_trust_strikes",
    "index_trust_tallies",
    "index_trust_dirty",
)
"""Made of the ledger's events, and made again when they are empty: the offsets go with what was read up to there."""
_HANGS_ON_NODE = (
    "scan_signals",
    "scan_names",
    "scan_node_tags",
    "scan_contributions",
    "scan_enrichments",
    "scan_virtuals",
    "scan_rejections",
)

_NODE_COLUMNS = ", ".join(NodeRow._fields)
_LINK_COLUMNS = 'seq, source_id, target, kind, resolved_id, state, confidence, name, line, "offset", seen, detail'
_ISSUE_COLUMNS = "extension, analyzer, severity, path, others, line, message, detail, fix, data"
KERNEL = "kernel"


class SqlSession:
    def __init__(self, database: Database) -> None:
        self._db = database
        self.abandoned = False
        self._sets: dict[tuple[str, ...], int] | None = None
        self._emitters: Emitters | None = None
        self._had_nodes = self.last_id() > 0 or bool(self.set_aside_paths())

    def abandon(self) -> None:
        self.abandoned = True

    # --- what is there -------------------------------------------------------------------------------------------

    def meta(self) -> Mapping[str, Any]:
        return read_meta(self._db)

    def facts(self) -> set[tuple[str, int, int, int]]:
        return read_facts(self._db)

    def ids(self, paths: Collection[str]) -> dict[str, int]:
        return dict(self._pairs("ids", paths=list(paths))) if paths else {}

    def _pairs(self, query: str, **parameters: Any) -> Iterator[tuple[Any, Any]]:
        return ((first, second) for first, second in self._db.rows(query, parameters))

    def paths(self, ids: Collection[int]) -> set[str]:
        return self._column("paths", ids=list(ids))

    def living(self, ids: Collection[int]) -> set[int]:
        return self._column("living", ids=list(ids)) if ids else set()

    def _column(self, query: str, **parameters: Any) -> set[Any]:
        return {row[0] for row in self._db.rows(query, parameters)}

    def last_id(self) -> int:
        return int(next(iter(self._db.rows("last_id")))[0])

    def last_text_id(self) -> int:
        return int(next(iter(self._db.rows("last_text_id")))[0])

    def gone(self, paths: Collection[str]) -> list[MissingNode]:
        rows = self._db.rows("gone", {"paths": list(paths)})
        return [MissingNode(path, bytes(body), bytes(front)) for path, body, front in rows]

    def stored(self, ids: Collection[int] | None = None) -> Iterator[StoredNode]:
        rows = self._db.rows("stored_all") if ids is None else self._db.rows("stored", {"ids": list(ids)})
        for id, path, kind, provider, signals in rows:
            yield StoredNode(id, path, kind, provider, signals)

    def rows(self, ids: Collection[int] | None = None) -> Iterator[NodeRow]:
        rows = self._db.rows("rows_all") if ids is None else self._db.rows("rows", {"ids": list(ids)})
        return map(_node_row, rows)

    def virtual_rows(self) -> list[NodeRow]:
        return [_node_row(row) for row in self._db.rows("rows_virtual")]

    def targets(self, paths: Collection[str] | None = None) -> list[LinkTarget]:
        rows = self._db.rows("targets_all") if paths is None else self._db.rows("targets", {"paths": list(paths)})
        return [LinkTarget(*row) for row in rows]

    def named(self, names: Collection[str] | None = None) -> list[tuple[str, LinkTarget]]:
        rows = self._db.rows("named_all") if names is None else self._db.rows("named", {"names": list(names)})
        return [(row[0], LinkTarget(*row[1:])) for row in rows]

    def names_by_node(self, ids: Collection[int]) -> dict[int, set[str]]:
        found: dict[int, set[str]] = {}
        for id, name in self._pairs("names_by_node", ids=list(ids)):
            found.setdefault(id, set()).add(name)
        return found

    def linkers(self, *, paths: Collection[str], names: Collection[str]) -> set[int]:
        found: set[int] = set()
        if paths:
            found |= self._column("linkers_by_path", paths=list(paths))
            found |= self._column("linkers_by_resolved", paths=list(paths))
        if names:
            found |= self._column("linkers_by_name", names=list(names))
        return found

    def loose_targets(self) -> list[tuple[str, str | None, str]]:
        return [(target, name, state) for target, name, state in self._db.rows("loose_targets")]

    def neighbours(self, ids: Collection[int]) -> set[int]:
        return self._column("neighbours", ids=list(ids))

    def resolved_from(self, ids: Collection[int]) -> set[int]:
        return self._column("resolved_from", ids=list(ids)) if ids else set()

    def virtuals(self) -> list[tuple[str, str, str, str, str]]:
        return [(path, kind, provider, title, file) for path, kind, provider, title, file in self._db.rows("virtuals")]

    # --- writing -------------------------------------------------------------------------------------------------

    def extractor_set(self, extractors: Sequence[str]) -> int:
        key = tuple(sorted(extractors))
        sets = self._known_sets()
        if key not in sets:
            sets[key] = max(sets.values(), default=0) + 1
            self._db.run("add_extractor_set", {"id": sets[key], "extractors": json.dumps(key)})
        return sets[key]

    def _known_sets(self) -> dict[tuple[str, ...], int]:
        if self._sets is None:
            self._sets = {tuple(json.loads(text)): id for id, text in self._db.rows("extractor_sets")}
        return self._sets

    def extractor_sets(self) -> dict[int, tuple[str, ...]]:
        return {id: key for key, id in self._known_sets().items()}

    def nodes_with_set(self, set_id: int) -> list[tuple[int, str, str]]:
        return [(id, path, claims) for id, path, claims in self._db.rows("nodes_with_set", {"set_id": set_id})]

    def refit(self, id: int, gone: Collection[str], signals: str, set_id: int) -> None:
        self._db.run("set_signals", {"id": id, "signals": signals})
        for query in ("drop_contributions_of", "drop_enrichments_of"):
            self._db.run(query, {"id": id, "extensions": list(gone)})
        self._db.run("set_extractors", {"id": id, "set_id": set_id})

    def put_nodes(self, rows: Sequence[NodeRow]) -> None:
        self._db.insert("scan_nodes", _NODE_COLUMNS, rows, replace=self._had_nodes)

    def forget_details(self, ids: Collection[int]) -> None:
        wanted = list(ids)
        for table in _HANGS_ON_NODE:
            self._db.delete_where(table, "node_id", wanted)
        self._db.run("drop_kernel_issues_of", {"ids": wanted})

    def put_signals(self, rows: Sequence[tuple[int, str]]) -> None:
        self._db.insert("scan_signals", "node_id, signals", rows)

    def emitters(self, pairs: Iterable[tuple[str, str]] = ()) -> Emitters:
        if self._emitters is None:
            self._emitters = Emitters((id, by, kind) for id, by, kind in self._db.rows("emitters"))
        for extractor, kind in pairs:
            self._emitters.number(extractor, kind)
        fresh = self._emitters.take_fresh()
        if fresh:
            self._db.insert("scan_emitters", "id, extractor, kind", fresh)
        return self._emitters

    def put_names(self, rows: Sequence[NameRow]) -> None:
        self._db.insert("scan_names", "name, node_id, origin", rows)

    def put_tags(self, rows: Sequence[TagRow]) -> None:
        self._db.insert("scan_node_tags", "node_id, tag, source", rows)

    def put_contributions(self, rows: Sequence[ContributionRow]) -> None:
        self._db.insert("scan_contributions", "node_id, extension, key, slot, payload", rows, replace=True)

    def put_enrichments(self, rows: Sequence[EnrichmentRow]) -> None:
        self._db.insert("scan_enrichments", "node_id, extractor, value", rows, replace=True)

    def put_virtuals(self, rows: Sequence[VirtualRow]) -> None:
        self._db.insert("scan_virtuals", "node_id, path, kind, provider, title", rows, replace=True)

    def put_texts(self, rows: Sequence[TextRow]) -> None:
        self._db.put_texts(rows)

    def clear_texts(self) -> None:
        self._db.run("clear_texts")

    def text_counts(self) -> tuple[int, int]:
        rows, current = next(iter(self._db.rows("text_counts")))
        return int(rows), int(current)

    def set_claims(self, rows: Sequence[tuple[int, str]]) -> None:
        self._db.each("set_claims", ({"id": id, "claims": claims} for id, claims in rows))

    def set_severity(self, rules: Collection[str], severity: str) -> None:
        self._db.run("set_severity", {"rules": list(rules), "severity": severity})

    def set_appearances(self, rows: Sequence[Appearance]) -> None:
        self._db.each("set_appearance", (row._asdict() for row in rows))

    def replace_names(self, ids: Collection[int], rows: Sequence[NameRow]) -> None:
        self._db.delete_where("scan_names", "node_id", list(ids))
        self.put_names(rows)

    def touch(self, rows: Sequence[FoundFile]) -> None:
        self._db.each("touch", ({**row._asdict(), "modified_at_ms": row.mtime_ns // 1_000_000} for row in rows))

    def drop_nodes(self, ids: Collection[int]) -> None:
        wanted = list(ids)
        self.forget_details(wanted)
        for table in ("scan_links", "scan_link_scores"):
            self._db.delete_where(table, "source_id", wanted)
        self._db.run("loosen", {"ids": wanted})
        self._db.run("drop_issues_of_nodes", {"ids": wanted})
        self._db.run("drop_nodes", {"ids": wanted})

    def set_aside(self, rows: Sequence[tuple[FoundFile, str]]) -> None:
        if rows:
            self.drop_aside([file.path for file, _ in rows])
            self._db.insert("scan_aside", "path, size, mtime_ns, inode, rule", [(*file, rule) for file, rule in rows])

    def set_aside_paths(self) -> dict[str, str]:
        return dict(self._pairs("aside"))

    def drop_aside(self, paths: Collection[str]) -> None:
        if paths and self._had_nodes:
            self._db.run("drop_aside", {"paths": list(paths)})
            self._db.run("drop_aside_issues", {"paths": list(paths)})

    def put_links(self, sources: Collection[int], rows: Sequence[tuple[Any, ...]]) -> None:
        if self._had_nodes:
            self._db.delete_where("scan_links", "source_id", list(sources))
        self._db.insert("scan_links", _LINK_COLUMNS, ((seq, *row) for seq, row in enumerate(rows)))

    def put_rejections(self, sources: Collection[int], rows: Sequence[tuple[int, str]]) -> None:
        if self._had_nodes:
            self._db.delete_where("scan_rejections", "node_id", list(sources))
        self._db.insert("scan_rejections", "node_id, rejections", rows)

    def put_external_refs(self, rows: Sequence[tuple[int, str | None, int]]) -> None:
        changed = rows if self._had_nodes else [row for row in rows if row[2]]
        self._db.each("set_external_refs", ({"id": id, "refs": refs, "count": count} for id, refs, count in changed))

    def settle(self, ids: Collection[int] | None) -> None:
        if ids is not None:
            self._db.focus(ids)
        self._db.run("count_links_of", focused=ids is not None)

    def put_scores(self, focus: Collection[int] | None, rows: Sequence[ScoreRow]) -> None:
        if focus is not None:
            self._db.focus(focus)
        for query in ("drop_scores", "plain_confidence"):
            self._db.run(query, focused=focus is not None)
        columns = "source_id, target, kind, normalized, extension, op, value, result"
        self._db.insert("scan_link_scores", columns, rows)
        results = {(row.source_id, row.target, row.kind): row.result for row in rows}
        # By their places: looking each one up among the links of its source would be quadratic in a page of many.
        places = self._db.rows("link_places", {"ids": list({row.source_id for row in rows})})
        known = [(source, seq, results.get((source, target, kind))) for source, target, kind, seq in places]
        changed = ({"source_id": s, "seq": n, "result": result} for s, n, result in known if result is not None)
        self._db.each("set_confidence", changed)

    def put_issues(self, extension: str, focus: Collection[str] | None, issues: Sequence[Issue]) -> set[str]:
        wanted = Counter(codec.issue_row(extension, issue) for issue in issues)
        stale: list[int] = []
        named: set[str] = set()
        for id, *row in self._issues_of(extension, focus):
            key: Any = tuple(row)
            if wanted[key] > 0:
                wanted[key] -= 1
            else:
                stale.append(id)
                named.update(codec.named_paths(row))
        fresh = list(wanted.elements())
        named.update(path for row in fresh for path in codec.named_paths(row))
        if stale:
            self._db.run("drop_issues_by_id", {"ids": stale})
        self._db.insert("scan_issues", _ISSUE_COLUMNS, fresh)
        return named

    def _issues_of(self, extension: str, focus: Collection[str] | None) -> Iterable[Sequence[Any]]:
        if focus is None:
            return self._db.rows("issues_of", {"extension": extension})
        return self._db.rows("issues_of_at", {"extension": extension, "paths": list(focus)})

    def add_issues(self, issues: Sequence[Issue]) -> None:
        if issues:
            rows = [codec.issue_row(KERNEL, issue) for issue in issues]
            self._db.insert("scan_issues", _ISSUE_COLUMNS, rows)

    def drop_issues(self, *, rules: Collection[str], paths: Collection[str] | None = None) -> None:
        if not rules:
            return
        if paths is None:
            self._db.run("drop_issues_everywhere", {"rules": list(rules)})
        else:
            self._db.run("drop_issues_at", {"rules": list(rules), "paths": list(paths)})

    def issue_analyzers(self) -> set[str]:
        return self._column("issue_analyzers")

    def replace_contributions(
        self, extension: str, focus: Collection[int] | None, rows: Sequence[ContributionRow]
    ) -> None:
        """Only what is different is written: counters say the same about most nodes as before."""
        if focus is not None:
            self._db.focus(focus)
        stored = {
            tuple(row) for row in self._db.rows("contributions_of", {"extension": extension}, focused=focus is not None)
        }
        wanted = set(map(tuple, rows))
        gone = stored - wanted
        self._db.each("drop_contribution", ({"node_id": row[0], "extension": extension, "key": row[2]} for row in gone))
        self.put_contributions([row for row in rows if tuple(row) not in stored])

    def drop_contributions(self, *, keep: Collection[str]) -> None:
        gone = self._column("contributing") - set(keep)
        if gone:
            self._db.run("drop_contributions_from", {"extensions": list(gone)})

    def set_meta(self, values: Mapping[str, Any]) -> None:
        self._db.each("put_meta", ({"key": key, "value": json.dumps(value)} for key, value in values.items()))

    def clear(self) -> None:
        self._db.empty(DERIVED)
        self._db.run("clear_texts")
        self._sets = None
        self._emitters = None
        self._had_nodes = False

    # --- kept state ----------------------------------------------------------------------------------------------

    def record_renames(self, renames: Sequence[Rename]) -> None:
        self._db.each(
            "add_rename",
            ({**r._asdict(), "id": r.id or new_id(r.at_ms), "candidates": json.dumps(r.candidates)} for r in renames),
        )

    def move_state(self, old: str, new: str) -> int:
        from cairn.adapters.storage.sql.sources import row_key

        moved = {"old": old, "new": new}
        rows = sum(self._db.run(query, moved) for query in ("move_favorites", "move_plugin_values"))
        for query in ("move_jobs", "move_executions"):  # follow the file, and are no state that an orphan is kept for
            self._db.run(query, moved)
        return rows + self._db.run("move_attempts", {**moved, "key": row_key(new)})

    def record_orphans(self, orphans: Sequence[Orphan]) -> None:
        self._db.each("add_orphan", (orphan._asdict() for orphan in orphans))

    def forget_orphans(self, paths: Collection[str]) -> int:
        return self._db.run("drop_orphans", {"paths": list(paths)}) if paths else 0

    def forget_rename(self, id: str) -> None:
        self._db.run("drop_renames", {"id": id})

    def focus(self, ids: Collection[int] | None) -> FocusView:
        return SqlFocus(self._db, ids)


"""A third of the price of calling the class, and an unchanged scan makes nothing else."""


def _node_row(row: Sequence[Any]) -> NodeRow:
    made = NodeRow(*row)
    return made._replace(body_hash=bytes(made.body_hash), frontmatter_hash=bytes(made.frontmatter_hash))


def read_facts(db: Database) -> set[tuple[str, int, int, int]]:
    return set(db.rows("facts"))  # type: ignore[arg-type]


def read_meta(database: Database) -> dict[str, Any]:
    return {key: json.loads(value) for key, value in database.rows("meta")}
