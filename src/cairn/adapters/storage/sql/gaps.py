"""Gaps, in any database that speaks the shared queries.

Who spoke about a topic is written down batch by batch, with a bit for each name, and put together every few batches: a
row for each name and day would be nearly as many rows as signals.
"""

import json
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from cairn.adapters.storage.sql.database import Database
from cairn.core.ports.observe import VOICES, GapCount, GapDay, GapExcerpt, GapTally, Names, Voice

EXCERPTS: Final = 5
"""How many of a topic are kept."""
BATCHES: Final = 64
"""So many are put together."""
LENGTH: Final = 32_768
"""From so many characters on, fewer are, too, when nothing more is added: many read what one wrote."""


class SqlGaps:
    def __init__(self, database: Database) -> None:
        self._db = database

    def add(self, tally: GapTally) -> None:
        with self._db.writing():
            self._db.each("add_gap_day", map(_counts, tally.days))
            self._add_voices(tally)
            self._add_excerpts(tally.excerpts)

    def _add_voices(self, tally: GapTally) -> None:
        projects, worktrees = self._bits("project", tally.projects), self._bits("worktree", tally.worktrees)
        heard = [
            (day.topic, day.day, _moved(day.projects, projects), _moved(day.worktrees, worktrees)) for day in tally.days
        ]
        self._db.insert("index_gap_batches", "heard", [(_json(heard),)] if heard else [])
        self._put_together(batches=BATCHES)

    def settle(self) -> None:
        with self._db.writing():
            self._put_together(batches=BATCHES, length=LENGTH)

    def _put_together(self, *, batches: int, length: int | None = None) -> None:
        count, total = next(iter(self._db.rows("count_gap_batches")))
        if count < batches and (length is None or total < length):
            return
        for kind in VOICES:
            self._db.run("put_gap_voices", {"kind": kind, "heard": _written(self._heard(kind))})
        self._db.run("clear_gap_batches")

    def _heard(self, kind: Voice) -> "_Heard":
        heard = _read(next((row[0] for row in self._db.rows("gap_voices", {"kind": kind})), "{}"))
        place = 2 + VOICES.index(kind)
        for (text,) in self._db.rows("gap_batches"):
            for row in json.loads(text):
                _hear(heard.setdefault(row[0], {}), row[1], int(row[place], 16))
        return heard

    def _bits(self, kind: Voice, names: Names) -> Mapping[int, int]:
        """By the bits of a tally: those that the names have here. New ones get the next."""
        known: dict[str, int] = dict(map(tuple, self._db.rows("gap_names", {"kind": kind})))
        new = [(kind, name, number) for number, name in enumerate((n for n in names if n not in known), len(known))]
        self._db.insert("index_gap_names", "kind, who, number", new)
        known |= {name: number for _, name, number in new}
        return {bit: 1 << known[name] for name, bit in names.items()}

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
        for topic, said in self._heard(kind).items():
            spoke = [(first, names[number]) for number, (first, last) in said.items() if last >= since_day]
            if spoke:
                found[topic] = [name for _, name in sorted(spoke)]
        return found

    def excerpts(self, topics: Collection[str], since_ms: int) -> list[GapExcerpt]:
        given = {"topics": list(topics), "since": since_ms}
        return [GapExcerpt(*row) for row in self._db.rows("gap_excerpts", given)] if topics else []


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


# --- voices ---------------------------------------------------------------------------------------------------------

_Heard = dict[str, dict[int, tuple[int, int]]]
"""By topic, then by number of the name: the first and the last day."""


def _moved(mask: int, bits: Mapping[int, int]) -> str:
    """A mask of a tally as it is here, in hexadecimal digits: JSON has no numbers of that size."""
    moved = 0
    while mask:
        lowest = mask & -mask
        moved |= bits[lowest]
        mask ^= lowest
    return f"{moved:x}"


def _hear(said: dict[int, tuple[int, int]], day: int, mask: int) -> None:
    while mask:
        lowest = mask & -mask
        number = lowest.bit_length() - 1
        mask ^= lowest
        first, last = said.get(number, (day, day))
        if not first < day < last:
            said[number] = (min(first, day), max(last, day))


def _read(text: str) -> _Heard:
    """Of each topic three numbers for each name, one behind the other."""
    found: _Heard = {}
    for topic, numbers in json.loads(text).items():
        found[topic] = dict(zip(numbers[::3], zip(numbers[1::3], numbers[2::3], strict=True), strict=True))
    return found


def _written(heard: _Heard) -> str:
    return _json({topic: [part for n, days in said.items() for part in (n, *days)] for topic, said in heard.items()})


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
