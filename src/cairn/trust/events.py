"""Events about artefacts and ballots: written with the whole state that they leave, and read back into rows."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from cairn.core.model.event import IndexedLedgerEvent
from cairn.core.model.knowledge import EntryStatus
from cairn.core.ports.trust import SOURCES, VERDICTS, ArtefactRow, BallotRow, RejectedContent, Strike
from cairn.trust.artefact import cohort_number
from cairn.trust.table import Transition

CHANGED: Final = "artefact_changed"
BALLOT: Final = "ballot_cast"

_TEXTS: Final[Sequence[str]] = tuple(
    "artefact kind status version anchor founding content revision snapshot seen_status good_status good_content"  # noqa: SIM905
    " good_revision good_snapshot patches transition by".split()
)
_NUMBERS: Final = ("rev", "since_ms", "hold", "good_rev", "landed")
_MOST_STRIKES: Final = 50


class ArtefactEvent(NamedTuple):
    """What is written besides the state."""

    row: ArtefactRow
    reason: str = ""
    """Of the person who ordered it, or a short word of the tick."""
    rejected: str = ""
    """Content that is not served from now on."""
    restored: str = ""
    """Content that is served again."""
    strikes: tuple[int, ...] = ()
    """Voters whose flags a maintainer found bogus."""
    struck_rev: int = 0

    @property
    def payload(self) -> dict[str, Any]:
        known = self.row._asdict()
        said: dict[str, Any] = {name: known[name] for name in (*_TEXTS, *_NUMBERS)}
        said |= {"submitter": hexed(self.row.submitter)}
        said |= {"reason": self.reason or None, "rejected": self.rejected or None, "restored": self.restored or None}
        struck = [hexed(voter) for voter in self.strikes[:_MOST_STRIKES]]
        return said | {"strikes": struck, "struck_rev": self.struck_rev}


def hexed(number: int) -> str:
    return f"{number:016x}"


def number_of(text: object) -> int:
    """0 for what is no number of ours."""
    if not isinstance(text, str) or len(text) != 16:
        return 0
    try:
        found = int(text, 16)
    except ValueError:
        return 0
    return found if 0 <= found < 1 << 62 else 0


# --- reading ----------------------------------------------------------------------------------------------------------

PlainRows = tuple[list[Any], list[Any], list[Any], list[Any]]
"""Rows of artefacts, ballots, rejected contents and strikes, as plain values."""


def rows_of(events: Sequence[IndexedLedgerEvent]) -> PlainRows:
    """Lines of a ledger may hold anything; what is no event of ours is left out."""
    artefacts: list[Any] = []
    ballots: list[Any] = []
    rejected: list[Any] = []
    strikes: list[Any] = []
    for event in events:
        if event.kind == BALLOT:
            ballots += [tuple(row) for row in _ballot(event)]
        elif (row := artefact_of(event)) is not None:
            artefacts.append(tuple(row))
            rejected += _contents(row, event.payload)
            strikes += _strikes(row, event.payload)
    return artefacts, ballots, rejected, strikes


def artefact_of(event: IndexedLedgerEvent) -> ArtefactRow | None:
    said = event.payload
    texts, numbers = {name: said.get(name) for name in _TEXTS}, {name: said.get(name) for name in _NUMBERS}
    if not all(isinstance(value, str) for value in texts.values()) or not all(map(_is_count, numbers.values())):
        return None
    if texts["status"] not in set(EntryStatus) or texts["transition"] not in set(Transition) or not texts["artefact"]:
        return None
    clean = {name: _storable(str(value)) for name, value in texts.items()}
    row: dict[str, Any] = {**clean, **numbers, "submitter": number_of(said.get("submitter"))}
    number = cohort_number(clean["anchor"] or f"left:{clean['artefact']}", clean["founding"])
    row |= {"cohort": number, "at_ms": event.at_ms, "id": event.id}
    return ArtefactRow(**row)


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value < 1 << 53


def _contents(row: ArtefactRow, said: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    return [
        tuple(RejectedContent(row.artefact, _storable(content), row.at_ms, int(name == "rejected")))
        for name in ("rejected", "restored")
        if isinstance(content := said.get(name), str) and content
    ]


def _strikes(row: ArtefactRow, said: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    listed, rev = said.get("strikes"), said.get("struck_rev")
    if not isinstance(listed, list) or type(rev) is not int:
        return []
    voters = [number_of(voter) for voter in listed[:_MOST_STRIKES]]
    return [tuple(Strike(voter, row.artefact, rev)) for voter in voters if voter]


def _ballot(event: IndexedLedgerEvent) -> list[BallotRow]:
    """None for a ballot about a page that nobody had enrolled, as old versions recorded them."""
    said = event.payload
    stamped, founding, verdict, source = (said.get(name) for name in ("anchor", "founding", "verdict", "source"))
    voter = number_of(said.get("voter"))
    if not (isinstance(stamped, str) and isinstance(founding, str) and stamped and voter):
        return []
    if verdict not in VERDICTS or source not in SOURCES:
        return []
    reason = said.get("reason")
    told = _storable(reason[:400]) if isinstance(reason, str) else ""
    places = (SOURCES.index(source), VERDICTS.index(verdict))
    return [BallotRow(cohort_number(stamped, founding), voter, *places, event.at_ms, event.id, told)]


def _storable(text: str) -> str:
    """As a database can hold it: half letters and zeros are none."""
    return text.encode("utf-8", "replace").decode().replace("\0", "?")
