"""The tick: looks at the base branch, gathers evidence, decides, and brings the base branch to what was decided.

Each step starts from what is recorded, so a tick that was killed is finished by the next one, and a second one finds
nothing to do.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from cairn.core.model.event import IndexedLedgerEvent
from cairn.core.model.knowledge import EntryStatus
from cairn.core.ports.trust import ArtefactRow
from cairn.journal import new_id
from cairn.trust.artefact import GOOD, moved
from cairn.trust.ballots import Ballot
from cairn.trust.base_pages import BasePages, kept_text
from cairn.trust.decide import Decision
from cairn.trust.evaluate import Evaluated, evaluate
from cairn.trust.events import BALLOT, CHANGED, ArtefactEvent, rows_of
from cairn.trust.evidence import Evidence
from cairn.trust.land import LandingStep, StatusLanding
from cairn.trust.observe import BaseObserver
from cairn.trust.presets import Preset, preset_of
from cairn.trust.review import open_reviews
from cairn.trust.table import Transition
from cairn.trust.voters import Voters

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from cairn.trust.ports import TrustPorts

LOCK = "trust"
_LASTS_MS = 600_000


class TickResult(NamedTuple):
    observed: tuple[ArtefactEvent, ...]
    evidence: tuple[Ballot, ...]
    decided: tuple[tuple[ArtefactRow, ArtefactEvent], ...]
    """Before and after."""
    landing: tuple[LandingStep, ...]
    reviews: tuple[str, ...]
    """Ids of the issues that were opened."""
    artefacts: int


class TrustJournal:
    """Records events; in a rehearsal only the copy of the store hears of them."""

    def __init__(self, ports: "TrustPorts", *, dry_run: bool = False) -> None:
        self._ports, self._dry_run = ports, dry_run

    def changed(self, events: Sequence[ArtefactEvent]) -> None:
        self._keep([(CHANGED, event.payload) for event in events])

    def cast(self, ballots: Sequence[Ballot]) -> None:
        self._keep([(BALLOT, ballot.payload) for ballot in ballots])

    def _keep(self, events: "Sequence[tuple[str, Mapping[str, Any]]]") -> None:
        if not events:
            return
        now_ms = self._ports.clock.now_ms()
        if not self._dry_run:
            self._ports.ledger.append_all(events, now_ms=now_ms)
            self._ports.index_ledger()
            return
        told = [IndexedLedgerEvent(new_id(now_ms).encode(), kind, now_ms, payload) for kind, payload in events]
        self._ports.store.trust.apply(*_made(told))
        self._ports.store.trust.settle()


def _made(events: Sequence[IndexedLedgerEvent]) -> "tuple[Any, ...]":
    from cairn.core.ports.trust import BallotRow, RejectedContent, Strike

    artefacts, ballots, rejected, strikes = rows_of(events)
    return (
        list(map(ArtefactRow._make, artefacts)),
        list(map(BallotRow._make, ballots)),
        list(map(RejectedContent._make, rejected)),
        list(map(Strike._make, strikes)),
    )


def tick(ports: "TrustPorts", *, dry_run: bool = False) -> TickResult:
    """One at a time; a second one waits for a moment, and is refused then."""
    if dry_run:
        return _tick(ports, dry_run=True)
    locks = ports.repository_locks if ports.vcs.root() is not None else ports.locks
    with locks.hold(LOCK, ttl_ms=_LASTS_MS, wait_ms=2_000, what="a promotion tick"):
        return _tick(ports, dry_run=False)


def _tick(ports: "TrustPorts", *, dry_run: bool) -> TickResult:
    ports.index_ledger()
    preset, journal, base = preset_of(ports.settings), TrustJournal(ports, dry_run=dry_run), BasePages(ports)
    voters = Voters(ports, preset)
    observed = observe(ports, journal, BaseObserver(ports, voters, base))
    evidence = Evidence(ports, preset, voters, base).gather(ports.store.trust.artefacts())
    journal.cast(evidence)
    decided = decide_all(ports, journal, base, preset)
    artefacts = ports.store.trust.artefacts()
    landing = StatusLanding(ports, base).publish(artefacts, dry_run=dry_run)
    reviews = open_reviews(ports, artefacts) if base.commit and not dry_run else []
    return TickResult(
        tuple(observed),
        tuple(evidence),
        tuple(decided),
        tuple(landing),
        tuple(ticket.id for ticket in reviews),
        sum(bool(row.content) for row in artefacts),
    )


def observe(ports: "TrustPorts", journal: TrustJournal, observer: BaseObserver) -> list[ArtefactEvent]:
    moves = list(observer.moves(ports.store.trust.artefacts()))
    journal.changed(moves)
    known = ports.store.trust.artefacts()
    found = [*observer.look(known), *observer.newcomers([row.artefact for row in known])]
    journal.changed(found)
    return [*moves, *found]


def decide_all(
    ports: "TrustPorts", journal: TrustJournal, base: BasePages, preset: Preset
) -> list[tuple[ArtefactRow, ArtefactEvent]]:
    """Everything that has to move, by one status at most."""
    found = [one for one in evaluate(ports.store.trust, preset, ports.clock.now_ms()) if one.artefact.content]
    pages = base.read(one.artefact.artefact for one in found)
    decided = [(one.artefact, decided_event(ports, one, pages.get(one.artefact.artefact))) for one in found]
    journal.changed([event for _, event in decided])
    return decided


def decided_event(ports: "TrustPorts", one: Evaluated, data: bytes | None) -> ArtefactEvent:
    """What a decision leaves. A promoted text is kept, so that a later one can be rolled back to it."""
    before, decision = one.artefact, _possible(ports, one.artefact, one.decision)
    after = moved(before, decision, ports.clock.now_ms())
    if decision.transition is Transition.PROMOTE and EntryStatus(after.status) in GOOD and data is not None:
        after = after._replace(snapshot=ports.blobs.put(data))
    return ArtefactEvent(after, reason=reason_of(one), rejected=withdrawn(before, decision))


def _possible(ports: "TrustPorts", artefact: ArtefactRow, decision: Decision) -> Decision:
    """A good revision that nobody has any more can't be served: then nothing is."""
    if not decision.restores or kept_text(ports, artefact.good_revision, artefact.good_snapshot) is not None:
        return decision
    hidden = EntryStatus.QUARANTINED if decision.transition is Transition.QUARANTINE else EntryStatus.DRAFT
    return decision._replace(to=hidden, restores=False)


def withdrawn(before: ArtefactRow, decision: Decision) -> str:
    """The content that is not served from now on."""
    taken = decision.transition in (Transition.QUARANTINE, Transition.ROLLBACK)
    return before.content if taken else ""


def reason_of(one: Evaluated) -> str:
    tally = one.aggregates.window if one.artefact.status == "stable" else one.aggregates.all
    confirms, rejects = sum(tally.confirms), sum(tally.rejects)
    return f"{confirms} confirm, {rejects} reject, {tally.flags} flag"
