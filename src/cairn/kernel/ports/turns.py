"""What is known of turns, their notes and the watchdog's alerts: tables that are made of the ledger's events."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from cairn.kernel.ports.search import Term, TextQuery


BEGUN = 7
"""Rank of the event that a prompt leaves: whoever tells of the turn later knows more."""


class TurnRow(NamedTuple):
    """A turn, and what became of it. Empty texts say that nobody told."""

    turn_id: str
    told_by: str = ""
    """Key of the event that the facts are from; the least one counts, so the order of arrival does not."""
    worktree: str = ""
    source: str = ""
    agent: str = ""
    channel: str = ""
    session: str = ""
    turn_number: int | None = None
    host: str = ""
    stage: str = ""
    project: str = ""
    internal: int = 0
    message_id: str = ""
    transcript: str = ""
    start: int | None = None
    stop: int | None = None
    hash: str = ""
    tools: str = "[]"
    tool_errors: int = 0
    eligible_at_ms: int | None = None
    """When it was first told of: by its prompt, where the host tells that."""
    ended_by: str = ""
    """Key of the event that ended it; the least one counts."""
    outcome: str = ""
    """As `TurnOutcome`; empty as long as there is none."""
    ended_at_ms: int | None = None
    reason: str = ""
    """Of a skip, or the code of a failure."""
    fingerprint: str = ""
    duplicate_of: str = ""
    tried_by: str = ""
    """Key of the last attempt."""
    attempts: int = 0
    error: str = ""
    """Of the last attempt that failed."""

    @property
    def told_at_ms(self) -> int | None:
        """When the facts were told: at the end of the turn, unless only its beginning is known."""
        return int(self.told_by[2:17]) if self.told_by else None

    @property
    def under_way(self) -> bool:
        """Begun by a prompt, and nobody has told of its end."""
        return not self.outcome and self.told_by[:2] == f"{BEGUN:02d}"


class NoteRow(NamedTuple):
    """A note as its last revision has it."""

    id: int
    """Made of the turn's id, so that it is the same in every database; the full text hangs on it."""
    turn_id: str
    said_by: str
    """Key of the event; the greatest one counts."""
    source: str
    agent: str
    channel: str
    session: str
    turn_number: int | None
    host: str
    stage: str
    project: str
    title: str
    summary: str
    decision: str
    evidence: str
    """JSON, as are tags and context."""
    tags: str
    type: str
    context: str
    target: str
    """What failed, for notes of type `failed_target`."""
    occurred_at: str
    score: int
    low: int
    expires_at_ms: int | None
    fingerprint: str
    gist: str
    """Equal for notes that say the same in nearly the same words."""
    created_at_ms: int
    updated_at_ms: int
    revision: int
    taint: str


class AlertRow(NamedTuple):
    key: str
    kind: str
    source: str
    severity: str
    text: str
    number: int
    raised_by: str
    raised_at_ms: int
    resolved_at_ms: int | None

    @property
    def open(self) -> bool:
        return self.raised_at_ms >= 0 and (self.resolved_at_ms is None or self.resolved_at_ms < self.raised_at_ms)


class SeenNote(NamedTuple):
    note: NoteRow
    seen_count: int
    """How many turns said it, this one included."""


class TurnFilter(NamedTuple):
    """Empty fields don't restrict."""

    source: str = ""
    agent: str = ""
    session: str = ""
    stage: str = ""
    project: str = ""
    outcome: str = ""
    """`unaccounted` for none."""
    since_ms: int = 0
    """When it was eligible, or ended when nobody said that it was eligible."""
    until_ms: int | None = None
    limit: int | None = None


class NoteFilter(NamedTuple):
    source: str = ""
    agent: str = ""
    session: str = ""
    stage: str = ""
    project: str = ""
    type: str = ""
    since_ms: int = 0
    now_ms: int = 0
    """What expired before is left out."""
    low: bool = False
    """Also those of low visibility."""
    words: tuple[str, ...] = ()
    """All of them are in title, summary, decision or tags."""
    types: tuple[str, ...] = ()
    """Of any of these."""
    tags: tuple[str, ...] = ()
    """With any of these."""
    limit: int | None = None


class TurnStore(Protocol):
    def turn_rows(self, ids: Collection[str]) -> dict[str, TurnRow]: ...
    def note_rows(self, ids: Collection[str]) -> dict[str, NoteRow]:
        """By the ids of turns."""
        ...

    def keep(self, turns: Sequence[TurnRow], notes: Sequence[NoteRow]) -> None:
        """Each takes the place of the one with the same turn."""
        ...

    def turns(self, wanted: TurnFilter) -> list[TurnRow]:
        """Newest first."""
        ...

    def notes(self, wanted: NoteFilter) -> list[SeenNote]:
        """Newest first; with words, best first."""
        ...

    def find_notes(self, query: "TextQuery", wanted: NoteFilter) -> list[SeenNote]:
        """Those whose text has what is looked for, best first."""
        ...

    def note_frequency(self, term: "Term", *, at_most: int) -> int:
        """In how many notes it occurs, counted no further than that; expired ones count until they are swept."""
        ...

    def note_total(self) -> int: ...
    def same_gist(self, gist: str, now_ms: int) -> NoteRow | None:
        """The oldest note that says the same and is still there."""
        ...

    def lately(self, source: str, session: str, since_ms: int, limit: int) -> list[tuple[str, str, int]]:
        """(fingerprint, turn that first said it, when it was said) of turns that ended, newest first."""
        ...

    def pending(self, worktree: str, limit: int) -> list[TurnRow]:
        """Turns of this work tree without an outcome that a hook left a pointer for, oldest first."""
        ...

    def alerts(self) -> list[AlertRow]: ...
    def keep_alerts(self, rows: Sequence[AlertRow]) -> None: ...
    def cleared(self) -> dict[str, int]:
        """Targets that somebody cleared, and when."""
        ...

    def keep_cleared(self, targets: dict[str, int]) -> None: ...
