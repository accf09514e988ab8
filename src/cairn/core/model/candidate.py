"""What might become knowledge: a candidate, the fate that the curator gives it, a conflict that a person settles."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, Literal, NamedTuple

from cairn.core.model.change import Taint
from cairn.core.model.session import KEEP_TAGS

Kind = Literal["practice", "map"]
"""How we build, and what exists."""
Confidence = Literal["low", "medium", "high"]
CONFIDENCES: tuple[Confidence, ...] = ("low", "medium", "high")


class Quote(NamedTuple):
    """Where a candidate was said."""

    where: str
    """A session's log, a note, a document: as `derived_from` names it."""
    text: str
    start: int | None = None
    end: int | None = None
    """Characters of the rendered text."""


@dataclass(frozen=True, slots=True)
class KnowledgeCandidate:
    origin: str
    """`<session>:<practice|map>:<index>`, `note:<id>:<index>`, `document:<path>:<index>`, `harness-memory:<iri>`:
    the same statement of the same place has the same origin, however often it is read."""
    kind: Kind
    title: str
    summary: str
    body: str
    tags: tuple[str, ...] = ()
    confidence: Confidence = "medium"
    taint: Taint = Taint.MODEL
    derived_from: tuple[str, ...] = ()
    quotes: tuple[Quote, ...] = ()
    said_at: str | None = None
    supports: str | None = None
    contradicts: str | None = None
    """Hints about existing nodes; taken only when the curator finds the same ones."""
    verbatim: bool = False
    """Nothing in it was reworded: a person asked to keep these words, or they had the form of knowledge already."""


class Fate(StrEnum):
    """What becomes of a candidate: exactly one of these."""

    ADD = "add"
    MODIFY = "modify"
    CONTRADICT = "contradict"
    DROP = "drop"


@dataclass(frozen=True, slots=True)
class ProposedNode:
    """A page as the curator would write it. Its id and where it comes from are stamped by Cairn."""

    title: str
    kind: Kind
    tags: tuple[str, ...]
    summary: str
    body: str
    confidence: Confidence
    relates_to: tuple[str, ...] = ()
    depends_on: tuple[str, ...] = ()


class TextEdit(NamedTuple):
    """Words of a page, and what stands in their place."""

    old: str
    """Letter by letter; they occur on the page once."""
    new: str


class PageRevision(NamedTuple):
    """What changes on a page; everything else stays."""

    edits: tuple[TextEdit, ...] = ()
    title: str | None = None
    summary: str | None = None
    """Those that state what changes; None where they stay."""


@dataclass(frozen=True, slots=True)
class CandidateDecision:
    fate: Fate
    candidate_origin: str
    rationale: str
    """One sentence for a person."""
    target_node_id: str | None = None
    proposed_node: ProposedNode | None = None
    suggested_resolution: str | None = None
    notes: tuple[str, ...] = ()
    """What was left out on the way, such as a hint about a node that is not there."""
    revision: PageRevision | None = None
    """Of the target, where a reader wrote it."""


FailureReason = Literal["add_collision", "modify_missing_target", "unanswered"]


class DecisionFailure(NamedTuple):
    """An action that could not be applied; kept until it is retried or dropped."""

    reason: FailureReason
    candidate_origin: str
    node_id: str
    detail: str
    run_id: str


ConflictStatus = Literal["pending", "accepted", "rejected", "kept"]


@dataclass(frozen=True, slots=True)
class KnowledgeConflict:
    id: str
    """`<run>-<n>`."""
    status: ConflictStatus
    detected_at: str
    run_id: str
    candidate_origin: str
    target_node_id: str | None
    rationale: str
    proposed: ProposedNode
    derived_from: tuple[str, ...] = ()
    taint: Taint = Taint.MODEL
    suggested_resolution: str | None = None
    settled_by: str | None = None
    settled_at: str | None = None
    partial: bool = False
    """Its file holds the proposed text only: a program before Cairn kept neither summary nor tags."""
    extra: Mapping[str, Any] = field(default_factory=dict)


KEEP_TAG: Final[dict[Kind, str]] = dict(zip(("practice", "map"), KEEP_TAGS, strict=True))
"""The tag of a note that is to become a page, by the kind of the page. `cairn note --keep` sets it."""
