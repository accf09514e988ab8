"""Gaps, in any database that speaks the shared queries."""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from cairn.adapters.storage.sql.database import Database
from cairn.kernel.ports.gaps import GapCount, GapDay, GapExcerpt, GapVoice, Voice

EXCERPTS: Final = 5
"""How many of a topic are kept."""


class SqlGaps:
    def __init__(self, database: Database) -> None:
        self._db = database

    def add(self, days: Sequence[GapDay], voices: Sequence[GapVoice], excerpts: Sequence[GapExcerpt]) -> None:
        with self._db.writing():
            self._db.each("add_gap_day", (row._asdict() for row in days))
            self._db.each("add_gap_voice", (row._asdict() for row in voices))
            self._db.each("add_gap_excerpt", (row._asdict() for row in excerpts))
            if excerpts:
                topics = sorted({row.topic for row in excerpts})
                self._db.run("trim_gap_excerpts", {"topics": topics, "most": EXCERPTS})

    def counts(self, since_day: int) -> list[GapCount]:
        rows = self._db.rows("gap_counts", {"day": since_day})
        return [GapCount(topic, int(signals), *rest) for topic, signals, *rest in rows]

    def days(self, since_day: int) -> list[GapDay]:
        return [GapDay(*row) for row in self._db.rows("gap_days", {"day": since_day})]

    def voices(self, since_ms: int) -> dict[tuple[str, str], int]:
        return {(topic, kind): many for topic, kind, many in self._db.rows("gap_voices", {"since": since_ms})}

    def reporting(self, since_ms: int) -> dict[str, int]:
        return {kind: many for kind, many in self._db.rows("gap_reporting", {"since": since_ms})}

    def who(self, topics: Collection[str], kind: Voice, since_ms: int) -> list[GapVoice]:
        given = {"topics": list(topics), "kind": kind, "since": since_ms}
        return [GapVoice(*row) for row in self._db.rows("gap_who", given)]

    def excerpts(self, topics: Collection[str], since_ms: int) -> list[GapExcerpt]:
        given = {"topics": list(topics), "since": since_ms}
        return [GapExcerpt(*row) for row in self._db.rows("gap_excerpts", given)]

    def signals(self, since_ms: int, until_ms: int) -> Iterator[tuple[str, int, str, str]]:
        rows = self._db.rows("gap_signals", {"since": since_ms, "until": until_ms})
        return ((id, at_ms, worktree, payload) for id, at_ms, worktree, payload in rows)
