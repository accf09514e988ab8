"""What a page may be served as: decided when it is read, by what is known of it besides its file."""

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from cairn.core.model.knowledge import EntryStatus
from cairn.knowledge.serving_status import ServingStatus, serving_status, status_of


class Standing(NamedTuple):
    status: EntryStatus | None
    serving: ServingStatus
    data: bytes | None = None
    """What is served instead of the file: the last good revision of a page whose text was withdrawn."""


class CohortFacts(NamedTuple):
    """The ballots about what a page says now, counted when somebody reads it."""

    anchor: str
    status: str
    since_ms: int
    confirms: int
    rejects: int
    flags: int
    observations: tuple[str, ...] = ()
    """What those wrote who rejected it, without secrets and personal data; the latest first."""


class Standings(Protocol):
    def of(self, path: str, frontmatter: Mapping[str, Any], data: bytes | None = None) -> Standing:
        """With the bytes that lie there, where the caller has them: a text that nobody judged has no standing yet."""
        ...

    def cohort(self, path: str) -> CohortFacts | None:
        """None for a page that is not tracked."""
        ...


class HasStandings(Protocol):
    def standings(self, *, as_it_is: bool = False) -> Standings:
        """As they are known now; `as_it_is` waits for nobody who writes."""
        ...


class StandingsByFile:
    """As the files say, for whoever has no trust store."""

    def of(self, path: str, frontmatter: Mapping[str, Any], data: bytes | None = None) -> Standing:
        return as_the_file_says(frontmatter)

    def cohort(self, path: str) -> CohortFacts | None:
        return None


def as_the_file_says(frontmatter: Mapping[str, Any]) -> Standing:
    status = status_of(frontmatter)
    return Standing(status, serving_status(status, successor_of(frontmatter)))


def successor_of(frontmatter: Mapping[str, Any]) -> str | None:
    found = frontmatter.get("superseded_by")
    return found if isinstance(found, str) else None
