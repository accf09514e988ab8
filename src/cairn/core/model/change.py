"""A change: edits of repository files that somebody proposes, what the gates say about it, and what becomes of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import Any, Final, Literal, NamedTuple


class Level(IntEnum):
    """What a gate says; the worst counts."""

    PASS = 0
    NOTE = 1
    """Worth reading, or that something could not be checked."""
    WARN = 2
    """A person should look before it lands."""
    BLOCK = 3
    """It does not land like this."""

    @property
    def word(self) -> str:
        return self.name.lower()


class GateRuling(NamedTuple):
    """The word of one gate about one change."""

    gate: str
    level: Level
    reason: str
    """One sentence."""
    evidence: tuple[Mapping[str, Any], ...] = ()
    """What it is based on: path, line, quote, url, ratio …; plain JSON."""


class Taint(IntEnum):
    """The least trusted input that a change followed; the higher, the less trusted."""

    PERSON = 0
    REPOSITORY = 1
    MODEL = 2
    OUTSIDE = 3
    """A page of the web, the output of a tool, a submission."""

    @property
    def word(self) -> str:
        return self.name.lower()


class FileEdit(NamedTuple):
    """One file as it should be; None takes it away."""

    path: str
    content: bytes | None


class Label(NamedTuple):
    name: str
    setter: str
    """Who put it there: an origin such as `freshness`, or a person."""


Landing = Literal["manual", "auto"]


class RequestNote(NamedTuple):
    """Something that somebody did with a request, or said about it."""

    at_ms: int
    who: str
    what: str
    """`opened`, `updated`, `labelled`, `approved`, `commented`, `merged`, `closed`, `reopened`, `reverted`."""
    text: str = ""


@dataclass(frozen=True, slots=True)
class ChangeSet:
    origin: str
    """The feature that made it: `freshness`, `curate`, `bump`, `person` …"""
    subject: str
    """What it is about: an entry, a source, a corpus. An open request for the same subject is updated."""
    base: str
    """Commit id that it was made against."""
    edits: tuple[FileEdit, ...]
    title: str
    body: str = ""
    branch: str = ""
    """Name of the branch; empty lets the forge make one from origin and subject."""
    labels: tuple[Label, ...] = ()
    evidence: Mapping[str, Any] = field(default_factory=dict)
    """Kept beside the request: a verdict, hashes, excerpts; plain JSON."""
    taint: Taint = Taint.PERSON
    landing: Landing = "manual"
    limited: bool = False
    """Whether the hourly limit holds for it (proposals of curator, submissions, ad-hoc audits)."""
    kind: str = ""
    """Its class: `confirmations`, `status`, `bump`, `quarantine`, `rollback`, `revert` …; `change.automerge` names
    those that may land by themselves. Stamped by the origin."""


class RequestState(StrEnum):
    """Where a change request stands."""

    OPEN = "open"
    """Waits for somebody."""
    READY = "ready"
    """May land by itself, but its base is checked out somewhere; a person has to merge it."""
    MERGED = "merged"
    CLOSED = "closed"
    REVERTED = "reverted"
    """Was merged, and taken back by another change."""


@dataclass(frozen=True, slots=True)
class ChangeRequest:
    id: str
    """Short and unique: `12` at a forge on the web, `c-…` at the local one."""
    state: RequestState
    origin: str
    subject: str
    title: str
    body: str
    branch: str
    base_branch: str
    base: str
    """Commit that the head stands on."""
    head: str
    """Commit."""
    paths: tuple[str, ...]
    labels: tuple[Label, ...]
    rulings: tuple[GateRuling, ...]
    evidence: Mapping[str, Any]
    taint: Taint
    landing: Landing
    opened_at_ms: int
    updated_at_ms: int
    approved_by: tuple[str, ...] = ()
    merged_commit: str | None = None
    reverts: str | None = None
    """Id of the request that this one takes back."""
    url: str | None = None
    limited: bool = False
    kind: str = ""
    notes: tuple[RequestNote, ...] = ()
    """Oldest first; a forge that shows them itself may leave them out."""

    @property
    def active(self) -> bool:
        """Whether it still waits for something."""
        return self.state in (RequestState.OPEN, RequestState.READY)

    @property
    def level(self) -> Level:
        return worst(self.rulings)


def worst(rulings: tuple[GateRuling, ...]) -> Level:
    return max((ruling.level for ruling in rulings), default=Level.PASS)


class Ticket(NamedTuple):
    """Something for a person that is no change: an issue at the forge, one per cause, ids only."""

    id: str
    cause: str
    """Key; opening another of the same cause finds this one."""
    title: str
    body: str
    open: bool
    opened_at_ms: int
    url: str | None = None


OVER_REWRITE_LABEL: Final = "override:anti-over-rewrite"

RESTORING: Final = frozenset({"rollback", "quarantine"})
"""Kinds of changes that put an earlier text of a page back; how much that changes says nothing against it."""
