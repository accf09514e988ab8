"""A finding of an audit, and the extension point of the lenses that report findings."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Literal, NamedTuple, Protocol

from cairn.core.extension_points import Manifest

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


class LensManifest(Manifest):
    scope: Literal["docs", "code"] = "docs"
    needs: tuple[str, ...] = ()
    """Of `docs`, `git`, `ledger`; without one of these it is skipped, which the report says."""
    after: tuple[str, ...] = ()
    """Ids of lenses that look first."""


class LensContext(NamedTuple):
    """What a lens looks at in an audit."""

    lens: str
    """Its own id, `plugin/lens`, as its findings have to name it."""
    documents: Callable[[], Iterable[tuple[str, str]]]
    """(path, text) of every document, read when asked for."""
    profile: Literal["fast", "full"]
    settings: Mapping[str, Any]


class LensExtension(Protocol):
    """Looks at a workspace during `cairn observe audit` and says what does not fit together."""

    @property
    def manifest(self) -> LensManifest: ...

    def look(self, ctx: LensContext) -> Iterable["Finding"]:
        """A finding's id stays the same as long as it is the same thing: `finding_id` makes one of its parts."""
        ...
