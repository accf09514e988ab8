"""Turns, their notes and alerts in the store, and the logs and transcripts of sessions."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, Protocol

from cairn.core.model.session import HOSTS, Host

if TYPE_CHECKING:
    from cairn.core.ports.search import Term, TextQuery

BEGUN = 7
"""Rank of the event that a prompt leaves: whoever tells of the turn later knows more."""


def turn_number(turn_id: str) -> int:
    """63 bits that stand for a turn, the same in every database."""
    return int.from_bytes(sha256(turn_id.encode("utf-8", "surrogatepass")).digest()[:8], "big") >> 1


def key_ms(key: bytes) -> int | None:
    """The time of an event, out of its key: one byte for its rank, six for the time, and its id. None without one."""
    return int.from_bytes(key[1:7], "big") if key else None


class TurnRow(NamedTuple):
    """A turn, and what became of it. Empty texts say that nobody told."""

    turn_id: str
    told_by: bytes = b""
    """Key of the event that the facts are from; the least one counts, so the order of arrival does not."""
    worktree: str = ""
    source: str = ""
    agent: str = ""
    channel: str = ""
    session: str = ""
    host: str = ""
    stage: str = ""
    project: str = ""
    internal: int = 0
    transcript: str = ""
    turn_number: int | None = None
    message_id: str = ""
    start: int | None = None
    stop: int | None = None
    hash: str = ""
    tools: str = "[]"
    tool_errors: int = 0
    eligible_at_ms: int | None = None
    """When it was first told of: by its prompt, where the host tells that."""
    ended_by: bytes = b""
    """Key of the event that ended it; the least one counts."""
    outcome: str = ""
    """As `TurnOutcome`; empty as long as there is none."""
    ended_at_ms: int | None = None
    reason: str = ""
    """Of a skip, or the code of a failure."""
    fingerprint: str = ""
    duplicate_of: str = ""
    tried_by: bytes = b""
    """Key of the last attempt."""
    attempts: int = 0
    error: str = ""
    """Of the last attempt that failed."""

    @property
    def told_at_ms(self) -> int | None:
        """When the facts were told: at the end of the turn, unless only its beginning is known."""
        return key_ms(self.told_by)

    @property
    def under_way(self) -> bool:
        """Begun by a prompt, and nobody has told of its end."""
        return not self.outcome and self.told_by[:1] == bytes((BEGUN,))


class NoteRow(NamedTuple):
    """A note as its last revision has it."""

    id: int
    """Made of the turn's id, so that it is the same in every database."""
    turn_id: str
    said_by: bytes
    """Key of the event; the greatest one counts."""
    source: str
    agent: str
    channel: str
    session: str
    host: str
    stage: str
    project: str
    turn_number: int | None
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
    gist: str
    """Equal for notes that say the same in nearly the same words."""
    created_at_ms: int
    updated_at_ms: int
    revision: int
    taint: str


class TurnBatch(NamedTuple):
    """Rows of turns and notes as a store holds them: what those of a session have in common is there once. All of it is
    plain, since it may come from another process."""

    facts: dict[int, tuple[Any, ...]]
    """By a number that is made of them: worktree, source, agent, channel, session, host, stage, project, internal,
    transcript."""
    turns: list[tuple[Any, ...]]
    """Number and id of the turn, number of its facts, `told_by`, and what follows the transcript in a `TurnRow`."""
    notes: list[tuple[Any, ...]]
    """The first three of a `NoteRow`, number of the facts, and what follows the project."""

    def turn(self, row: tuple[Any, ...]) -> TurnRow:
        return TurnRow(row[1], row[3], *self.facts[row[2]], *row[4:])

    def note(self, row: tuple[Any, ...]) -> NoteRow:
        return NoteRow(*row[:3], *self.facts[row[3]][1:8], *row[4:])


def turn_batch(turns: Iterable[tuple[Any, ...]], notes: Iterable[tuple[Any, ...]]) -> TurnBatch:
    """Of the values of `TurnRow` and `NoteRow`."""
    facts = _Facts()
    noted = [(*row[:3], facts[("", *row[3:10], 0, "")], *row[10:]) for row in notes]
    known = {row[1]: row[0] for row in noted}
    narrow = [(known.get(row[0]) or turn_number(row[0]), row[0], facts[row[2:12]], row[1], *row[12:]) for row in turns]
    return TurnBatch({number: fact for fact, number in facts.items()}, narrow, noted)


class _Facts(dict[tuple[Any, ...], int]):
    def __missing__(self, facts: tuple[Any, ...]) -> int:
        found = self[facts] = turn_number("\n".join(map(str, facts)))
        return found


class AlertRow(NamedTuple):
    key: str
    kind: str
    source: str
    severity: str
    text: str
    number: int
    raised_by: bytes
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
    offset: int = 0
    """With a limit: so many are passed over."""


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
    offset: int = 0


class TurnStore(Protocol):
    def turn_rows(self, ids: Collection[str]) -> dict[str, TurnRow]: ...
    def note_rows(self, ids: Collection[str]) -> dict[str, NoteRow]:
        """By the ids of turns."""
        ...

    def known(self, numbers: Collection[int]) -> tuple[dict[int, TurnRow], dict[int, NoteRow]]:
        """Those of these turns that are there, and their notes, by number."""
        ...

    def add(self, batch: TurnBatch) -> None:
        """Turns and notes that are not there yet."""
        ...

    def keep(self, turns: Sequence[TurnRow], notes: Sequence[NoteRow]) -> None:
        """Each takes the place of the one with the same turn."""
        ...

    def settle(self) -> None:
        """Nothing more is added for now: make it quick to read."""
        ...

    def add_words(self) -> int:
        """Make sure that all notes are found by their words; how many were not. Whoever looks for words needs not call
        it."""
        ...

    def turns(self, wanted: TurnFilter) -> list[TurnRow]:
        """Newest first."""
        ...

    def listed(self, wanted: TurnFilter, *, now_ms: int, low: bool) -> list[tuple[str, bool]]:
        """Ids of turns, newest first, and whether each has a note to show. A note is not shown when it expired, when
        somebody cleared it, or when it is of low visibility and `low` is not asked for; nor is its turn then."""
        ...

    def seen_counts(self, ids: Collection[str]) -> dict[str, int]:
        """How many turns said what each of these says, itself included."""
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


class SessionLogs(Protocol):
    """Files that only their owner may read. A name that is not one of ours is never opened."""

    @property
    def place(self) -> str:
        """Of the folder, from the root of the workspace."""
        ...

    def names(self) -> list[str]:
        """All logs, oldest first."""
        ...

    def size(self, name: str) -> int: ...

    def read(self, name: str, start: int, end: int) -> bytes:
        """Less when the file is shorter, nothing when it is gone."""
        ...

    def write(self, name: str, pieces: Iterable[bytes]) -> None:
        """All of it or nothing, and on disk when this returns."""
        ...

    def remove(self, name: str) -> bool: ...

    def scratch(self) -> AbstractContextManager[BinaryIO]:
        """A file without a name for what is being gathered."""
        ...


class Transcript(Protocol):
    """What a host wrote about one session."""

    def chunks(self, start: int = 0) -> Iterator[bytes]: ...

    def check(self, end: int) -> str | None:
        """A checksum of the first bytes; None when there are fewer."""
        ...


class FoundTranscript(NamedTuple):
    """A transcript in a host's own folder that belongs to a project."""

    host: Host
    session: str
    path: str
    at_ms: int
    """When it was last written to."""
    size: int


class Transcripts(Protocol):
    """What the hosts on this machine keep of a project. It lies in the home directory, so only on a person's word."""

    def open(self, path: Path, host: Host, session: str) -> Transcript:
        """A file, or the place where OpenCode keeps its sessions."""
        ...

    def find(self, hosts: Sequence[Host] = HOSTS) -> list[FoundTranscript]:
        """Of sessions in this workspace, newest first."""
        ...

    def memory_files(self) -> list[Path]:
        """By which Claude Code remembers this project, in order of their names."""
        ...
