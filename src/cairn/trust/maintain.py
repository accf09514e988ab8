"""What people order: enroll pages, validate them, put them in quarantine, and let them in again."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cairn.core.model.knowledge import EntryStatus
from cairn.core.ports.trust import VERDICTS, ArtefactRow
from cairn.errors import Conflict, NotFound, Refused
from cairn.trust.artefact import moved, reinstated
from cairn.trust.ballots import Ballot, CastBallot, Verdict, cast, must_be_current, needed_reason
from cairn.trust.base_pages import BasePages, content_of, kept_text
from cairn.trust.decide import Decision, has_good
from cairn.trust.events import ArtefactEvent
from cairn.trust.land import LandingStep, StatusLanding
from cairn.trust.observe import BaseObserver
from cairn.trust.presets import preset_of
from cairn.trust.review import close_reviews, open_reviews
from cairn.trust.table import Transition
from cairn.trust.tick import TrustJournal
from cairn.trust.voters import Voters

if TYPE_CHECKING:
    from cairn.trust.ports import TrustPorts


class Desk:
    """What every order needs: the base branch, the voters, and who looks at pages."""

    def __init__(self, ports: "TrustPorts") -> None:
        ports.index_ledger()
        self.ports = ports
        self.base = BasePages(ports)
        self.voters = Voters(ports, preset_of(ports.settings))
        self.observer = BaseObserver(ports, self.voters, self.base)
        self.journal = TrustJournal(ports)

    def artefact(self, path: str) -> ArtefactRow:
        """As the base branch has it now."""
        found = self._fresh(path)
        if found is None:
            raise NotFound(f"`{path}` is not tracked; `cairn trust enroll {path}` starts it at alpha.", path=path)
        return found

    def _fresh(self, path: str) -> ArtefactRow | None:
        known = self.ports.store.trust.artefacts([path])
        found = self.observer.look(known) if known else self._newcomer(path)
        self.journal.changed(found)
        return next((row for row in self.ports.store.trust.artefacts([path]) if row.content), None)

    def _newcomer(self, path: str) -> list[ArtefactEvent]:
        data = self.base.read([path]).get(path)
        event = self.observer.enroll(path, data) if data is not None else None
        return [] if event is None else [event]

    def record(self, event: ArtefactEvent) -> ArtefactRow:
        self.journal.changed([event])
        [row] = self.ports.store.trust.artefacts([event.row.artefact])
        return row

    def land(self, row: ArtefactRow) -> list[LandingStep]:
        """The file follows the decision at once, as the tick would have it."""
        if not self.base.commit:
            return []
        steps = StatusLanding(self.ports, self.base).publish([row], dry_run=False, withdraw=False)
        open_reviews(self.ports, [row])
        return steps


# --- enroll -----------------------------------------------------------------------------------------------------------


class EnrollResult(NamedTuple):
    enrolled: tuple[ArtefactRow, ...]
    known: tuple[str, ...]
    absent: tuple[str, ...]
    """Not on the base branch."""


def enroll(desk: Desk, paths: Iterable[str], *, keep_status: bool = False) -> EnrollResult:
    """From now on these pages have a status; those that have one already are left as they are."""
    wanted = list(dict.fromkeys(paths))
    known = {row.artefact: row for row in desk.ports.store.trust.artefacts(wanted)}
    fresh = [path for path in wanted if path not in known or not known[path].content]
    found = desk.base.read(fresh)
    events = [
        event
        for path, data in found.items()
        if (event := desk.observer.enroll(path, data, by="person", keep_status=keep_status, rev=_again(known, path)))
    ]
    desk.journal.changed(events)
    rows = desk.ports.store.trust.artefacts([event.row.artefact for event in events])
    absent = tuple(path for path in fresh if path not in found)
    return EnrollResult(tuple(rows), tuple(path for path in wanted if path not in fresh), absent)


def _again(known: dict[str, ArtefactRow], path: str) -> int:
    return known[path].rev + 1 if path in known else 1


# --- validate ---------------------------------------------------------------------------------------------------------


class ValidateBy(NamedTuple):
    """Who votes: a person at the keyboard, or an agent in a session."""

    agent: str | None = None
    session: str | None = None


def validate(
    desk: Desk, path: str, data: bytes, verdict: Verdict, *, reason: str | None, by: ValidateBy, revision: str
) -> CastBallot:
    said = needed_reason(verdict, reason)
    row = desk.artefact(path)
    must_be_current(row, content_of(desk.ports, path, data))
    voter = desk.voters.agent(path, by.agent, by.session) if by.agent else desk.voters.person(path)
    source = "agent" if by.agent else "person"
    ballot = Ballot(row, voter, "agent" if source == "agent" else "person", verdict, revision, said)
    return cast(desk.ports, ballot._replace(session=by.session, agent=by.agent))


# --- quarantine and back ----------------------------------------------------------------------------------------------


class OrderResult(NamedTuple):
    before: ArtefactRow
    after: ArtefactRow
    landing: tuple[LandingStep, ...]
    closed: tuple[str, ...] = ()
    """Ids of review issues."""


def quarantine(desk: Desk, path: str, reason: str, *, whole: bool = False) -> OrderResult:
    """The last good revision is served instead, or, where there is none or `whole` says so, nothing."""
    row = desk.artefact(path)
    if row.status == EntryStatus.QUARANTINED:
        raise Conflict(f"`{path}` is in quarantine already.", path=path)
    restores = not whole and has_good(row) and kept_text(desk.ports, row.good_revision, row.good_snapshot) is not None
    to = EntryStatus(row.good_status) if restores else EntryStatus.QUARANTINED
    after = moved(row, Decision(Transition.QUARANTINE, to, restores), desk.ports.clock.now_ms(), by="person")
    said = needed_reason("flag", reason) or ""
    now = desk.record(ArtefactEvent(after, reason=said, rejected=row.content))
    return OrderResult(row, now, tuple(desk.land(now)))


def reinstate(desk: Desk, path: str, reason: str) -> OrderResult:
    """Flags against it turn out to be bogus: who cast them has a strike. A rollback that landed is taken back by a
    change like any other, so that nobody overwrites what was done since."""
    row = desk.artefact(path)
    rejected = {content for _, content in desk.ports.store.trust.rejected([path])}
    data = desk.base.read([path]).get(path)
    page = desk.base.state(path, data) if data is not None else None
    withdrawn = not row.landed or row.content in rejected or row.status == EntryStatus.QUARANTINED
    if not row.hold and not withdrawn:
        back = " The rollback has landed: revert its request with `cairn change revert`." if rejected else ""
        raise Refused(f"`{path}` is neither in quarantine nor on hold.{back}", path=path)
    flagged = _flaggers(desk, row, rejected)
    after = reinstated(row, desk.ports.clock.now_ms(), page=page)
    restored = page.content if page is not None and page.content in rejected else ""
    event = ArtefactEvent(after, needed_reason("flag", reason) or "", "", restored, flagged, row.rev)
    now = desk.record(event)
    closed = close_reviews(desk.ports, path, held=bool(row.hold)) if desk.base.commit else []
    return OrderResult(row, now, tuple(desk.land(now)), tuple(closed))


def _flaggers(desk: Desk, row: ArtefactRow, rejected: set[str]) -> tuple[int, ...]:
    """Who flagged this revision, or the one that was rolled back for it."""
    from cairn.trust.artefact import anchor_at, cohort_number

    before = anchor_at(row.kind, row.artefact, row.rev - 1)
    cohorts = [row.cohort, *(cohort_number(before, content) for content in rejected)]
    cast_ = [one for cohort in cohorts for one in desk.ports.store.trust.ballots(cohort)]
    return tuple(dict.fromkeys(one.voter for one in cast_ if VERDICTS[one.verdict] == "flag"))


def living(rows: Sequence[ArtefactRow]) -> list[ArtefactRow]:
    return [row for row in rows if row.content]
