"""Tables that are derived from the ledger: its index of events, signals of gaps, and turns."""

import json
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from heapq import merge
from itertools import count, islice
from operator import itemgetter
from typing import Any, Final
from unicodedata import combining, normalize

from cairn.adapters.storage.sql.database import Database
from cairn.core.model.event import unpacked_id
from cairn.core.ports.ledger import EventKey, EventRow, IndexedEvent
from cairn.core.ports.observe import VOICES, GapCount, GapDay, GapExcerpt, GapTally, Names, Voice
from cairn.core.ports.search import Term, TextQuery
from cairn.core.ports.turns import (
    AlertRow,
    NoteFilter,
    NoteRow,
    SeenNote,
    TurnBatch,
    TurnFilter,
    TurnRow,
    turn_batch,
    turn_number,
)
from cairn.lib.text.search_words import searchable

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


_FACTS: Final = "number, worktree, source, agent, channel, session, host, stage, project, internal, transcript"
_TURNS: Final = f"id, turn_id, facts, told_by, {', '.join(TurnRow._fields[12:])}"
_NOTES: Final = f"number, id, turn_id, said_by, facts, turn_number, title_size, {', '.join(NoteRow._fields[11:])}"
_ALERTS = ", ".join(AlertRow._fields)
_NONE = "''"
_BETWEEN_WORDS = re.compile(r"[\W_]+")
_FEW: Final = 2_000
"""So many notes get their words when they are added; more, when somebody looks for some."""
_BATCH: Final = 10_000
_NO_LIMIT: Final = 2**62


class SqlTurns:
    def __init__(self, database: Database) -> None:
        self._db = database

    def turn_rows(self, ids: Collection[str]) -> dict[str, TurnRow]:
        rows = self._db.rows("turn_rows", {"ids": list(map(turn_number, ids))})
        return {row[0]: TurnRow(*row) for row in rows}

    def note_rows(self, ids: Collection[str]) -> dict[str, NoteRow]:
        rows = self._db.rows("note_rows", {"ids": list(map(turn_number, ids))})
        return {row[1]: NoteRow(*row) for row in rows}

    def known(self, numbers: Collection[int]) -> tuple[dict[int, TurnRow], dict[int, NoteRow]]:
        given = {"ids": list(numbers)}
        turns = [TurnRow(*row) for row in self._db.rows("turn_rows", given)]
        notes = [NoteRow(*row) for row in self._db.rows("note_rows", given)] if turns else []
        return {turn_number(row.turn_id): row for row in turns}, {row.id: row for row in notes}

    def keep(self, turns: Sequence[TurnRow], notes: Sequence[NoteRow]) -> None:
        batch = turn_batch(turns, notes)
        with self._db.writing():
            self._drop([row[0] for row in batch.turns], [row[0] for row in batch.notes])
            self.add(batch)

    def add(self, batch: TurnBatch) -> None:
        with self._db.writing():
            self._db.add("index_facts", _FACTS, [(number, *fact) for number, fact in batch.facts.items()])
            self._db.insert("index_turns", _TURNS, batch.turns)
            self._db.insert("index_notes", _NOTES, map(_numbered, batch.notes, count(self._next())))

    def _drop(self, turns: list[int], notes: list[int]) -> None:
        self._db.run("drop_turns", {"ids": turns})
        worded, old = self._worded(), list(self._db.rows("note_numbers", {"ids": notes}))
        self._db.each("drop_note_text", [_texts(row) for row in old if row[0] <= worded])  # it is told what it had
        self._db.run("drop_notes", {"numbers": [row[0] for row in old]})

    def _next(self) -> int:
        return max(self._worded(), self._number("last_note")) + 1

    def _number(self, query: str, given: dict[str, Any] | None = None) -> int:
        return int(next(iter(self._db.rows(query, given)))[0])

    # --- words ---------------------------------------------------------------------------------------------------

    def settle(self) -> None:
        """Leave many new notes for later: whoever only lists turns does not wait for their words."""
        if self._waiting(_FEW + 1) <= _FEW:
            self.add_words()

    def add_words(self) -> int:
        """For all notes that don't have them yet, at once or not at all; how many there were. Numbers only go up, and
        whatever has a lower one than the last that has words, has them too."""
        if not self._waiting(1):
            return 0
        with self._db.roomy(), self._db.writing():
            waiting = self._waiting(_NO_LIMIT)
            self._db.put_note_texts(map(_texts, self._all_wordless(self._worded())))
            return waiting

    def _waiting(self, most: int) -> int:
        return self._number("count_wordless_notes", {"worded": self._worded(), "most": most})

    def _all_wordless(self, worded: int) -> Iterator[Sequence[Any]]:
        while rows := list(self._db.rows("wordless_notes", {"worded": worded, "limit": _BATCH})):
            yield from rows
            worded = rows[-1][0]

    def _worded(self) -> int:
        return self._number("worded_notes")

    # --- questions -----------------------------------------------------------------------------------------------

    def turns(self, wanted: TurnFilter) -> list[TurnRow]:
        where, parameters = _conditions(wanted, "t")
        if wanted.outcome:
            where.append("t.outcome = :outcome")
            parameters["outcome"] = "" if wanted.outcome == "unaccounted" else wanted.outcome
        if wanted.until_ms is not None:
            where.append("coalesce(t.eligible_at_ms, t.ended_at_ms, 0) <= :until")
            parameters["until"] = wanted.until_ms
        return [TurnRow(*row) for row in self._listed("turns", wanted, where, parameters)]

    def listed(self, wanted: TurnFilter, *, now_ms: int, low: bool) -> list[tuple[str, bool]]:
        where, parameters = _conditions(wanted, "t")
        if wanted.outcome:
            where.append("t.outcome = :outcome")
            parameters["outcome"] = "" if wanted.outcome == "unaccounted" else wanted.outcome
        given = {**parameters, "now": now_ms, "low": int(low)}
        return [(turn, bool(noted)) for turn, noted in self._listed("listed_turns", wanted, where, given)]

    def seen_counts(self, ids: Collection[str]) -> dict[str, int]:
        again = {row[0]: row[1] for row in self._db.rows("seen_counts", {"ids": list(ids)})}
        return {turn: 1 + again.get(turn, 0) for turn in ids}

    def notes(self, wanted: NoteFilter) -> list[SeenNote]:
        if wanted.words:
            return self.find_notes(TextQuery(every=tuple(map(_term, wanted.words))), wanted)
        return self._notes("notes", wanted, {})

    def find_notes(self, query: TextQuery, wanted: NoteFilter) -> list[SeenNote]:
        self.add_words()
        return self._notes("search_notes", wanted, {"match": self._db.match(query)})

    def _notes(self, query: str, wanted: NoteFilter, given: dict[str, Any]) -> list[SeenNote]:
        where, parameters = _conditions(wanted, "n")
        where += ["n.created_at_ms >= :since", *([] if wanted.low else ["n.low = 0"])]
        if wanted.type:
            where.append("n.type = :type")
            parameters["type"] = wanted.type
        if wanted.types:
            where.append("n.type IN [:types]")
            parameters["types"] = list(wanted.types)
        if wanted.tags:
            tags = {f"tag{number}": json.dumps(tag, ensure_ascii=False) for number, tag in enumerate(wanted.tags)}
            where.append(f"({' OR '.join(f'replace(n.tags, :{name}, {_NONE}) <> n.tags' for name in tags)})")
            parameters |= tags
        rows = self._listed(query, wanted, where, {**parameters, **given, "now": wanted.now_ms})
        return [SeenNote(NoteRow(*row[:-1]), row[-1]) for row in rows]

    def note_frequency(self, term: Term, *, at_most: int) -> int:
        self.add_words()
        return self._number("note_frequency", {"match": self._db.match(TextQuery(every=(term,))), "most": at_most})

    def note_total(self) -> int:
        return self._number("note_total")

    def _listed(self, query: str, wanted: TurnFilter | NoteFilter, where: list[str], given: dict[str, Any]) -> Any:
        given["since"] = wanted.since_ms
        if wanted.limit is not None:
            given |= {"limit": wanted.limit, "skip": wanted.offset}
        limit = "LIMIT :limit OFFSET :skip" if wanted.limit is not None else ""
        return self._db.rows(query, given, where=" AND ".join(where), limit=limit)

    def same_gist(self, gist: str, now_ms: int) -> NoteRow | None:
        return next((NoteRow(*row) for row in self._db.rows("same_gist", {"gist": gist, "now": now_ms})), None)

    def lately(self, source: str, session: str, since_ms: int, limit: int) -> list[tuple[str, str, int]]:
        given = {"source": source, "session": session, "since": since_ms, "limit": limit}
        return [(fingerprint, turn, at_ms) for fingerprint, turn, at_ms in self._db.rows("lately", given)]

    def pending(self, worktree: str, limit: int) -> list[TurnRow]:
        return [TurnRow(*row) for row in self._db.rows("pending_turns", {"worktree": worktree, "limit": limit})]

    def alerts(self) -> list[AlertRow]:
        return [AlertRow(*row) for row in self._db.rows("alerts")]

    def keep_alerts(self, rows: Sequence[AlertRow]) -> None:
        with self._db.writing():
            self._db.run("drop_alerts", {"keys": [row.key for row in rows]})
            self._db.insert("index_alerts", _ALERTS, rows)

    def cleared(self) -> dict[str, int]:
        return {row[0]: row[1] for row in self._db.rows("cleared")}

    def keep_cleared(self, targets: dict[str, int]) -> None:
        with self._db.writing():
            self._db.run("drop_cleared", {"targets": list(targets)})
            self._db.insert("index_cleared", "target, cleared_at_ms", targets.items())


def _conditions(wanted: TurnFilter | NoteFilter, table: str) -> tuple[list[str], dict[str, Any]]:
    """Sessions are many, each with few turns, so these are looked up; whatever else turns share, many of them do."""
    given = {name: value for name in ("source", "agent", "stage", "project") if (value := getattr(wanted, name))}
    where = [f"f.{name} = :{name}" for name in given]
    if wanted.session:
        where.append(f"{table}.facts IN (SELECT number FROM index_facts WHERE session = :session)")
        given["session"] = wanted.session
    return where, given


def _numbered(note: tuple[Any, ...], number: int) -> tuple[Any, ...]:
    title, summary = note[5:7]
    if summary.startswith(title):
        return (number, *note[:5], len(title), "", *note[6:])
    return (number, *note[:5], None, *note[5:])


def _texts(row: Sequence[Any]) -> dict[str, Any]:
    number, title, *body = row
    return {"id": number, "title": _words(title), "body": _words(" ".join(body))}


def _words(text: str) -> str:
    """As both databases cut a text into words, without accents."""
    if not text.isascii():
        text = "".join(letter for letter in normalize("NFD", text) if not combining(letter))
        text = normalize("NFC", text)
    return _BETWEEN_WORDS.sub(" ", searchable(text))


def _term(word: str) -> Term:
    return Term((tuple(_words(word).split()) or (word,),), prefix=True)
