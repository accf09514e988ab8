"""Readings of pages, in any database that speaks the shared queries."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from cairn.adapters.storage.sql.database import Database
from cairn.core.ports.search import DAY_MS, PageRead, PageUse

_COLUMNS: Final = ("path", "day", "reader", "at_ms")
_MOVES: Final = 5
"""So many names back a page is followed."""


class SqlUsage:
    def __init__(self, database: Database) -> None:
        self._db = database

    def add(self, readings: Iterable[PageRead]) -> None:
        with self._db.writing():
            rows = sorted((one.path, one.at_ms // DAY_MS, one.reader, one.at_ms) for one in readings)
            self._db.each("add_reading", (dict(zip(_COLUMNS, row, strict=True)) for row in rows))

    def readers(self, paths: Sequence[str], since_ms: int) -> list[tuple[str, str, int]]:
        rows = self._db.rows("readers", {"paths": list(paths), "since": since_ms})
        return [(path, reader, at_ms) for path, reader, at_ms in rows]

    def has_reader(self, reader: str) -> bool:
        return any(self._db.rows("has_reader", {"reader": reader}))

    def counts(self, paths: Sequence[str]) -> Mapping[str, PageUse]:
        if not paths:
            return {}
        moves = self._moves(set(paths))
        read: dict[str, list[tuple[int, int]]] = {}
        moved = {name for (old, _), new in moves.items() for name in (old, new)}
        for path, day, at_ms in self._db.rows("readings", {"paths": sorted(moved)}) if moved else ():
            read.setdefault(_now(path, at_ms, moves), []).append((day, at_ms))
        found = {path: _use(read[path]) for path in moved if path in read} | self._stayed(set(paths) - moved)
        return {path: found[path] for path in dict.fromkeys(paths) if path in found}

    def _stayed(self, paths: set[str]) -> dict[str, PageUse]:
        """Of pages that always had their name the database does the counting."""
        days: dict[str, list[tuple[int, int]]] = {}
        last: dict[str, int] = {}
        for path, day, reads, at_ms in self._db.rows("reading_days", {"paths": sorted(paths)}):
            days.setdefault(path, []).append((day, reads))
            last[path] = max(at_ms, last.get(path, at_ms))
        return {path: PageUse(sum(reads for _, reads in own), last[path], tuple(own)) for path, own in days.items()}

    def _moves(self, paths: set[str]) -> "_Moves":
        """By old name and time of the move: the new name. Of these paths, and of the names that they had before."""
        found: _Moves = {}
        asked, wanted = set[str](), paths
        for _ in range(_MOVES):
            rows = list(self._db.rows("renames_around", {"paths": sorted(wanted)}))
            found |= {(old, at_ms): new for old, new, at_ms in rows}
            asked |= wanted
            wanted = {old for old, _, _ in rows} - asked
            if not wanted:
                break
        return found


_Moves = dict[tuple[str, int], str]


def _now(path: str, at_ms: int, moves: _Moves) -> str:
    """The name that a page has now which had this one then. What took an old name later is another page."""
    for _ in range(_MOVES):
        later = min((moved for old, moved in moves if old == path and moved >= at_ms), default=None)
        if later is None:
            break
        path, at_ms = moves[path, later], later + 1
    return path


def _use(readings: list[tuple[int, int]]) -> PageUse:
    days = Counter(day for day, _ in readings)
    return PageUse(len(readings), max(at_ms for _, at_ms in readings), tuple(sorted(days.items())))
