"""Gaps, in any database that speaks the shared queries.

Who spoke about a topic on a day is kept as bits, one for each name: a million signals of fifty projects would otherwise
be as many rows.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from cairn.adapters.storage.sql.database import Database
from cairn.kernel.ports.gaps import VOICES, GapCount, GapDay, GapExcerpt, Tally, Voice

EXCERPTS: Final = 5
"""How many of a topic are kept."""
_BITS: Final = 62
"""Of a number that is positive in every database."""


class SqlGaps:
    def __init__(self, database: Database) -> None:
        self._db = database

    def add(self, tally: Tally) -> None:
        with self._db.writing():
            self._db.each("add_gap_day", map(_counts, tally.days))
            for kind in VOICES:
                self._add_voices(kind, tally.days)
            self._add_excerpts(tally.excerpts)

    def _add_voices(self, kind: Voice, days: Sequence[GapDay]) -> None:
        numbers = self._numbers(kind, {name for day in days for name in _spoken(day, kind)})
        self._db.each("add_gap_voices", (row for day in days for row in _masks(day, kind, numbers)))

    def _numbers(self, kind: Voice, names: set[str]) -> Mapping[str, int]:
        known: dict[str, int] = dict(map(tuple, self._db.rows("gap_names", {"kind": kind})))
        new = [(kind, name, number) for number, name in enumerate(sorted(names - known.keys()), len(known))]
        self._db.insert("index_gap_names", "kind, who, number", new)
        return known | {name: number for _, name, number in new}

    def _add_excerpts(self, excerpts: Sequence[GapExcerpt]) -> None:
        self._db.each("add_gap_excerpt", (row._asdict() for row in excerpts))
        topics = sorted({row.topic for row in excerpts})
        crowded = [row[0] for row in self._db.rows("crowded_gap_excerpts", {"topics": topics, "most": EXCERPTS})]
        kept: dict[str, int] = defaultdict(int)
        for row in self.excerpts(crowded, 0):
            kept[row.topic] += 1
            if kept[row.topic] > EXCERPTS:
                self._db.run("drop_gap_excerpt", {"topic": row.topic, "excerpt": row.excerpt})

    def counts(self, since_day: int) -> list[GapCount]:
        rows = self._db.rows("gap_counts", {"day": since_day})
        return [GapCount(topic, int(signals), *rest) for topic, signals, *rest in rows]

    def by_day(self, since_day: int) -> list[tuple[str, int, int]]:
        return [(topic, day, signals) for topic, day, signals in self._db.rows("gap_days", {"day": since_day})]

    def voices(self, since_day: int, kind: Voice) -> Mapping[str, Sequence[str]]:
        names = [row[0] for row in self._db.rows("gap_names", {"kind": kind})]
        seen: dict[str, int] = {}
        found: dict[str, list[str]] = {}
        for topic, word, mask in self._db.rows("gap_voices", {"day": since_day, "kind": kind}):
            before = seen.get(topic, 0)
            fresh = (mask << word * _BITS) & ~before
            if fresh:
                seen[topic] = before | fresh
                found.setdefault(topic, []).extend(sorted(names[bit] for bit in _bits(fresh)))
        return found

    def excerpts(self, topics: Collection[str], since_ms: int) -> list[GapExcerpt]:
        given = {"topics": list(topics), "since": since_ms}
        return [GapExcerpt(*row) for row in self._db.rows("gap_excerpts", given)] if topics else []

    def signals(self, since_ms: int, until_ms: int) -> Iterator[tuple[int, str, str]]:
        rows = self._db.rows("gap_signals", {"since": since_ms, "until": until_ms})
        return ((at_ms, worktree, payload) for at_ms, worktree, payload in rows)


def _counts(day: GapDay) -> dict[str, Any]:
    return {
        "topic": day.topic,
        "day": day.day,
        "signals": day.signals,
        "first_ms": day.first_ms,
        "last_ms": day.last_ms,
        "session_low": day.session_low,
        "session_high": day.session_high,
    }


def _spoken(day: GapDay, kind: Voice) -> frozenset[str]:
    return day.projects if kind == "project" else day.worktrees


def _masks(day: GapDay, kind: Voice, numbers: Mapping[str, int]) -> Iterable[dict[str, Any]]:
    words: dict[int, int] = {}
    for name in _spoken(day, kind):
        word, bit = divmod(numbers[name], _BITS)
        words[word] = words.get(word, 0) | 1 << bit
    return ({"topic": day.topic, "day": day.day, "kind": kind, "word": w, "mask": m} for w, m in words.items())


def _bits(mask: int) -> Iterator[int]:
    """The places of those that are set."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest
