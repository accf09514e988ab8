"""A finding of observe: something that a lens saw, with an id that stays the same as long as it is the same thing."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Literal

Severity = Literal["P0", "P1", "P2", "P3"]
SEVERITIES: tuple[Severity, ...] = ("P0", "P1", "P2", "P3")
FindingStatus = Literal["open", "acknowledged", "skipped"]


@dataclass(frozen=True, slots=True)
class Finding:
    id: str
    lens: str
    """`H-cross-doc`, `I-knowledge-gaps`, or a plugin's."""
    severity: Severity
    title: str
    description: str
    fix_hint: str = ""
    source_doc: str | None = None
    line: int | None = None
    confidence: Literal["low", "medium", "high"] = "medium"
    evidence: Mapping[str, Any] = field(default_factory=dict)
    """With a `kind`; plain JSON."""
    first_seen: str | None = None
    last_seen: str | None = None
    status: FindingStatus = "open"
    ack_note: str | None = None


def finding_id(*parts: str) -> str:
    """16 hexadecimal digits; the same parts give the same id, wherever and whenever."""
    return sha256("::".join(parts).encode()).hexdigest()[:16]
