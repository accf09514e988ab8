"""The state of all artefacts: how many have which status, what waits for a person, and what breaks a rule."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from cairn.core.ledger_events import events_of
from cairn.core.model.knowledge import KINDS, EntryStatus
from cairn.core.ports.trust import ArtefactRow
from cairn.journal import iso_utc
from cairn.knowledge.serving_status import status_of
from cairn.trust.base_pages import BasePages
from cairn.trust.evaluate import aggregates_of
from cairn.trust.events import BALLOT, CHANGED
from cairn.trust.presets import Preset, preset_of
from cairn.trust.review import missing_reviews
from cairn.trust.table import Transition
from cairn.trust.why import Why, explain

if TYPE_CHECKING:
    from cairn.trust.ports import TrustPorts

_HISTORY = 200


class RuleProblem(NamedTuple):
    """Something that a rule of continuous integration forbids."""

    rule: int
    code: str
    path: str
    message: str


class TrustOverview(NamedTuple):
    preset: str
    artefacts: int
    statuses: Mapping[str, int]
    on_hold: tuple[str, ...]
    quarantined: tuple[str, ...]
    hidden: tuple[str, ...]
    waiting: tuple[str, ...]
    """Artefacts whose file does not have the status that was decided."""
    problems: tuple[RuleProblem, ...]
    untracked: int
    """Pages of knowledge without a status."""


def overview(ports: "TrustPorts") -> TrustOverview:
    ports.index_ledger()
    rows = [row for row in ports.store.trust.artefacts() if row.content]
    rejected = ports.store.trust.rejected([row.artefact for row in rows])
    return TrustOverview(
        preset_of(ports.settings).name,
        len(rows),
        dict(sorted(Counter(row.status for row in rows).items())),
        tuple(row.artefact for row in rows if row.hold),
        tuple(row.artefact for row in rows if row.status == EntryStatus.QUARANTINED),
        tuple(row.artefact for row in rows if (row.artefact, row.content) in rejected and row.status == "draft"),
        tuple(row.artefact for row in rows if not row.landed or row.seen_status != row.status),
        tuple(broken_rules(ports, rows)),
        _untracked(ports, rows),
    )


def _untracked(ports: "TrustPorts", rows: Sequence[ArtefactRow]) -> int:
    known = {row.artefact for row in rows}
    pages = (node for node in ports.scanned_store().nodes() if node.kind in KINDS and not node.virtual)
    return sum(node.path not in known for node in pages)


# --- rules ------------------------------------------------------------------------------------------------------------


def broken_rules(ports: "TrustPorts", rows: Sequence[ArtefactRow]) -> Iterator[RuleProblem]:
    """Rules 4 and 5: a status that nothing justifies, and something withdrawn that nobody was asked to look at."""
    base = BasePages(ports)
    for path, said, known in _claims(ports, base, rows):
        told = f"The file says `{said}`, but {known}. Set it back, or run `cairn trust enroll {path}`."
        yield RuleProblem(4, "transition_not_justified", path, told)
    if base.commit:
        for cause in missing_reviews(ports, rows):
            path = cause.key.split(":")[1]
            told = f"{cause.title}, and has no review issue; run `cairn trust tick`."
            yield RuleProblem(5, "quarantine_missing", path, told)


_EARNED = (EntryStatus.BETA, EntryStatus.STABLE)


def _claims(
    ports: "TrustPorts", base: BasePages, rows: Sequence[ArtefactRow]
) -> Iterator[tuple[str, EntryStatus, str]]:
    """Pages of the base branch that say that they are beta or stable, and are not."""
    known = {row.artefact: row for row in rows}
    if not known:
        return
    nodes = [node for node in ports.scanned_store().nodes() if node.kind in KINDS and not node.virtual]
    claiming = [node.path for node in nodes if status_of(node.frontmatter) in _EARNED]
    for path, data in base.read([*known, *claiming]).items():
        said = base.state(path, data).status
        row = known.get(path)
        if said not in _EARNED or (row is not None and row.transition != Transition.RAISE):
            continue
        yield path, said, f"it is {row.status}" if row is not None else "nobody enrolled it"


# --- one artefact -----------------------------------------------------------------------------------------------------


def why(ports: "TrustPorts", row: ArtefactRow) -> Why:
    preset: Preset = preset_of(ports.settings)
    now_ms = ports.clock.now_ms()
    aggregates = aggregates_of(ports.store.trust, row, preset, now_ms)
    return explain(row, aggregates, ports.store.trust.ballots(row.cohort), now_ms, preset)


class TrustEvent(NamedTuple):
    """Something that happened to an artefact."""

    at_ms: int
    what: str
    by: str
    rev: int | None
    status: str
    reason: str

    def json(self) -> dict[str, Any]:
        return {"at": iso_utc(self.at_ms), **{k: v for k, v in self._asdict().items() if k != "at_ms"}}


def history(ports: "TrustPorts", artefact: str) -> list[TrustEvent]:
    """The oldest first, ballots among them."""
    import json

    ports.index_ledger()
    found: list[TrustEvent] = []
    for event in events_of(ports.ledger, ports.store, types=(CHANGED, BALLOT)):
        said = json.loads(event.payload)
        if said.get("artefact", said.get("entry")) != artefact:
            continue
        if event.type == CHANGED:
            what = (str(said.get("transition")), str(said.get("by")), said.get("rev"), str(said.get("status")))
        else:
            what = (str(said.get("verdict")), str(said.get("source") or "agent"), _rev(said.get("anchor")), "")
        found.append(TrustEvent(event.at_ms, *what, str(said.get("reason") or "")))
        if len(found) >= _HISTORY:
            break
    return found[::-1]


def _rev(anchor: object) -> int | None:
    _, mark, rev = str(anchor or "").rpartition("@r")
    return int(rev) if mark and rev.isdecimal() else None
