"""What `cairn observe` keeps in the store: findings of audits, and how often which topic was missed."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final, Literal, NamedTuple, Protocol

Voice = Literal["project", "worktree"]
VOICES: Final[tuple[Voice, ...]] = ("project", "worktree")


Names = dict[str, int]
"""By name: the bit that stands for it."""


class GapDay(NamedTuple):
    """The signals about one topic on one day, counted."""

    topic: str
    day: int
    """Since 1970, in UTC."""
    signals: int
    first_ms: int
    last_ms: int
    session_low: str
    """The least of the sessions that they came from; when it is not the greatest too, there were two at least."""
    session_high: str
    projects: int = 0
    """Who spoke, with a bit for each."""
    worktrees: int = 0


class GapExcerpt(NamedTuple):
    """What an agent said it was looking for; of each topic the last few that differ are kept."""

    topic: str
    excerpt: str
    at_ms: int


class GapTally(NamedTuple):
    """Signals that were counted, to be added to what is there; the bits are its own."""

    days: Sequence[GapDay]
    excerpts: Sequence[GapExcerpt]
    projects: Names
    worktrees: Names


class GapCount(NamedTuple):
    """All signals about one topic in a stretch of time."""

    topic: str
    signals: int
    days: int
    """On so many different ones."""
    first_ms: int
    last_ms: int
    session_low: str
    session_high: str


class GapStore(Protocol):
    def add(self, tally: GapTally) -> None:
        """On top of what is there already. Whoever calls it has made sure that no signal comes twice."""
        ...

    def settle(self) -> None:
        """Nothing more is added for now: make it quick to read."""
        ...

    def counts(self, since_day: int) -> list[GapCount]:
        """By topic, from that day on."""
        ...

    def by_day(self, since_day: int, topics: Collection[str] | None = None) -> list[tuple[str, int, int]]:
        """(topic, day, signals), in that order; of these topics, or of all."""
        ...

    def voices(self, since_day: int, kind: Voice) -> Mapping[str, Sequence[str]]:
        """Who spoke about each topic from that day on, in the order in which they first did."""
        ...

    def excerpts(self, topics: Collection[str], since_ms: int) -> list[GapExcerpt]:
        """Newest first."""
        ...


class FindingRow(NamedTuple):
    """A finding as some audit saw it last."""

    id: str
    lens: str
    severity: str
    report: str
    """Id of the audit."""
    first_seen_ms: int
    last_seen_ms: int
    detail: str
    """The finding as JSON, without secrets."""


class FindingStore(Protocol):
    def all(self) -> list[FindingRow]:
        """In the order of severity, lens and id."""
        ...

    def replace(self, lenses: Collection[str], rows: Sequence[FindingRow]) -> None:
        """These are what the lenses find now; what they found before and don't any more is dropped."""
        ...
