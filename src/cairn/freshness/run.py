"""A whole run: look at all sources, audit what is due, ask people for what follows from it."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from cairn.changes.make_change import base_commit
from cairn.changes.record_requests import catch_up
from cairn.core.model.knowledge import Entry, Source
from cairn.core.ports.runtime import Progress, Silent
from cairn.errors import CairnError, EnvironmentProblem
from cairn.freshness.ask_reader import answered_since
from cairn.freshness.audit import SourceReader, ports_of
from cairn.freshness.night import AgreeToCost, Night, is_kept
from cairn.freshness.open_requests import (
    ANSWERED,
    CoveredRequests,
    WithdrawnRequest,
    covering,
    held_requests,
    withdraw_outdated,
)
from cairn.freshness.plain_pages import SETTING as PLAIN
from cairn.freshness.ports import FreshnessPorts
from cairn.freshness.proposal import ORIGIN
from cairn.freshness.run_plan import FreshnessRunSummary, RunRemark, requests_for, unread_of, what_differs
from cairn.freshness.select_entries import EntrySelection, auditable, choose, held_choices
from cairn.freshness.sources import SourceLook
from cairn.freshness.unreliable_sources import OFFLINE
from cairn.jobs.ask import ReadNow

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from cairn.core.ports.runtime import Lease

LOCK = "night"
LOCK_TTL_MS = 24 * 60 * 60 * 1000
"""So long a run is believed to go on, although nothing is heard of it."""


class RunSetup(NamedTuple):
    base: str
    """Commit that changes are made for."""
    most: int
    """Entries that readers are asked about, and requests opened, in a day."""
    reader: ReadNow | None = None
    """Who answers now; None leaves what is missing in the queue."""
    agree: AgreeToCost | None = None
    """Whether whole sources may be read for the first time, at a cost. None asks nobody about them."""
    fetch: bool = True
    """Without it, pages of the web are as the last look found them."""


def prepare(ports: FreshnessPorts) -> RunSetup:
    """Everything that a run needs is there, else the error says what is missing; nothing is fetched yet."""
    if not any(corpus.layout != "plain" or ports.settings.text(PLAIN) != "off" for corpus in ports.corpora):
        raise EnvironmentProblem(
            "There is no corpus whose entries could be audited; name its folder in `corpora` of .cairn/settings.json."
        )
    if ports.vcs.root() is None:
        raise EnvironmentProblem(
            "A run opens change requests, and for that the workspace has to be in a git repository; run `git init`."
        )
    try:
        ports.forge.check()
        base = base_commit(ports)
    except CairnError as error:
        raise EnvironmentProblem(f"No change request can be opened: {error.message}", **error.details) from error
    return RunSetup(base, ports.settings.integer("freshness.max_per_run"))


def only_one(ports: FreshnessPorts) -> "AbstractContextManager[Lease]":
    """One run at a time in a repository."""

    return ports.repository_locks.hold(LOCK, ttl_ms=LOCK_TTL_MS, what="A nightly run")


def run_night(
    ports: FreshnessPorts,
    prepared: RunSetup,
    *,
    dry_run: bool,
    wanted: EntrySelection | None = None,
    hold: "Lease | None" = None,
    progress: Progress | None = None,
) -> FreshnessRunSummary:
    """Each entry by itself: one that fails is named and stays in the queue, the others go on. With a hold, nothing is
    asked for once it is somebody else's."""
    from cairn.freshness.publish import ask_for, confirmations_wait
    from cairn.lib.urls.url import shown_places

    progress = progress or Silent()
    if not dry_run:
        catch_up(ports, ports.forge.requests())
    watch, began_ms = _Watch(ports), ports.clock.now_ms()
    every = auditable(ports)
    entries = [entry for entry in every if wanted is None or entry.path in wanted.paths]
    source_ports, sightings, offline = _looked(ports, entries, progress, fetch=prepared.fetch)
    watch.done("looking")
    covered = _with_answers(ports, covering(ports, every))
    withdrawn = [] if dry_run else withdraw_outdated(ports, covered.ended, every)
    choices = choose(ports, most=None, order="class", wanted=wanted, covered=_after(covered, withdrawn))
    chosen = [choice.entry.path for choice in choices if choice.taken and not _rests_on(choice.entry, offline)]
    pause = confirmations_wait(ports)
    night = Night(ports, prepared.base, prepared.most, source_ports, sightings, pause, first_audits=prepared.agree)
    night.held += held_choices(choices)
    night.held += held_requests(withdrawn)
    watch.done("choosing")
    night.audit(chosen, progress, hold, reader=prepared.reader)
    watch.done("auditing")
    batched = ports.settings.text("freshness.confirmations") == "batched"
    changes = requests_for(night.judged, day=night.today, batched=batched)
    asked = ask_for(
        ports, changes, sightings, most=prepared.most, today=night.today, dry_run=dry_run, progress=progress
    )
    if not dry_run:
        stay = covered.staying([one.path for one in night.drifted], asked.opened)
        withdrawn += withdraw_outdated(ports, covered.renewed.without(stay), every)
    watch.done("asking")
    summary = replace(
        night.summary(entries, offline, dry_run=dry_run),
        withdrawn=_remarks_on(withdrawn),
        still=tuple(_still_in_doubt(ports, entries, night.audited)),
        opened=tuple(asked.opened),
        held=(*night.held, *asked.held),
        failed=(*night.failed, *asked.failed),
        unread=unread_of(
            entries, ports.store.web.sources(), since_ms=began_ms, told={one.path for one in night.failed}
        ),
        waiting=sum(choice.due and choice.entry.path not in night.audited for choice in choices),
        allowed=tuple(shown_places(ports.env)),
        duration_ms=sum(watch.took.values()),
        stages=watch.took,
    )
    if not dry_run:
        _put_away(ports, summary, night.today, is_night=prepared.fetch)
    return summary


class _Watch:
    """How long each part took; a clock that is put back in between costs nobody anything."""

    def __init__(self, ports: FreshnessPorts) -> None:
        self._clock = ports.clock
        self._last = ports.clock.now_ms()
        self.took: dict[str, int] = {}

    def done(self, stage: str) -> None:
        now = self._clock.now_ms()
        self.took[stage] = max(0, now - self._last)
        self._last = now


def _with_answers(ports: FreshnessPorts, covered: CoveredRequests) -> CoveredRequests:
    """Requests that were opened before a reader answered are worked out anew."""
    answered = answered_since(ports, ports.store.web.audits())
    ours = {path for path, request in covered.requests.items() if request.origin == ORIGIN and request.reverts is None}
    fresh = dict.fromkeys(sorted(answered & ours), ANSWERED)
    return covered._replace(outdated={**fresh, **covered.outdated})


def _after(covered: CoveredRequests, withdrawn: Sequence[WithdrawnRequest]) -> CoveredRequests:
    """A request that somebody works on still keeps its entries from being audited; a line says so."""
    stay = {path for one in withdrawn if not one.done for path in one.paths}
    return covered._replace(outdated={path: why for path, why in covered.outdated.items() if path not in stay})


def _remarks_on(withdrawn: Sequence[WithdrawnRequest]) -> tuple[RunRemark, ...]:
    return tuple(RunRemark(one.request, f"{one.reason} [{', '.join(one.paths)}]") for one in withdrawn if one.done)


def _rests_on(entry: Entry, offline: Collection[str]) -> bool:
    return any(source.reference in offline for source in entry.sources)


def _still_in_doubt(ports: FreshnessPorts, entries: Sequence[Entry], audited: Collection[str]) -> Iterator[RunRemark]:
    """Entries that this run left alone, and that state what an earlier run found wrong."""
    from cairn.freshness.select_entries import waiting_for_an_edit

    paths = {entry.path for entry in entries} - set(audited)
    for one in waiting_for_an_edit(ports):
        if one.entry.path in paths:
            yield RunRemark(one.entry.path, what_differs(one.findings))


def _looked(
    ports: FreshnessPorts, entries: Sequence[Entry], progress: Progress, *, fetch: bool
) -> tuple[SourceReader, dict[Source, SourceLook], frozenset[str]]:
    """At every page once; whoever asks later gets what was seen then. Beside that, what was asked for, and the sources
    that were out of reach because there is no network."""
    source_ports = ports_of(ports, eager=False, progress=progress, fetch=fetch)
    pages = list(dict.fromkeys(s for entry in entries for s in entry.sources if s.kind == "url"))
    tonight = source_ports.pages(pages) if pages else {}
    offline = frozenset(source.reference for source in pages if tonight[source].cause == OFFLINE)
    seen: dict[Source, SourceLook] = {}

    def known(wanted: Sequence[Source]) -> Mapping[Source, SourceLook]:
        missing = [source for source in wanted if source not in tonight and source not in seen]
        seen.update(source_ports.pages(missing) if missing else {})
        seen.update({source: tonight[source] for source in wanted if source not in seen})
        return {source: seen[source] for source in wanted}

    return source_ports._replace(pages=known), seen, offline


def _put_away(ports: FreshnessPorts, summary: FreshnessRunSummary, today: str, *, is_night: bool) -> None:
    from cairn.freshness.list_sources import sweep_snapshots
    from cairn.graph.run_scan import append

    if is_night:
        append(ports, "freshness_run", summary.event())
    store = ports.store.web
    store.forget_audits([row.key for row in store.audits() if not is_kept(row, today)])
    sweep_snapshots(ports)
