"""What is known of gaps: how often which topic was missed, on which days and by whom, made of the ledger's events."""

from collections.abc import Collection, Iterator, Sequence
from typing import Literal, NamedTuple, Protocol

Voice = Literal["project", "worktree"]


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


class GapVoice(NamedTuple):
    """Somebody who missed a topic."""

    topic: str
    kind: Voice
    who: str
    first_ms: int
    last_ms: int


class GapExcerpt(NamedTuple):
    """What an agent said it was looking for; of each topic the last few that differ are kept."""

    topic: str
    excerpt: str
    at_ms: int


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
    def add(self, days: Sequence[GapDay], voices: Sequence[GapVoice], excerpts: Sequence[GapExcerpt]) -> None:
        """On top of what is there already. Whoever calls it has made sure that no signal comes twice."""
        ...

    def counts(self, since_day: int) -> list[GapCount]:
        """By topic, from that day on."""
        ...

    def days(self, since_day: int) -> list[GapDay]: ...
    def voices(self, since_ms: int) -> dict[tuple[str, str], int]:
        """By topic and kind: how many spoke since then."""
        ...

    def reporting(self, since_ms: int) -> dict[str, int]:
        """By kind: how many spoke since then, about whatever topic."""
        ...

    def who(self, topics: Collection[str], kind: Voice, since_ms: int) -> list[GapVoice]:
        """Who spoke since then about these topics, in the order in which they first did."""
        ...

    def excerpts(self, topics: Collection[str], since_ms: int) -> list[GapExcerpt]:
        """Newest first."""
        ...

    def signals(self, since_ms: int, until_ms: int) -> Iterator[tuple[str, int, str, str]]:
        """(id, time, work tree, payload) of the signals in a short stretch, one by one; the end is not part of it."""
        ...
