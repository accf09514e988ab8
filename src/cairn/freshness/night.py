"""Audits the entries of a run: compares each with its sources, has readers answer, and says what follows."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property, partial
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from cairn.core.model.knowledge import Entry, Source
from cairn.core.model.verdict import Verdict, VerdictOutcome
from cairn.core.ports.runtime import Progress, ReadFailed
from cairn.core.ports.sources import AuditRow
from cairn.errors import CairnError
from cairn.freshness.apply_verdict import VerdictFile, change_for, is_uncommitted, outcome_of
from cairn.freshness.ask_reader import QUESTIONS, FirstAudits, FreshnessReaders, ReadEntry, Reading, cost_of_first
from cairn.freshness.audit import (
    EntryPage,
    SourceReader,
    SourceVersions,
    UnreadableSource,
    compared,
    gather,
    page_of,
    record_failure,
    today_of,
    without_sources,
)
from cairn.freshness.open_requests import verdicts_in
from cairn.freshness.plain_pages import PlainCorpora
from cairn.freshness.ports import FreshnessPorts
from cairn.freshness.run_plan import FreshnessRunSummary, HeldBack, JudgedEntry, RunRemark, both_passages, reason_of
from cairn.freshness.sources import SourceLook, SourceStanding
from cairn.freshness.verdict_edits import after_edits
from cairn.freshness.verdict_json import verdict_json, verdict_of
from cairn.jobs.ask import Answer, ReadNow, Unanswered

if TYPE_CHECKING:
    from cairn.core.ports.runtime import Lease
    from cairn.jobs.run import JobRunSummary

AgreeToCost = Callable[[FirstAudits], bool]
KEPT_DAYS: Final = 28
"""How long a verdict is remembered."""
_IN_FULL: Final = "its sources wait to be read in full"


class _Failure(Exception):
    def __init__(self, cause: str, reason: str, source: str = "") -> None:
        super().__init__(reason)
        self.cause, self.source = cause, source


class Night:
    """Each entry by itself: one that fails is named and stays in the queue, the others go on."""

    def __init__(
        self,
        ports: FreshnessPorts,
        base: str,
        most: int,
        source_ports: SourceReader,
        sightings: Mapping[Source, SourceLook],
        pause: str | None,
        *,
        first_audits: AgreeToCost | None,
    ) -> None:
        self._ports, self._base, self._most = ports, base, most
        self._source_ports, self._sightings = source_ports, sightings
        self._pause = pause
        """Why nobody is asked for confirmations tonight, if so."""
        self._agree = first_audits
        self._plain = PlainCorpora(ports)
        self.today = today_of(ports)
        self._readers = FreshnessReaders(ports)
        self._rows = rows = [row for row in ports.store.web.audits() if is_kept(row, self.today)]
        self._known = {row.key: row for row in rows}
        self._failed_before = {row.path for row in ports.store.web.attempts()}
        self._asking: list[Reading] = []
        self._paused: list[str] = []
        self.judged: list[JudgedEntry] = []
        self.confirmed: list[str] = []
        self.drifted: list[RunRemark] = []
        self.pending: list[RunRemark] = []
        self.to_read: list[RunRemark] = []
        self.baseline: list[RunRemark] = []
        self.unverifiable: list[RunRemark] = []
        self.held: list[HeldBack] = []
        self.failed: list[RunRemark] = []
        self.spent: JobRunSummary | None = None
        self.again = 0

    def summary(self, entries: Sequence[Entry], offline: frozenset[str], *, dry_run: bool) -> FreshnessRunSummary:
        """What became of the entries, before anybody is asked for anything."""
        return FreshnessRunSummary(
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
            unverifiable=tuple(self.unverifiable),
            again=self.again,
            spent=self.spent,
        )

    @property
    def audited(self) -> frozenset[str]:
        """Entries that this run came to an end with, whatever that was."""
        remarks = (*self.drifted, *self.pending, *self.to_read, *self.baseline, *self.unverifiable, *self.failed)
        return frozenset((*self.confirmed, *(one.path for one in remarks)))

    def audit(
        self, paths: Sequence[str], progress: Progress, hold: "Lease | None", *, reader: ReadNow | None = None
    ) -> None:
        pages = self._ports.vcs.show([(self._base, path) for path in paths]) if paths else []
        for number, (path, data) in enumerate(zip(paths, pages, strict=True), 1):
            self._each(path, partial(self._compare, path, data))
            progress.step("auditing", number, len(paths))
            if hold is not None:
                hold.beat()
        self._ask()
        if reader is not None and self._asking:
            self.spent = reader(QUESTIONS)
        for reading in self._asking:
            self._each(reading.page.entry.path, partial(self._settle, reading))
        if self._pause and self._paused:
            self.held.append(HeldBack("confirmations", tuple(self._paused), self._pause))

    def _each(self, path: str, work: Callable[[], None]) -> None:
        try:
            work()
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

    # --- comparing --------------------------------------------------------------------------------------------------

    def _compare(self, path: str, data: bytes | None) -> None:
        """Those that need no reader are settled at once."""
        if hindrance := self._hindrance(path, data):
            self._hold(path, hindrance)
            return
        page = page_of(self._ports, path, data or b"", plain=self._plain)
        if page.kept is not None and is_uncommitted(self._ports, self._base, page.kept):
            self._hold(path, f"{page.kept.file} is not what the base branch has; commit it, or undo your edits")
            return
        page, seen = self._texts(page)
        once = [s for s in page.entry.sources if self._standing(s) is SourceStanding.PENDING]
        if once:
            self.pending.append(RunRemark(path, f"{once[0].reference} is not what it was; the next run looks again"))
            return
        known = self._known.get(self._step(page, seen))
        said = verdict_of(json.loads(known.verdict)) if known else None
        if said is not None and _is_by_reader(said):  # perhaps on another machine: nobody is paid twice
            self.again += 1
            self._conclude(page, seen, ReadEntry(said))
            return
        comparison = self._compared(page, seen, known, said)
        reading = self._readers.reading(page, seen, comparison, first_audits=self._agree is not None)
        if reading.asked:
            self._asking.append(reading)
        else:
            self._settle(reading)

    def _hindrance(self, path: str, data: bytes | None) -> str:
        """A page that somebody is working on is left to them."""
        if data is None:
            return "it is not on the base branch yet; commit it"
        try:
            same = self._ports.files.read(path)[0] == data
        except ReadFailed as error:
            return str(error)
        return "" if same else "it is not what the base branch has; commit and merge your edits, or undo them"

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

    def _standing(self, source: Source) -> SourceStanding | None:
        sighting = self._sightings.get(source)
        return None if sighting is None else sighting.standing

    def _compared(
        self, page: EntryPage, seen: Sequence[SourceVersions], known: AuditRow | None, said: Verdict | None
    ) -> Verdict:
        """Without a finding as an earlier run of this day has it; later it is made again, with the date of that day."""
        is_good = said is not None and not said.findings and not said.source_unverifiable
        if known is not None and said is not None and is_good and (known.day == self.today or self._pause):
            self.again += 1
            return said
        return after_edits(compared(page, seen, self.today), self._earlier(page.entry), page.entry, page.body)

    def _earlier(self, entry: Entry) -> Iterator[Verdict]:
        """What was said about an entry before: by runs here, and in requests, which other clones have too."""
        for row in self._rows:
            if row.path == entry.path:
                yield verdict_of(json.loads(row.verdict))
        for said in self._requested:
            if said.entry_name == entry.name:
                yield said

    @cached_property
    def _requested(self) -> list[Verdict]:
        return [said for request in self._ports.forge.requests() for said in verdicts_in(request)]

    # --- asking -----------------------------------------------------------------------------------------------------

    def _ask(self) -> None:
        """What is missing, in the order of the run: changed sources first, then whole ones if somebody agreed."""
        missing = [one for one in self._asking if not self._is_answered(one)]
        self.again += len(self._asking) - len(missing)
        today = self._readers.asked_today()
        left = max(0, self._most - len(today))
        new = [one for one in missing if one.page.entry.path not in today]
        chosen = sorted(new, key=lambda one: one.whole)[:left]
        first = [one for one in chosen if one.whole]
        declined = first if first and not (self._agree and self._agree(cost_of_first(first))) else []
        may_ask = {one.page.entry.path for one in chosen} | today
        for reading in missing:
            path = reading.page.entry.path
            if path in may_ask:
                for asked in reading.asked:
                    if not (reading in declined and asked is reading.still_true):
                        self._readers.ask(asked, again=path in self._failed_before)
            elif len(chosen) == left:
                self._hold(path, f"`freshness.max_per_run` is {self._most}; a reader is asked on the next day")

    def _is_answered(self, reading: Reading) -> bool:
        """A question that failed is not asked again until the entry may be tried again."""
        found = [self._readers.find(asked) for asked in reading.asked]
        path = reading.page.entry.path
        return all(
            isinstance(one, Answer) or (isinstance(one, Unanswered) and path not in self._failed_before)
            for one in found
        )

    # --- what follows -----------------------------------------------------------------------------------------------

    def _settle(self, reading: Reading) -> None:
        path, read = reading.page.entry.path, self._readers.read(reading)
        self._keep(reading, read.verdict)
        if read.failed and not self._is_exact(read):
            raise _Failure("reader", f"no reader could answer: {read.failed}")
        if read.failed:
            self._fail(path, "reader", f"no reader could answer: {read.failed}")
        else:
            self._ports.store.web.forget_attempts([path])
        self._conclude(reading.page, reading.seen, read)

    def _conclude(self, page: EntryPage, seen: Sequence[SourceVersions], read: ReadEntry) -> None:
        path, verdict = page.entry.path, read.verdict
        if verdict.to_be_read:
            self.to_read.append(RunRemark(path, both_passages(verdict)))
        elif read.waits and not self._is_exact(read):
            self.to_read.append(RunRemark(path, _IN_FULL))
        elif verdict.source_unverifiable and _is_by_reader(verdict):
            self.unverifiable.append(RunRemark(path, "; ".join(verdict.preserve_warnings)))
        elif verdict.source_unverifiable:
            self.baseline.append(RunRemark(path, self._why_unverifiable(page, verdict)))
        else:
            self._take(page, verdict, seen)

    def _is_exact(self, read: ReadEntry) -> bool:
        """Whether the comparison proved something that no reader has to confirm."""
        return read.verdict.outcome is not VerdictOutcome.CURRENT and not read.verdict.source_unverifiable

    def _keep(self, reading: Reading, verdict: Verdict) -> None:
        if verdict.source_unverifiable and not (verdict.to_be_read or reading.asked):
            return
        key, path = self._step(reading.page, reading.seen), reading.page.entry.path
        text = json.dumps(verdict_json(verdict), sort_keys=True)
        self._ports.store.web.keep_audits([AuditRow(key, path, self.today, self._ports.clock.now_ms(), text)])

    def _step(self, page: EntryPage, seen: Sequence[SourceVersions]) -> str:
        """What a verdict depends on: with the same of all these it would be the same question again."""
        hashes = [(one.source.reference, one.hash) for one in seen]
        facts = json.dumps([page.entry.path, page.digest, hashes, self._readers.sign(page.entry)])
        return sha256(facts.encode()).hexdigest()[:32]

    def _why_unverifiable(self, page: EntryPage, verdict: Verdict) -> str:
        first = [s.reference for s in page.entry.sources if self._standing(s) is SourceStanding.BASELINE]
        if first:
            return f"there is no earlier text of {first[0]} to compare with yet"
        said = next(iter(verdict.preserve_warnings), "")
        return said or "no earlier text of its sources is stored, so somebody has to read them"

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
            change = change_for(self._ports, outcome, base=self._base)
            moved = frozenset((one.source.reference, one.hash) for one in seen if one.old != one.text)
            self.judged.append(JudgedEntry(page.entry, verdict, change, moved))


def _is_by_reader(verdict: Verdict) -> bool:
    return not verdict.model.startswith("extractive/")


def is_kept(row: AuditRow, today: str) -> bool:
    """Findings of the last weeks are compared with what a page states now."""
    return (date.fromisoformat(today) - date.fromisoformat(row.day)).days <= KEPT_DAYS
