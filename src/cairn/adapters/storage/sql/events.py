"""The index of the ledger's events: what happened when, and where in the ledger it stands."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from heapq import merge
from itertools import islice
from operator import itemgetter
from typing import Any, Final

from cairn.adapters.storage.sql.database import Database
from cairn.core.model.event import unpacked_id
from cairn.core.ports.ledger import EventKey, EventRow, IndexedEvent

_COLUMNS: Final = 'type, at_ms, id, worktree, file, "offset"'


class SqlEvents:
    """Types, work trees and files are few, and each has a number."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def add(self, file: str, rows: Sequence[IndexedEvent]) -> int:
        if not rows:
            return 0
        numbers = self._numbers({file, *map(itemgetter(1), rows), *map(itemgetter(3), rows)})
        number = numbers[file]
        narrow = [
            (numbers[kind], at_ms, id, numbers[worktree], number, offset) for id, kind, at_ms, worktree, offset in rows
        ]
        return self._db.add_events(_COLUMNS, sorted(narrow))

    def _numbers(self, names: set[str]) -> Mapping[str, int]:
        known = self._known()
        new = [(number, name) for number, name in enumerate(sorted(names - known.keys()), len(known) + 1)]
        self._db.insert("index_event_names", "number, name", new)
        return known | {name: number for number, name in new}

    def _known(self) -> dict[str, int]:
        return dict(map(tuple, self._db.rows("event_names")))

    def newest(self, types: Collection[str], since_ms: int, until_ms: int, limit: int | None) -> Iterator[EventRow]:
        """Type by type as the database has them in order, and these together: so nothing has to be sorted."""
        numbers = self._known()
        names = {number: name for name, number in numbers.items()}
        streams = [self._of_type(number, since_ms, until_ms, limit) for number in self._wanted(numbers, types)]
        newest = merge(*streams, key=_newest, reverse=True)
        for id, kind, at_ms, worktree, file, offset in islice(newest, limit):
            yield EventRow(unpacked_id(bytes(id), at_ms), names[kind], at_ms, names[worktree], names[file], offset)

    def _of_type(self, number: int, since_ms: int, until_ms: int, limit: int | None) -> Iterator[Sequence[Any]]:
        given = {"type": number, "since": since_ms, "until": until_ms, **({} if limit is None else {"limit": limit})}
        return self._db.rows("events", given, limit="" if limit is None else "LIMIT :limit")

    def _wanted(self, numbers: Mapping[str, int], types: Collection[str]) -> list[int]:
        return [numbers[name] for name in dict.fromkeys(types or numbers) if name in numbers]

    def counts(self, since_ms: int, without: str) -> dict[str, int]:
        names = {number: name for name, number in self._known().items()}
        files = [number for number, name in names.items() if not without or not name.startswith(without)]
        given = {"types": list(names), "files": files, "since": since_ms}
        return {names[kind]: count for kind, count in self._db.rows("event_counts", given)}

    def begins(self, since_ms: int) -> dict[str, int]:
        names = {number: name for name, number in self._known().items()}
        rows = self._db.rows("event_begins", {"types": list(names), "since": since_ms})
        return {names[file]: offset for file, offset in rows}

    def came_from(self, file: str, start: int, stop: int, rows: Collection[IndexedEvent]) -> set[EventKey]:
        numbers = self._known()
        stretch = {"file": numbers.get(file, 0), "start": start, "stop": stop}
        keys = {row[:3] for row in rows}
        return {key for key in keys if any(self._db.rows("event_of_file", {**stretch, **_key(key, numbers)}))}


def _newest(row: Sequence[Any]) -> tuple[int, bytes]:
    return row[2], bytes(row[0])


def _key(key: EventKey, numbers: Mapping[str, int]) -> dict[str, Any]:
    id, kind, at_ms = key
    return {"id": id, "type": numbers.get(kind, 0), "at": at_ms}
