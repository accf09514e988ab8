"""What the trust store keeps: artefacts as their last event left them, and one ballot for each voter and cohort.

All of it is made of events of the ledger. Each event about an artefact carries the whole state that it left, and the
latest counts, so that neither order nor repetition matters.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal, NamedTuple, Protocol

Source = Literal["person", "agent", "merge", "check", "use", "probe"]
SOURCES: Final[tuple[Source, ...]] = ("person", "agent", "merge", "check", "use", "probe")
"""Where a ballot comes from; the store keeps the number of its place."""
VERDICTS: Final = ("confirm", "reject", "flag")

QUARTERS: Final = 4
"""Ballots are weighed in quarters, so that every database counts exactly."""

BANNED_FROM: Final = 2
"""With so many flags that a maintainer found bogus a voter is not counted any more; with one, only their flags are."""


class ArtefactRow(NamedTuple):
    artefact: str
    """Path of the page."""
    kind: str
    status: str
    version: str
    rev: int
    """`content_rev`: goes up with each change of meaning."""
    anchor: str
    """`<kind>:<path>@r<content_rev>`, stamped on each ballot; the path is that under which the cohort began."""
    cohort: int
    """Number of its cohort, made of its anchor and of what the page said when the cohort began."""
    founding: str
    """Beginning of the hash of what the page said then; maintenance edits keep it."""
    content: str
    """The same of what it says now; empty when the page has left the base branch."""
    revision: str
    """Id that git has for the text that is served."""
    snapshot: str
    """Key of the kept text, where that is not what the base branch has; else empty."""
    seen_status: str
    """What the file on the base branch said when it was last looked at."""
    since_ms: int
    """When the cohort began."""
    submitter: int
    """Who brought this content; their ballots are not counted. 0 for nobody who could vote."""
    hold: int
    """1 while a single flag against a stable page waits for a person."""
    good_rev: int
    """Of the last revision that had reached beta or more; 0 for none."""
    good_status: str
    good_content: str
    good_revision: str
    good_snapshot: str
    patches: str
    """The highest patch that each `major.minor` ever had, as JSON."""
    landed: int
    """0 from a rollback until the base branch has its text."""
    transition: str
    by: str
    """`tick`, `person` or `file`."""
    at_ms: int
    id: bytes
    """Of the event, packed."""


class BallotRow(NamedTuple):
    cohort: int
    voter: int
    source: int
    """Place in `SOURCES`."""
    verdict: int
    """Place in `VERDICTS`."""
    at_ms: int
    id: bytes
    reason: str


class RejectedContent(NamedTuple):
    """A text of an artefact that was rolled back, or that a person let in again."""

    artefact: str
    content: str
    at_ms: int
    rejected: int


class Strike(NamedTuple):
    """A flag that a maintainer found bogus."""

    voter: int
    artefact: str
    rev: int


class Tally(NamedTuple):
    """The ballots of one cohort, counted: without those of its submitter and of banned voters."""

    confirms: tuple[int, ...] = (0,) * len(SOURCES)
    """By source."""
    rejects: tuple[int, ...] = (0,) * len(SOURCES)
    flags: int = 0
    last_confirm_ms: int = 0


NO_BALLOTS: Final = Tally()

Operator = Literal[">=", "<=", ">", "=", "<"]


class Condition(NamedTuple):
    """One comparison of a measure of an artefact with a number."""

    measure: str
    operator: Operator
    value: int


class Possibility(NamedTuple):
    """Artefacts of these statuses and kinds for which all conditions hold may have to move."""

    statuses: tuple[str, ...]
    conditions: tuple[Condition, ...]
    kinds: tuple[str, ...] = ()
    """Empty for all."""


class Preselection(NamedTuple):
    now_ms: int
    weights: tuple[int, ...]
    """Quarters that a ballot of each source counts."""
    rate: int
    """Percent of confirming ballots that the measure `margin` is about."""
    possibilities: Sequence[Possibility]


class TrustStore(Protocol):
    def apply(
        self,
        artefacts: Sequence[ArtefactRow] = (),
        ballots: Sequence[BallotRow] = (),
        rejected: Sequence[RejectedContent] = (),
        strikes: Sequence[Strike] = (),
    ) -> None:
        """Keeps what is later than what is there."""
        ...

    def settle(self) -> None:
        """Counts the cohorts again whose ballots changed."""
        ...

    def preselect(self, wanted: Preselection) -> Iterator[tuple[ArtefactRow, Tally]]:
        """Every artefact for which one of the possibilities is one, in order of their names."""
        ...

    def artefacts(self, names: Collection[str] | None = None) -> list[ArtefactRow]:
        """These, or all, in order of their names."""
        ...

    def any_artefact(self) -> bool: ...

    def tallies(self, cohorts: Collection[int]) -> Mapping[int, Tally]:
        """Of those cohorts that are known."""
        ...

    def tallies_since(self, cohorts: Collection[int], since_ms: int) -> Mapping[int, Tally]:
        """The same of ballots cast at or after a time."""
        ...

    def ballots(self, cohort: int) -> list[BallotRow]:
        """All that are kept of a cohort, the oldest first."""
        ...

    def ballots_by(self, voter: int, since_ms: int) -> int: ...

    def rejected(self, artefacts: Collection[str]) -> set[tuple[str, str]]:
        """(artefact, content) of texts that are not served."""
        ...

    def strikes(self, voters: Iterable[int]) -> Mapping[int, int]: ...

    def table(self, name: str) -> list[tuple[object, ...]]:
        """Everything in one of its tables, in order: to compare what two ledgers make of it."""
        ...
