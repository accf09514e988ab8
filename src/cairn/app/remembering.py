"""What was said before: from the store's tables, and from the end of the ledger that they don't have yet."""

import json
from collections import deque
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from cairn.app.ledgering import index_ledger, moment_ms
from cairn.capture.fingerprint import note_digest
from cairn.capture.fold import TURN_TYPES, Told, by_turn, fold_note, fold_turn
from cairn.capture.process import DAY_MS, Standing
from cairn.capture.score import words_of
from cairn.kernel.model.event import Event
from cairn.kernel.ports.turns import NoteFilter, NoteRow, TurnRow

if TYPE_CHECKING:
    from cairn.app.build import App
    from cairn.kernel.ports.turns import TurnStore

SAID: Final = 256
"""Different things of one session that are remembered, for a day."""
RECENT: Final = 100
"""Notes that a new one is compared with."""
_TAIL: Final = 128 * 1024
"""Bytes of the ledger that are rather read again than indexed: writing a note must not wait for the index."""


class _Said(NamedTuple):
    at_ms: int
    turn_id: str


class LedgerMemory:
    """Reads on from where it was at every question, so that notes of other processes count too."""

    def __init__(self, app: "App") -> None:
        self._app = app
        self._offsets: dict[str, int] = {}
        self._turns: dict[str, TurnRow] = {}
        self._notes: dict[str, NoteRow] = {}
        self._gists: dict[str, str] = {}
        self._said: dict[tuple[str, str], dict[str, _Said]] = {}
        self._begun = False

    # --- questions -----------------------------------------------------------------------------------------------

    def standing(self, turn_id: str) -> Standing:
        self.catch_up()
        turn = self._turns.get(turn_id) or self._stored_turn(turn_id)
        if turn is None:
            return Standing()
        note = self._notes.get(turn_id) or self._stored_note(turn_id)
        eligible = turn.eligible_at_ms is not None
        if note is None:
            return Standing(eligible, turn.outcome, turn.reason, duplicate_of=turn.duplicate_of)
        said = {**note._asdict(), **{name: json.loads(getattr(note, name)) for name in ("evidence", "tags", "context")}}
        return Standing(eligible, turn.outcome, "", note_digest(said), note.revision, note.score)

    def said_by(self, source: str, session: str, fingerprint: str) -> str | None:
        said = self._said_in(source, session).get(fingerprint)
        return None if said is None or said.at_ms < self._app.clock.now_ms() - DAY_MS else said.turn_id

    def told_by(self, gist: str) -> str | None:
        if not gist:
            return None
        stored = None if self._stored is None else self._stored.same_gist(gist, self._app.clock.now_ms())
        return stored.turn_id if stored is not None else self._gists.get(gist)

    def recent_words(self) -> Sequence[frozenset[str]]:
        return self._recent

    # --- the store ------------------------------------------------------------------------------------------------

    @cached_property
    def _stored(self) -> "TurnStore | None":
        """None as long as there is no database; nobody waits for one to be made."""
        location = self._app.store_location
        return None if isinstance(location, Path) and not location.exists() else self._app.store.turns

    def _stored_turn(self, turn_id: str) -> TurnRow | None:
        return None if self._stored is None else self._stored.turn_rows([turn_id]).get(turn_id)

    def _stored_note(self, turn_id: str) -> NoteRow | None:
        return None if self._stored is None else self._stored.note_rows([turn_id]).get(turn_id)

    def _said_in(self, source: str, session: str) -> dict[str, _Said]:
        """By fingerprint, the one said last at the end."""
        key = (source, session)
        if key not in self._said:
            since = self._app.clock.now_ms() - DAY_MS
            rows = [] if self._stored is None else self._stored.lately(source, session, since, SAID)
            self._said[key] = {mark: _Said(at_ms, turn) for mark, turn, at_ms in reversed(rows)}
        return self._said[key]

    @cached_property
    def _recent(self) -> deque[frozenset[str]]:
        wanted = NoteFilter(now_ms=self._app.clock.now_ms(), low=True, limit=RECENT)
        found = [] if self._stored is None else self._stored.notes(wanted)
        return deque((words_of(seen.note.summary) for seen in reversed(found)), maxlen=RECENT)

    # --- the ledger ----------------------------------------------------------------------------------------------

    def catch_up(self) -> None:
        """Read what was appended since the last question."""
        if not self._begun:
            self._begin()
        for file in self._app.ledger.files():
            if self._offsets.get(file.key) != file.size:
                self._read(file.name, file.key)

    def _begin(self) -> None:
        self._begun = True
        behind = sum(file.size for file in self._app.ledger.files())
        if self._stored is not None:
            self._offsets = dict(self._app.store.ledger_offsets())
            behind -= sum(self._offsets.values())
        if behind > _TAIL:
            index_ledger(self._app.ledger, self._app.store)
            self.__dict__.pop("_stored", None)
            self._offsets = dict(self._app.store.ledger_offsets())

    def _read(self, name: str, key: str) -> None:
        for end, event in self._app.ledger.read(name, self._offsets.get(key, 0)):
            self._offsets[key] = end
            if isinstance(event, Event) and event.type in TURN_TYPES:
                self._take(event)

    def _take(self, event: Event) -> None:
        at_ms = moment_ms(event.at)
        if at_ms is None:
            return
        told = Told(event.id, event.type, at_ms, event.payload, event.worktree)
        for turn in by_turn([told]):
            row = self._turns.get(turn) or self._stored_turn(turn) or TurnRow(turn)
            self._turns[turn] = fold_turn(row, told)
            self._remember_said(self._turns[turn])
            note = fold_note(self._notes.get(turn) or self._stored_note(turn), told)
            if note is not None and told.kind == "turn_completed":
                self._notes[turn] = note
                self._gists.setdefault(note.gist, turn)
                self._recent.append(words_of(note.summary))

    def _remember_said(self, row: TurnRow) -> None:
        if row.fingerprint and row.ended_at_ms is not None and (row.outcome == "completed" or row.duplicate_of):
            said = self._said_in(row.source, row.session)
            said.pop(row.fingerprint, None)
            said[row.fingerprint] = _Said(row.ended_at_ms, row.duplicate_of or row.turn_id)
            if len(said) > SAID:
                del said[next(iter(said))]
