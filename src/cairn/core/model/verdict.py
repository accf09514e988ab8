"""A verdict: what an audit says about an entry, after looking at its sources."""

from enum import StrEnum
from typing import Literal, NamedTuple

Severity = Literal["P0", "P1", "P2", "P3"]
ChangeKind = Literal["replace", "insert", "delete"]

EDITION_UPGRADE = "edition-upgrade"
"""Kind of a finding: there is a newer edition of what the entry is about."""

FACTUAL_ERROR = "factual-error"
"""Kind of a finding: the source no longer contains a value, version, name or path that the entry states."""

REMOVED = "removed"
"""Kind of a finding: the source no longer says anything about what the entry states."""

OBSOLETE = "obsolete-recommendation"
"""Kind of a finding: the edition that the entry is about has ended, and no newer one is named."""

TO_BE_READ = "to-be-read"
"""Kind of a finding: a passage that the entry relies on changed, or a newer edition is named, and nobody has read what
that means."""


class VerdictOutcome(StrEnum):
    CURRENT = "current"
    """Nothing that the entry relies on changed."""
    MINOR_DRIFT = "minor-drift"
    """Something changed; the entry may be touched up, no edit is proposed."""
    MAJOR_DRIFT = "major-drift"
    """The entry is wrong in a place that matters."""
    SUPERSEDED = "superseded"
    """There is a newer edition of what it is about."""


class CheckedSource(NamedTuple):
    """A source that was looked at."""

    url: str
    """With its anchor, or `path#anchor`."""
    retrieved_at: str
    content_hash: str
    summary: str


class VerdictFinding(NamedTuple):
    claim_in_entry: str
    evidence_url: str
    evidence_date: str
    source_excerpt: str
    severity: Severity
    drift_kind: str
    previous_excerpt: str = ""
    """What stood in the source before, where an earlier text of it is known."""


class ProposedChange(NamedTuple):
    location: str
    """A heading, `## …`; of a replacement also the sentence that is replaced."""
    kind: ChangeKind
    rationale: str
    new_text: str | None = None


class Verdict(NamedTuple):
    entry_name: str
    audit_date: str
    model: str
    """Stamped by us: `extractive/2`, `deepseek/deepseek-v4-flash`."""
    outcome: VerdictOutcome
    """`verdict` on the wire."""
    sources_checked: tuple[CheckedSource, ...]
    findings: tuple[VerdictFinding, ...] = ()
    proposed_changes: tuple[ProposedChange, ...] = ()
    proposed_version_pin: str | None = None
    preserve_warnings: tuple[str, ...] = ()
    source_unverifiable: bool = False
    """Nothing is asserted: nothing is applied, and the entry stays due."""

    @property
    def to_be_read(self) -> bool:
        """Whether passages changed and nobody has read them; the findings show both texts."""
        return self.source_unverifiable and any(one.drift_kind == TO_BE_READ for one in self.findings)
