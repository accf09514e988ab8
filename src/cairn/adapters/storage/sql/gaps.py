"""Gaps, in any database that speaks the shared queries.

Who spoke about a topic is kept as one text, with a number for each name: a million signals of fifty projects would
otherwise be as many rows.
"""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from cairn.adapters.storage.sql.database import Database
from cairn.kernel.ports.gaps import VOICES, GapCount, GapDay, GapExcerpt, Tally, Voice

EXCERPTS: Final = 5
"""How many of a topic are kept."""


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
        given = {"kind": kind, "topics": sorted({day.topic for day in days})}
        heard = {topic: _heard(text) for topic, text in self._db.rows("heard_gap_voices", given)}
        for day in days:
            _hear(heard.setdefault(day.topic, {}), day.day, (numbers[name] for name in _spoken(day, kind)))
        rows = ({"topic": topic, "kind": kind, "heard": _written(said)} for topic, said in heard.items())
        self._db.each("put_gap_voices", rows)

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

    def by_day(self, since_day: int, topics: Collection[str] | None = None) -> list[tuple[str, int, int]]:
        given = {"day": since_day, **({} if topics is None else {"topics": list(topics)})}
        rows = self._db.rows("gap_days", given, where="" if topics is None else "topic IN [:topics]")
        return [(topic, day, signals) for topic, day, signals in rows]

    def voices(self, since_day: int, kind: Voice) -> Mapping[str, Sequence[str]]:
        names = [row[0] for row in self._db.rows("gap_names", {"kind": kind})]
        found: dict[str, list[str]] = {}
        for topic, text in self._db.rows("gap_voices", {"kind": kind}):
            spoke = [(first, names[number]) for number, (first, last) in _heard(text).items() if last >= since_day]
            if spoke:
                found[topic] = [name for _, name in sorted(spoke)]
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


_Heard = dict[int, tuple[int, int]]
"""By number: the first and the last day."""


def _hear(heard: _Heard, day: int, numbers: Iterable[int]) -> None:
    for number in numbers:
        first, last = heard.get(number, (day, day))
        heard[number] = (min(first, day), max(last, day))


def _heard(text: str) -> _Heard:
    """Three numbers for each name, one behind the other."""
    numbers = iter(json.loads(text))
    return {number: (first, last) for number, first, last in zip(numbers, numbers, numbers, strict=True)}


def _written(heard: _Heard) -> str:
    return json.dumps([part for number, (first, last) in sorted(heard.items()) for part in (number, first, last)])
