"""The store over any database that speaks the shared queries."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any

from cairn.adapters.storage.sql.database import Database
from cairn.adapters.storage.sql.derived import SqlEvents
from cairn.adapters.storage.sql.session import CACHED, DERIVED, INDEXED, KEPT, SqlSession, read_facts, read_meta
from cairn.adapters.storage.sql.view import SqlGraph
from cairn.core.model.graph import Triple
from cairn.core.ports.graph import Orphan, OutlineRow, Rename, ScoreRow
from cairn.core.ports.ledger import EventKey, EventRow, IndexedEvent, LedgerPosition

if TYPE_CHECKING:  # most commands don't search, or look at the web
    from cairn.core.ports.jobs import JobStore
    from cairn.core.ports.ledger import Purge
    from cairn.core.ports.observe import FindingStore, GapStore
    from cairn.core.ports.search import Term, TextFilter, TextHit, TextQuery, UsageStore, VectorStore
    from cairn.core.ports.sources import SourceStore
    from cairn.core.ports.trust import TrustStore
    from cairn.core.ports.turns import TurnStore

_SEVERITIES = {"error": "errors", "warn": "warnings", "info": "infos"}

_NEVER = 2**62
"""Milliseconds since 1970, later than anything."""

_MANY_TEXTS = 3_000
"""Up to here texts are counted exactly. Beyond, outdated rows count too: looking each one up would take too long."""


class _Abandoned(Exception):
    """A scan that was only for looking: its transaction is rolled back."""


class SqlStore(SqlGraph):
    def __init__(self, database: Database) -> None:
        super().__init__(database)

    @contextmanager
    def scan(self) -> Iterator[SqlSession]:
        try:
            with self._db.roomy(), self._db.writing():
                session = SqlSession(self._db)
                yield session
                if session.abandoned:
                    raise _Abandoned
        except _Abandoned:
            return

    def writing(self) -> AbstractContextManager[None]:
        return self._db.writing()

    def roomy(self) -> AbstractContextManager[None]:
        return self._db.roomy()

    def meta(self) -> Mapping[str, Any]:
        return read_meta(self._db)

    def file_facts(self) -> set[tuple[str, int, int, int]]:
        return read_facts(self._db)

    def counts(self) -> Mapping[str, int]:
        names = {"nodes": "count_visible", "documents": "count_documents", "urls": "count_urls", "links": "count_links"}
        found = {name: self._number(query) for name, query in names.items()}
        found |= dict.fromkeys(_SEVERITIES.values(), 0)
        found |= {_SEVERITIES[severity]: count for severity, count in self._db.rows("count_issues")}
        return found

    def kinds(self) -> Mapping[str, int]:
        return {row[0]: row[1] for row in self._db.rows("count_kinds")}

    def _number(self, query: str, parameters: Mapping[str, Any] | None = None) -> int:
        return int(next(iter(self._db.rows(query, parameters)))[0])

    def scores(self, path: str) -> list[ScoreRow]:
        return [ScoreRow(0, *row) for row in self._db.rows("scores", {"path": path})]

    def enrichments(self, path: str) -> Mapping[str, Any]:
        return {extractor: json.loads(value) for extractor, value in self._db.rows("enrichments", {"path": path})}

    def keep_tokens(self, path: str, tokens: Triple) -> None:
        with self._db.writing():
            self._db.run("set_tokens", {"path": path, "frontmatter": tokens.frontmatter, "body": tokens.body})

    # --- full text -----------------------------------------------------------------------------------------------

    def text_total(self) -> int:
        rows = self._number("count_text_rows")
        found = rows if rows > _MANY_TEXTS else self._number("count_texts")
        return found - self._text_count(_left_out(), found)

    def text_frequency(
        self, term: "Term", *, at_most: int, titled: bool = False, beside: "tuple[Term, ...]" = ()
    ) -> int:
        from cairn.core.ports.search import TextQuery

        query = TextQuery(every=(term,), any=beside, titled=titled)
        found = self._text_count(query._replace(none=_left_out().every), at_most)
        return found or self._text_count(query, at_most)

    def _text_count(self, query: "TextQuery", at_most: int) -> int:
        parameters = {"match": self._db.match(query), "most": at_most}
        rows = self._number("text_frequency", parameters)
        return rows if not rows or rows > _MANY_TEXTS else self._number("text_frequency_now", parameters)

    def search(self, query: "TextQuery", wanted: "TextFilter", limit: int) -> "list[TextHit]":
        from cairn.core.ports.search import TextHit

        where, parameters = self._text_conditions(wanted)
        parameters |= {"match": self._db.match(query), "limit": limit}
        return [TextHit(*row) for row in self._db.rows("search", parameters, where=where)]

    def texts_at(self, paths: "Sequence[str]", wanted: "TextFilter") -> "list[TextHit]":
        from cairn.core.ports.search import TextHit

        where, parameters = self._text_conditions(wanted)
        rows = self._db.rows("texts_at", {**parameters, "at": list(paths)}, where=where)
        return [TextHit(*row) for row in rows]

    def _text_conditions(self, wanted: "TextFilter") -> tuple[str, dict[str, Any]]:
        """Of the frontmatter only whether the words stand in it; the caller looks what they mean there."""
        where, parameters = self._conditions(wanted.nodes)
        conditions = [where] if where else []
        for key, values, also in (("type", wanted.types, ["n.kind IN [:types]"]), ("status", wanted.statuses, [])):
            if values:
                conditions.append(f"({' OR '.join([*also, *_mentions(key, len(values))])})")
                said = {f"{key}{i}": f'"{key}":{json.dumps(v, ensure_ascii=False)}' for i, v in enumerate(values)}
                parameters |= said | ({"types": list(values)} if also else {})
        return " AND ".join(conditions), parameters

    def tag_counts(self) -> dict[str, int]:
        return {row[0]: row[1] for row in self._db.rows("count_tags")}

    # --- kept state ----------------------------------------------------------------------------------------------

    def renames(self) -> list[Rename]:
        return [
            Rename(id, old, new, confidence, tuple(json.loads(candidates)), at)
            for id, old, new, confidence, candidates, at in self._db.rows("renames")
        ]

    def orphans(self) -> list[Orphan]:
        return [
            Orphan(path, since, bytes(body), bytes(front), kept)
            for path, since, body, front, kept in self._db.rows("orphans")
        ]

    def outlines(self) -> Iterator[OutlineRow]:
        return (OutlineRow(*row) for row in self._db.rows("outlines"))

    def keep_outlines(self, rows: Sequence[OutlineRow], gone: Collection[str] = ()) -> None:
        with self._db.writing():
            self._db.run("drop_outlines", {"paths": [*(row.path for row in rows), *gone]})
            self._db.insert("cache_outlines", "path, size, mtime_ns, inode, outline", rows)

    def cached(self, name: str, stamp: str) -> str | None:
        return next((row[0] for row in self._db.rows("cached_result", {"name": name, "stamp": stamp})), None)

    def keep_cached(self, name: str, stamp: str, body: str) -> None:
        with self._db.writing():
            self._db.run("drop_result", {"name": name})
            self._db.insert("cache_results", "name, stamp, body", [(name, stamp, body)])

    @property
    def web(self) -> "SourceStore":
        from cairn.adapters.storage.sql.sources import SqlSources

        return SqlSources(self._db)

    @property
    def turns(self) -> "TurnStore":
        from cairn.adapters.storage.sql.derived import SqlTurns

        return SqlTurns(self._db)

    @property
    def findings(self) -> "FindingStore":
        from cairn.adapters.storage.sql.findings import SqlFindings

        return SqlFindings(self._db)

    @property
    def gaps(self) -> "GapStore":
        from cairn.adapters.storage.sql.derived import SqlGaps

        return SqlGaps(self._db)

    @property
    def usage(self) -> "UsageStore":
        from cairn.adapters.storage.sql.usage import SqlUsage

        return SqlUsage(self._db)

    @property
    def vectors(self) -> "VectorStore":
        from cairn.adapters.storage.sql.vectors import SqlVectors

        return SqlVectors(self._db)

    @property
    def jobs(self) -> "JobStore":
        from cairn.adapters.storage.sql.jobs import SqlJobs

        return SqlJobs(self._db)

    @property
    def trust(self) -> "TrustStore":
        from cairn.adapters.storage.sql.trust import SqlTrust

        return SqlTrust(self._db)

    @property
    def purge(self) -> "Purge":
        from cairn.adapters.storage.sql.purge import SqlPurge

        return SqlPurge(self._db)

    def ledger_offsets(self) -> dict[str, int]:
        return {file: position.offset for file, position in self.ledger_positions().items()}

    def ledger_positions(self) -> dict[str, LedgerPosition]:
        return {row[0]: LedgerPosition(row[1], row[2]) for row in self._db.rows("ledger_offsets")}

    def index_events(self, file: str, offset: int, rows: Sequence[IndexedEvent], *, inode: int = 0) -> int:
        with self._db.writing():
            new = SqlEvents(self._db).add(file, rows)
            self._db.run("set_ledger_offset", {"file": file, "offset": offset, "inode": inode})
            return new

    def came_from(self, file: str, start: int, stop: int, rows: Collection[IndexedEvent]) -> set[EventKey]:
        return SqlEvents(self._db).came_from(file, start, stop, rows)

    def clear_index(self) -> None:
        with self._db.writing():
            self._db.empty(INDEXED)
            self._db.run("clear_note_texts")

    def events(
        self,
        *,
        types: tuple[str, ...] = (),
        since_ms: int | None = None,
        until_ms: int | None = None,
        limit: int | None = None,
    ) -> Iterator[EventRow]:
        until = _NEVER if until_ms is None else until_ms
        return SqlEvents(self._db).newest(types, since_ms or 0, until, limit)

    def event_counts(self, *, since_ms: int, without: str = "") -> dict[str, int]:
        return SqlEvents(self._db).counts(since_ms, without)

    def event_begins(self, *, since_ms: int) -> dict[str, int]:
        return SqlEvents(self._db).begins(since_ms)

    def check(self) -> list[str]:
        """A damaged database is not asked for more."""
        lost = "The prompt of the job {} is gone; `cairn job cancel {}` ends it."
        return self._db.check() or [lost.format(id, id) for id in self.jobs.missing_contents()]

    def reset(self, *, state: bool) -> None:
        with self._db.writing():
            self._db.empty((*DERIVED, *CACHED, *INDEXED, *(KEPT if state else ())))
            self._db.run("clear_texts")
            self._db.run("clear_note_texts")

    def dump(self) -> Iterator[str]:
        return self._db.dump(KEPT)

    def backup(self, target: str) -> None:
        self._db.backup(target)

    def close(self) -> None:
        self._db.close()


def _left_out() -> "TextQuery":
    from cairn.core.ports.search import Term, TextQuery
    from cairn.lib.text.search_words import LEFT_OUT

    return TextQuery(every=(Term(((LEFT_OUT,),)),))


def _mentions(key: str, number: int) -> list[str]:
    return [f"replace(n.frontmatter, :{key}{i}, '') <> n.frontmatter" for i in range(number)]
