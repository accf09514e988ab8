"""Turns, notes and alerts, in any database that speaks the shared queries."""

import json
import re
from collections.abc import Collection, Sequence
from typing import Any
from unicodedata import combining, normalize

from cairn.adapters.storage.sql.database import Database
from cairn.kernel.ports.search import Term, TextQuery
from cairn.kernel.ports.turns import AlertRow, NoteFilter, NoteRow, SeenNote, TurnFilter, TurnRow
from cairn.kernel.text.search import searchable

_TURNS = ", ".join(TurnRow._fields)
_NOTES = ", ".join(NoteRow._fields)
_ALERTS = ", ".join(AlertRow._fields)
_NONE = "''"
_BETWEEN_WORDS = re.compile(r"[\W_]+")


class SqlTurns:
    def __init__(self, database: Database) -> None:
        self._db = database

    def turn_rows(self, ids: Collection[str]) -> dict[str, TurnRow]:
        return {row[0]: TurnRow(*row) for row in self._db.rows("turn_rows", {"ids": list(ids)})}

    def note_rows(self, ids: Collection[str]) -> dict[str, NoteRow]:
        return {row[1]: NoteRow(*row) for row in self._db.rows("note_rows", {"ids": list(ids)})}

    def keep(self, turns: Sequence[TurnRow], notes: Sequence[NoteRow]) -> None:
        with self._db.writing():
            self._db.run("drop_turns", {"ids": [row.turn_id for row in turns]})
            self._db.insert("index_turns", _TURNS, turns)
            ids = [row.id for row in notes]
            if self._db.run("drop_notes", {"ids": ids}):  # looking through all texts is dear, and most notes are new
                self._db.run("drop_note_texts", {"ids": ids})
            self._db.insert("index_notes", _NOTES, notes)
            self._db.each("put_note_text", map(_texts, notes))

    def turns(self, wanted: TurnFilter) -> list[TurnRow]:
        where, parameters = _conditions(wanted, ("source", "agent", "session", "stage", "project"))
        if wanted.outcome:
            where.append("outcome = :outcome")
            parameters["outcome"] = "" if wanted.outcome == "unaccounted" else wanted.outcome
        if wanted.until_ms is not None:
            where.append("coalesce(eligible_at_ms, ended_at_ms, 0) <= :until")
            parameters["until"] = wanted.until_ms
        return [TurnRow(*row) for row in self._listed("turns", wanted, where, parameters)]

    def notes(self, wanted: NoteFilter) -> list[SeenNote]:
        if wanted.words:
            return self.find_notes(TextQuery(every=tuple(map(_term, wanted.words))), wanted)
        return self._notes("notes", wanted, {})

    def find_notes(self, query: TextQuery, wanted: NoteFilter) -> list[SeenNote]:
        return self._notes("search_notes", wanted, {"match": self._db.match(query)})

    def _notes(self, query: str, wanted: NoteFilter, given: dict[str, Any]) -> list[SeenNote]:
        where, parameters = _conditions(wanted, ("source", "agent", "session", "stage", "project", "type"), "n.")
        where += ["n.created_at_ms >= :since", *([] if wanted.low else ["n.low = 0"])]
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
        given = {"match": self._db.match(TextQuery(every=(term,))), "most": at_most}
        return int(next(iter(self._db.rows("note_frequency", given)))[0])

    def note_total(self) -> int:
        return int(next(iter(self._db.rows("note_total")))[0])

    def _listed(self, query: str, wanted: TurnFilter | NoteFilter, where: list[str], given: dict[str, Any]) -> Any:
        given["since"] = wanted.since_ms
        if wanted.limit is not None:
            given["limit"] = wanted.limit
        limit = "LIMIT :limit" if wanted.limit is not None else ""
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


def _conditions(
    wanted: TurnFilter | NoteFilter, names: Sequence[str], prefix: str = ""
) -> tuple[list[str], dict[str, Any]]:
    given = {name: value for name in names if (value := getattr(wanted, name))}
    return [f"{prefix}{name} = :{name}" for name in given], given


def _texts(note: NoteRow) -> dict[str, Any]:
    body = f"{note.summary} {note.decision} {note.tags} {note.target}"
    return {"id": note.id, "title": _words(note.title), "body": _words(body)}


def _words(text: str) -> str:
    """As both databases cut a text into words, without accents."""
    if not text.isascii():
        text = "".join(letter for letter in normalize("NFD", text) if not combining(letter))
        text = normalize("NFC", text)
    return _BETWEEN_WORDS.sub(" ", searchable(text))


def _term(word: str) -> Term:
    return Term((tuple(_words(word).split()) or (word,),), prefix=True)
