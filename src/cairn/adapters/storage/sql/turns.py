"""Turns, notes and alerts, in any database that speaks the shared queries."""

import json
import re
from collections.abc import Collection, Iterator, Sequence
from itertools import count
from typing import Any, Final
from unicodedata import combining, normalize

from cairn.adapters.storage.sql.database import Database
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
