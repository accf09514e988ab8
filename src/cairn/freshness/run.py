"""A whole run: look at all sources, audit what is due, ask people for what follows from it."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from cairn.changes.make_change import base_commit
from cairn.changes.record_requests import catch_up
from cairn.core.model.knowledge import Entry, Source
from cairn.core.model.verdict import Verdict, VerdictOutcome
from cairn.core.ports.runtime import Progress, ReadFailed, Silent
from cairn.core.ports.sources import AuditRow
from cairn.errors import CairnError, EnvironmentProblem, Refused
from cairn.freshness.apply_verdict import VerdictFile, change_for, is_uncommitted, outcome_of
from cairn.freshness.audit import (
    TIMEOUT_SECONDS,
    Auditor,
    EntryPage,
    SourceReader,
    SourceVersions,
    UnreadableSource,
    auditor_for,
    extractive,
    gather,
    page_of,
    ports_of,
    record_failure,
    today_of,
    without_sources,
)
from cairn.freshness.frontier import Frontier
from cairn.freshness.open_requests import (
    CoveredRequests,
    WithdrawnRequest,
    covering,
    held_requests,
    verdicts_in,
    withdraw_outdated,
)
from cairn.freshness.plain_pages import SETTING as PLAIN
from cairn.freshness.plain_pages import PlainCorpora
from cairn.freshness.ports import FreshnessPorts
from cairn.freshness.run_plan import (
    FreshnessRunSummary,
    HeldBack,
    JudgedEntry,
    RunRemark,
    both_passages,
    reason_of,
    requests_for,
    unread_of,
    what_differs,
)
from cairn.freshness.select_entries import EntrySelection, auditable, choose, held_choices
from cairn.freshness.sources import SourceLook, SourceStanding
from cairn.freshness.unreliable_sources import OFFLINE
from cairn.freshness.verdict_edits import after_edits
from cairn.freshness.verdict_json import verdict_json, verdict_of

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from cairn.core.model_budget import MeteredRunner
    from cairn.core.ports.runtime import Lease

KEPT_DAYS = 28
"""How long a verdict is remembered."""
LOCK = "night"
LOCK_TTL_MS = 24 * 60 * 60 * 1000
"""So long a run is believed to go on, although nothing is heard of it."""


class RunSetup(NamedTuple):
    provider: str
    auditor: Auditor
    metered: "MeteredRunner | None"
    """None when nobody is paid."""
    base: str
    """Commit that changes are made for."""
    most: int
    """Audits by a model, and requests opened, in a day."""


def prepare(ports: FreshnessPorts, *, budget: str | None = None, timeout: float = TIMEOUT_SECONDS) -> RunSetup:
    """Everything that a run needs is there, else the error says what is missing; nothing is fetched yet."""
    provider = ports.settings.text("freshness.provider")
    auditor, metered = auditor_for(ports, provider, budget=budget, timeout_seconds=timeout)
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
    return RunSetup(provider, auditor, metered, base, ports.settings.integer("freshness.max_per_run"))


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
    source_ports, sightings, offline = _looked(ports, entries, progress)
    watch.done("looking")
    covered = covering(ports, every)
    withdrawn = [] if dry_run else withdraw_outdated(ports, covered.ended, every)
    most = None if prepared.metered is None else prepared.most
    choices = choose(ports, most=most, order="class", wanted=wanted, covered=_after(covered, withdrawn))
    chosen = [choice.entry.path for choice in choices if choice.taken and not _rests_on(choice.entry, offline)]
    night = _Night(ports, prepared, source_ports, sightings, confirmations_wait(ports))
    night.held += held_choices(choices)
    night.held += held_requests(withdrawn)
    watch.done("choosing")
    night.audit(chosen, progress, hold)
    watch.done("auditing")
    batched = ports.settings.text("freshness.confirmations") == "batched"
    changes = requests_for(night.judged, day=night.today, batched=batched)
    asked = ask_for(
        ports, changes, sightings, most=prepared.most, today=night.today, dry_run=dry_run, progress=progress
    )
    if not dry_run:
        withdrawn += withdraw_outdated(ports, covered.renewed.without(one.path for one in night.drifted), every)
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
        _put_away(ports, summary, night.today)
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


def _spent(metered: "MeteredRunner | None") -> str:
    from cairn.core.model_budget import spending_text

    return "" if metered is None else spending_text(metered.spent, metered.dollars)


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
    ports: FreshnessPorts, entries: Sequence[Entry], progress: Progress
) -> tuple[SourceReader, dict[Source, SourceLook], frozenset[str]]:
    """At every page once; whoever asks later gets what was seen then. Beside that, what was asked for, and the sources
    that were out of reach because there is no network."""
    source_ports = ports_of(ports, eager=False, progress=progress)
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


def _put_away(ports: FreshnessPorts, summary: FreshnessRunSummary, today: str) -> None:
    from cairn.freshness.list_sources import sweep_snapshots
    from cairn.graph.run_scan import append

    append(ports, "freshness_run", summary.event())
    store = ports.store.web
    store.forget_audits([row.key for row in store.audits() if not _is_kept(row, today)])
    sweep_snapshots(ports)


# --- entries --------------------------------------------------------------------------------------------------------


class _NotAsked(Exception):
    """The ceiling is reached; nothing was sent."""


class _Failure(Exception):
    def __init__(self, cause: str, reason: str, source: str = "") -> None:
        super().__init__(reason)
        self.cause, self.source = cause, source


class _Night:
    def __init__(
        self,
        ports: FreshnessPorts,
        prepared: RunSetup,
        source_ports: SourceReader,
        sightings: Mapping[Source, SourceLook],
        pause: str | None,
    ) -> None:
        self._ports, self._prepared, self._source_ports, self._sightings = ports, prepared, source_ports, sightings
        self._pause = pause
        """Why nobody is asked for confirmations tonight, if so."""
        self._plain = PlainCorpora(ports)
        self.today = today_of(ports)
        self._frontier = Frontier(ports)
        self._rows = rows = [row for row in ports.store.web.audits() if _is_kept(row, self.today)]
        self._known = {row.key: row for row in rows if row.day == self.today or _by_model(row) or pause}
        self._left = prepared.most - sum(_by_model(row) for row in rows if row.day == self.today)
        self._paused: list[str] = []
        self.judged: list[JudgedEntry] = []
        self.confirmed: list[str] = []
        self.drifted: list[RunRemark] = []
        self.pending: list[RunRemark] = []
        self.to_read: list[RunRemark] = []
        self.baseline: list[RunRemark] = []
        self.held: list[HeldBack] = []
        self.failed: list[RunRemark] = []
        self.again = 0

    def summary(self, entries: Sequence[Entry], offline: frozenset[str], *, dry_run: bool) -> FreshnessRunSummary:
        """What became of the entries, before anybody is asked for anything."""
        metered = self._prepared.metered
        return FreshnessRunSummary(
            provider=self._prepared.provider,
            dry_run=dry_run,
            entries=len(entries),
            sources=len({source.reference for entry in entries for source in entry.sources} - offline),
            chosen=len(self.audited),
            offline=tuple(sorted(offline)),
            confirmed=tuple(self.confirmed),
            drifted=tuple(self.drifted),
            pending=tuple(self.pending),
            to_read=tuple(self.to_read),
            baseline=tuple(self.baseline),
            again=self.again,
            tokens=metered.spent.tokens if metered else 0,
            dollars=metered.dollars if metered else None,
            spent=_spent(metered),
        )

    def audit(self, paths: Sequence[str], progress: Progress, hold: "Lease | None") -> None:
        pages = self._ports.vcs.show([(self._prepared.base, path) for path in paths]) if paths else []
        for number, (path, data) in enumerate(zip(paths, pages, strict=True), 1):
            self._one(path, data)
            progress.step("auditing", number, len(paths))
            if hold is not None:
                hold.beat()
        if self._pause and self._paused:
            self.held.append(HeldBack("confirmations", tuple(self._paused), self._pause))

    def _one(self, path: str, data: bytes | None) -> None:
        try:
            if hindrance := self._hindrance(path, data):
                self._hold(path, hindrance)
            else:
                self._judge(page_of(self._ports, path, data or b"", plain=self._plain))
        except _NotAsked as ceiling:
            self._hold(path, str(ceiling))
        except _Failure as failure:
            self._fail(path, failure.cause, str(failure), failure.source)
        except CairnError as error:
            self._fail(path, error.code, error.message)
        except Exception as error:  # one entry must not cost the night of all others
            self._fail(path, "error", f"{type(error).__name__}: {error}")

    def _hold(self, path: str, reason: str) -> None:
        self.held.append(HeldBack(f"audit of {path}", (path,), reason))

    def _fail(self, path: str, cause: str, reason: str, source: str = "") -> None:
        self.failed.append(RunRemark(path, reason, cause, source))
        record_failure(self._ports, path, cause, reason)

    def _hindrance(self, path: str, data: bytes | None) -> str:
        """A page that somebody is working on is left to them."""
        if data is None:
            return "it is not on the base branch yet; commit it"
        try:
            same = self._ports.files.read(path)[0] == data
        except ReadFailed as error:
            return str(error)
        return "" if same else "it is not what the base branch has; commit and merge your edits, or undo them"

    # --- one entry -------------------------------------------------------------------------------------------------

    def _judge(self, page: EntryPage) -> None:
        path = page.entry.path
        if page.kept is not None and is_uncommitted(self._ports, self._prepared.base, page.kept):
            self._hold(path, f"{page.kept.file} is not what the base branch has; commit it, or undo your edits")
            return
        page, seen = self._texts(page)
        once = [s for s in page.entry.sources if self._standing(s) is SourceStanding.PENDING]
        if once:
            self.pending.append(RunRemark(path, f"{once[0].reference} is not what it was; the next run looks again"))
            return
        verdict = self._knowing_editions(page, self._verdict(page, seen))
        self._ports.store.web.forget_attempts([path])
        if verdict.to_be_read:
            self.to_read.append(RunRemark(path, both_passages(verdict)))
        elif verdict.source_unverifiable:
            self.baseline.append(RunRemark(path, self._why_unverifiable(page, verdict)))
        else:
            self._take(page, verdict, seen)

    def _knowing_editions(self, page: EntryPage, verdict: Verdict) -> Verdict:
        """Also a verdict of an earlier night: pages show newer editions while their texts stay."""
        from cairn.freshness.frontier import with_frontier

        return with_frontier(verdict, page.entry, self._frontier.ahead(page.entry), today=self.today)

    def _earlier(self, entry: Entry) -> Iterator[Verdict]:
        """What was said about an entry before: by runs here, and in requests, which other clones have too."""
        for row in self._rows:
            if row.path == entry.path:
                yield verdict_of(json.loads(row.verdict))
        for said in self._requested:
            if said.entry_name == entry.name:
                yield said

    @property
    def audited(self) -> frozenset[str]:
        """Entries that this run came to an end with, whatever that was."""
        remarks = (*self.drifted, *self.pending, *self.to_read, *self.baseline, *self.failed)
        return frozenset((*self.confirmed, *(one.path for one in remarks)))

    @cached_property
    def _requested(self) -> list[Verdict]:
        return [said for request in self._ports.forge.requests() for said in verdicts_in(request)]

    def _standing(self, source: Source) -> SourceStanding | None:
        sighting = self._sightings.get(source)
        return None if sighting is None else sighting.standing

    def _texts(self, page: EntryPage) -> tuple[EntryPage, list[SourceVersions]]:
        found = gather(page.entry.sources, self._source_ports, page=page.entry.path)
        unseen = [one for one in found if isinstance(one, UnreadableSource)]
        if page.kept and len(unseen) < len(found):  # one dead link is no reason to leave the others unread
            page, found = without_sources(page, unseen), [one for one in found if isinstance(one, SourceVersions)]
        for one in found:
            if isinstance(one, UnreadableSource):
                sighting = self._sightings.get(one.source)
                cause = (sighting.cause if sighting else "") or "unreadable"
                where = one.source.reference
                raise _Failure(cause, f"The source {where} could not be read: {one.reason}", where)
        return page, [one for one in found if isinstance(one, SourceVersions)]

    def _why_unverifiable(self, page: EntryPage, verdict: Verdict) -> str:
        first = [s.reference for s in page.entry.sources if self._standing(s) is SourceStanding.BASELINE]
        if first:
            return f"there is no earlier text of {first[0]} to compare with yet"
        said = next(iter(verdict.preserve_warnings), "")
        return said or "no earlier text of its sources is stored, so somebody has to read them"

    def _verdict(self, page: EntryPage, seen: Sequence[SourceVersions]) -> Verdict:
        """As an earlier run heard it: a model's word about these very texts holds; a comparison is made again when it
        would be asked for, so that it has the date of that day."""
        key = _step(page, seen, self._prepared.provider)
        if key in self._known:
            self.again += 1
            return verdict_of(json.loads(self._known[key].verdict))
        verdict = after_edits(self._asked(page, seen), self._earlier(page.entry), page.entry, page.body)
        if verdict.to_be_read and (read := self._read_before(page, seen)):
            self.again += 1
            return read
        if verdict.to_be_read or not verdict.source_unverifiable:
            text = json.dumps(verdict_json(verdict), sort_keys=True)
            row = AuditRow(key, page.entry.path, self.today, self._ports.clock.now_ms(), text)
            self._ports.store.web.keep_audits([row])
        return verdict

    def _read_before(self, page: EntryPage, seen: Sequence[SourceVersions]) -> Verdict | None:
        """What a model said about these very texts, whoever compares them tonight."""
        from cairn.core.model_budget import MODEL_PROVIDERS

        keys = (_step(page, seen, provider) for provider in ("auto", *MODEL_PROVIDERS))
        row = next((self._known[key] for key in keys if key in self._known), None)
        return None if row is None else verdict_of(json.loads(row.verdict))

    def _asked(self, page: EntryPage, seen: Sequence[SourceVersions]) -> Verdict:
        metered = self._prepared.metered
        if page.kept is not None:
            return extractive(page, seen, self.today).verdict
        if metered is None:
            return self._prepared.auditor(page, seen, self.today).verdict
        if self._left <= 0:
            raise _NotAsked(f"`freshness.max_per_run` is {self._prepared.most}; it waits for the next day")
        before = metered.spent.calls
        try:
            verdict = self._prepared.auditor(page, seen, self.today).verdict
        except Refused as refused:
            if metered.spent.calls == before:
                raise _NotAsked(refused.message) from None
            raise _Failure("runner", refused.message) from None
        self._left -= 1
        return verdict

    def _take(self, page: EntryPage, verdict: Verdict, seen: Sequence[SourceVersions]) -> None:
        path = page.entry.path
        if verdict.outcome is VerdictOutcome.CURRENT and self._pause:
            self.confirmed.append(path)
            self._paused.append(path)
            return
        outcome = outcome_of(page, VerdictFile(verdict, None), self._source_ports)
        if verdict.outcome is VerdictOutcome.CURRENT:
            self.confirmed.append(path)
        else:
            self.drifted.append(RunRemark(path, reason_of(verdict)))
        if outcome.changed:
            change = change_for(self._ports, outcome, base=self._prepared.base)
            moved = frozenset((one.source.reference, one.hash) for one in seen if one.old != one.text)
            self.judged.append(JudgedEntry(page.entry, verdict, change, moved))


def _step(page: EntryPage, seen: Sequence[SourceVersions], provider: str) -> str:
    """What a verdict depends on: with the same of all these it would be the same question again."""
    hashes = [(one.source.reference, one.hash, one.old is None) for one in seen]
    facts = json.dumps([page.entry.path, page.digest, hashes, provider])
    return sha256(facts.encode()).hexdigest()[:32]


def _is_kept(row: AuditRow, today: str) -> bool:
    """The same question is not asked every night while its answer waits; after some weeks a model may know better."""
    return (date.fromisoformat(today) - date.fromisoformat(row.day)).days <= KEPT_DAYS


def _by_model(row: AuditRow) -> bool:
    return not str(json.loads(row.verdict)["model"]).startswith("extractive/")
