"""What was said before: from the store's tables, and from the end of the ledger that they don't have yet."""

import json
from collections import deque
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from cairn.capture.turn_outcome import DAY_MS, TurnStanding, words_of
from cairn.capture.turn_rows import TURN_TYPES, by_turn, fold_note, fold_turn, merge_notes, merge_turns
from cairn.core.fingerprint import gist, note_digest
from cairn.core.model.event import Event, IndexedLedgerEvent, moment_ms, packed_id
from cairn.core.ports.ledger import LedgerFile
from cairn.core.ports.turns import NoteFilter, NoteRow, TurnRow

if TYPE_CHECKING:
    from cairn.capture.ports import CapturePorts
    from cairn.core.ports.turns import TurnStore

SAID: Final = 256
"""Different things of one session that are remembered, for a day."""
RECENT: Final = 100
"""Notes that a new one is compared with."""
_TAIL: Final = 128 * 1024
"""Bytes of the ledger that are rather read again than indexed: writing a note must not wait for the index."""
_ARCHIVE: Final = 4 * 1024 * 1024
"""From here on nobody who writes a note brings the index up to date; somebody who reads does."""


class _Said(NamedTuple):
    at_ms: int
    turn_id: str


class LedgerMemory:
    """Reads on from where it was at every question, so that notes of other processes count too. Their events are only
    folded into rows when somebody asks about their turn: eight who write would otherwise do everything eight times."""

    def __init__(self, ports: "CapturePorts") -> None:
        self._ports = ports
        self._offsets: dict[str, int] = {}
        self._tail: dict[str, list[IndexedLedgerEvent]] = {}
        self._gists: dict[str, str] = {}
        self._fresh: dict[tuple[str, str], dict[str, _Said]] = {}
        self._stored_said: dict[tuple[str, str], dict[str, _Said]] = {}
        self._begun = False

    # --- questions -----------------------------------------------------------------------------------------------

    def standing(self, turn_id: str) -> TurnStanding:
        self.catch_up()
        turn, note = self._rows(turn_id)
        eligible = turn.eligible_at_ms is not None
        if note is None:
            return TurnStanding(eligible, turn.outcome, turn.reason, duplicate_of=turn.duplicate_of)
        said = {**note._asdict(), **{name: json.loads(getattr(note, name)) for name in ("evidence", "tags", "context")}}
        return TurnStanding(eligible, turn.outcome, "", note_digest(said), note.revision, note.score)

    def said_by(self, source: str, session: str, fingerprint: str) -> str | None:
        fresh, stored = self._fresh.get((source, session), {}), self._said_in_store(source, session)
        said = fresh.get(fingerprint) or stored.get(fingerprint)
        return None if said is None or said.at_ms < self._ports.clock.now_ms() - DAY_MS else said.turn_id

    def told_by(self, gist: str) -> str | None:
        if not gist:
            return None
        stored = None if self._stored is None else self._stored.same_gist(gist, self._ports.clock.now_ms())
        return stored.turn_id if stored is not None else self._gists.get(gist)

    def recent_words(self) -> Sequence[frozenset[str]]:
        return self._recent

    def _rows(self, turn_id: str) -> tuple[TurnRow, NoteRow | None]:
        turn, note = TurnRow(turn_id), None
        if self._stored is not None:
            turn = self._stored.turn_rows([turn_id]).get(turn_id, turn)
            note = self._stored.note_rows([turn_id]).get(turn_id)
        if fresh := self._tail.get(turn_id):
            said = fold_note(turn_id, fresh)
            turn, note = (
                merge_turns(turn, fold_turn(turn_id, fresh)),
                merge_notes(note, said) if note and said else note or said,
            )
        return turn, note

    # --- the store ------------------------------------------------------------------------------------------------

    @cached_property
    def _stored(self) -> "TurnStore | None":
        """None as long as there is no database; nobody waits for one to be made."""
        location = self._ports.store_location
        return None if isinstance(location, Path) and not location.exists() else self._ports.store.turns

    def _said_in_store(self, source: str, session: str) -> dict[str, _Said]:
        key = (source, session)
        if key not in self._stored_said:
            since = self._ports.clock.now_ms() - DAY_MS
            rows = [] if self._stored is None else self._stored.lately(source, session, since, SAID)
            self._stored_said[key] = {mark: _Said(at_ms, turn) for mark, turn, at_ms in reversed(rows)}
        return self._stored_said[key]

    @cached_property
    def _recent(self) -> deque[frozenset[str]]:
        wanted = NoteFilter(now_ms=self._ports.clock.now_ms(), low=True, limit=RECENT)
        found = [] if self._stored is None else self._stored.notes(wanted)
        return deque((words_of(seen.note.summary) for seen in reversed(found)), maxlen=RECENT)

    # --- the ledger ----------------------------------------------------------------------------------------------

    def catch_up(self) -> None:
        """Read what was appended since the last question."""
        if not self._begun:
            self._begin()
        for file in self._ports.ledger.files():
            if self._offsets.get(file.key) != file.size:
                self._read(file.name, file.key)

    def _begin(self) -> None:
        self._begun = True
        if self._stored is not None:
            self._offsets = dict(self._ports.store.ledger_offsets())
        behind = sum(max(0, file.size - self._offsets.get(file.key, 0)) for file in self._ports.ledger.files())
        if _TAIL < behind <= _ARCHIVE:
            self._ports.index_ledger()
            self.__dict__.pop("_stored", None)
            self._offsets = dict(self._ports.store.ledger_offsets())
        elif behind > _ARCHIVE:
            self._pass_over()

    def _pass_over(self) -> None:
        """Of an archive that nobody has indexed yet only the newest part is read: whoever writes a note does not wait
        for years of them. A turn that is told of before that counts as a new one, and its rows come out the same."""
        room = _TAIL
        for file in sorted(self._ports.ledger.files(), key=_begun_at, reverse=True):
            taken = min(room, max(0, file.size - self._offsets.get(file.key, 0)))
            self._offsets[file.key] = file.size - taken
            room -= taken

    def _read(self, name: str, key: str) -> None:
        for end, event in self._ports.ledger.read(name, self._offsets.get(key, 0)):
            self._offsets[key] = end
            at_ms = moment_ms(event.at) if isinstance(event, Event) and event.type in TURN_TYPES else None
            if isinstance(event, Event) and at_ms is not None:
                self._take(
                    IndexedLedgerEvent(packed_id(event.id, at_ms), event.type, at_ms, event.payload, event.worktree)
                )

    def _take(self, event: IndexedLedgerEvent) -> None:
        for turn in by_turn([event]):
            self._tail.setdefault(turn, []).append(event)
            original = event.text("duplicate_of") or turn
            if event.kind == "turn_completed":
                self._gists.setdefault(gist(event.text("summary", 4_096), event.text("decision", 4_096)), turn)
                self._recent.append(words_of(event.text("summary", 4_096)))
            elif original == turn:
                return
            self._remember(event, _Said(event.at_ms, original))

    def _remember(self, event: IndexedLedgerEvent, said: _Said) -> None:
        if mark := event.text("fingerprint"):
            known = self._fresh.setdefault((event.text("source"), event.text("session")), {})
            known.pop(mark, None)
            known[mark] = said
            if len(known) > SAID:
                del known[next(iter(known))]


def _begun_at(file: LedgerFile) -> str:
    """The id of its first event, which begins with the time; nothing where that is not known."""
    first = file.key.rpartition(".")[2]
    return "" if first.startswith("x") else first
