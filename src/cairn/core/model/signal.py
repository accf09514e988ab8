"""A signal: something in a file that may be a link, before anybody decided what it means.

Signals are made by the hundred thousand in a cold scan, so they are named tuples: built four times faster than
frozen dataclasses, and written to the store as they are.
"""

from typing import Any, Literal, NamedTuple

LinkKind = Literal["invokes", "references", "mentions", "points"]
LINK_KINDS: tuple[LinkKind, ...] = ("invokes", "references", "mentions", "points")

Scope = Literal["body", "frontmatter", "sidecar"]


class Candidate(NamedTuple):
    """One reading of a signal: which extractor thinks that it is what kind of link to where."""

    extractor: str
    """Qualified id, `plugin/extension`."""
    kind: str
    target: str
    confidence: float
    original: str
    """The trigger as it was written."""
    normalized: str
    """The trigger as names are compared; for path-style links the target itself."""
    by_name: bool = False
    """True when the target is a name to look up, not a path."""
    data: dict[str, Any] | None = None
    rationale: str = ""


class Signal(NamedTuple):
    """A stretch of a file, and what it may mean. Offsets are code points of the body, the line is of the file."""

    scope: str
    start: int
    end: int
    line: int
    raw: str
    candidates: tuple[Candidate, ...]
    field_path: str = ""
    context: str = ""


RejectionReason = Literal[
    "kind-priority", "higher-confidence", "longer-range", "earlier-declaration", "inside-url", "inactive-provider"
]


class Rejection(NamedTuple):
    """Why a signal did not become a link: the signal that won against it, and the step that decided."""

    signal: Signal
    extractor: str
    """Of the candidate that lost."""
    kind: str
    target: str
    reason: str
    winner_extractor: str
    winner_start: int
    winner_end: int
    winner_line: int
