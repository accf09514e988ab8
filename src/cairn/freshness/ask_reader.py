"""Asks readers what only somebody who reads can tell about an entry, and finds what they answered."""

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from cairn.core.model.change import Taint
from cairn.core.model.knowledge import Entry
from cairn.core.model.verdict import Verdict
from cairn.core.ports.jobs import ExecutionFilter, JobFilter
from cairn.core.ports.sources import AuditRow
from cairn.freshness.answered_verdict import SourceNow, verdict_from, with_frontier_answer
from cairn.freshness.audit import EntryPage, SourceVersions, never_read
from cairn.freshness.frontier import EditionAhead, Frontier, with_frontier
from cairn.freshness.ports import FreshnessPorts
from cairn.freshness.questions.frontier.question import QUESTION as FRONTIER
from cairn.freshness.questions.still_true.about_entry import ComparedText, question_about
from cairn.freshness.questions.still_true.question import QUESTION as STILL_TRUE
from cairn.freshness.signs import telling_lines
from cairn.jobs.ask import Answer, AskedQuestion, Outcome, QuestionCost, Unanswered, Waiting, ask, estimate, look_up
from cairn.jobs.finish import cancel

QUESTIONS: Final = (STILL_TRUE.id, FRONTIER.id)
_DAY_MS: Final = 86_400_000


class Reading(NamedTuple):
    """An entry, what the comparison found, and what a reader is asked about it."""

    page: EntryPage
    seen: Sequence[SourceVersions]
    compared: Verdict
    still_true: AskedQuestion | None = None
    whole: bool = False
    """It is the first audit of a source, which is shown whole."""
    frontier: AskedQuestion | None = None
    ahead: EditionAhead | None = None

    @property
    def asked(self) -> list[AskedQuestion]:
        return [one for one in (self.still_true, self.frontier) if one is not None]


class ReadEntry(NamedTuple):
    """What is known about an entry with the answers that exist."""

    verdict: Verdict
    waits: bool = False
    """A reader is still to answer."""
    failed: str = ""
    """Why a reader gave no answer that counts."""


class FreshnessReaders:
    """The questions of an audit. Asking twice is free, and finding an answer asks nothing."""

    def __init__(self, ports: FreshnessPorts) -> None:
        self._ports = ports
        self._frontier = Frontier(ports)

    @property
    def _jobs(self) -> Any:
        return self._ports.store.jobs

    def sign(self, entry: Entry) -> str:
        """Of a newer edition, as its page has it; empty when there is none."""
        ahead = self._frontier.ahead(entry)
        return "" if ahead is None else ahead.sentence

    def reading(
        self, page: EntryPage, seen: Sequence[SourceVersions], compared: Verdict, *, first_audits: bool
    ) -> Reading:
        """`first_audits`: also about sources that nobody has an earlier text of. Somebody who asked that before gets
        the answer in any case. About pages that are not ours to edit nobody is asked."""
        ahead = self._frontier.ahead(page.entry)
        if page.kept is not None:
            return Reading(page, seen, compared, ahead=ahead)
        frontier = None if ahead is None else self._about_editions(page.entry, ahead)
        reading = Reading(page, seen, compared, frontier=frontier, ahead=ahead)
        if any(map(is_first, seen)):
            texts = [one._replace(old=None) if is_first(one) else one for one in seen]
            whole = self._about_sources(page, texts, compared)
            if first_audits or self.find(whole) is not None:
                return reading._replace(still_true=whole, whole=True)
        if _needs_reading(compared, seen):
            return reading._replace(still_true=self._about_sources(page, seen, compared))
        return reading

    def _about_sources(self, page: EntryPage, seen: Sequence[SourceVersions], compared: Verdict) -> AskedQuestion:
        texts = [ComparedText(one.source.reference, one.old, one.text, one.source.kind == "url") for one in seen]
        return question_about(page.entry, page.body, texts, compared)

    def _about_editions(self, entry: Entry, ahead: EditionAhead) -> AskedQuestion:
        sources = []
        for source in entry.sources:
            kept = self._frontier.page(source) if source.kind == "url" else None
            if kept is not None:
                sources.append({"reference": source.reference, "lines": telling_lines(ahead.own, kept.shown)})
        facts = {
            "entry": {
                "path": entry.path,
                "title": entry.title,
                "summary": entry.summary,
                "edition": entry.edition or ahead.subject,
            },
            "sources": sources,
        }
        return AskedQuestion(FRONTIER, entry.path, facts, Taint.OUTSIDE)

    def read(self, reading: Reading) -> ReadEntry:
        """The comparison, and what readers answered about it."""
        verdict, failed, waits = reading.compared, list[str](), False
        for asked in reading.asked:
            outcome = self.find(asked)
            if isinstance(outcome, Answer):
                verdict = _answered(verdict, reading, asked, outcome)
            elif isinstance(outcome, Unanswered):
                failed.append(outcome.message or outcome.reason)
            waits = waits or isinstance(outcome, Waiting)
            if asked is reading.frontier and isinstance(outcome, Answer):
                reading = reading._replace(ahead=None)
        verdict = with_frontier(verdict, reading.page.entry, reading.ahead, today=verdict.audit_date)
        return ReadEntry(verdict, waits, "; ".join(failed))

    # --- asking -----------------------------------------------------------------------------------------------------

    def find(self, asked: AskedQuestion) -> Outcome | None:
        return look_up(asked, store=self._jobs)

    def ask(self, asked: AskedQuestion, *, again: bool) -> Outcome:
        return ask_fresh(self._ports, asked, again=again)

    def asked_today(self) -> set[str]:
        """Entries that were asked about since midnight (UTC)."""
        now_ms = self._ports.clock.now_ms()
        start = now_ms - now_ms % _DAY_MS
        return {job.node_id for job in self._jobs.jobs(JobFilter(actions=QUESTIONS)) if job.created_at_ms >= start}


def _answered(verdict: Verdict, reading: Reading, asked: AskedQuestion, answer: Answer) -> Verdict:
    entry, model = reading.page.entry, f"{answer.runner or 'reader'}/{answer.model or '?'}"
    if asked is reading.frontier:
        at = answer.value["source"]
        reference = asked.input["sources"][at - 1]["reference"] if at else ""
        return with_frontier_answer(verdict, entry, answer.value, reference, model=model)
    sources = [SourceNow(one.source.reference, one.text) for one in reading.seen]
    found = verdict_from(answer.value, entry, sources, reading.compared, model=model)
    return found._replace(preserve_warnings=(*found.preserve_warnings, *answer.problems))


def ask_fresh(ports: FreshnessPorts, asked: AskedQuestion, *, again: bool) -> Outcome:
    """What asks about an earlier state of the same subject is cancelled: nobody needs the answer."""
    jobs, now_ms = ports.store.jobs, ports.clock.now_ms()
    outcome = ask(asked, store=jobs, settings=ports.settings, now_ms=now_ms, again=again)
    if isinstance(outcome, Waiting):
        job = outcome.job
        for other in jobs.jobs(JobFilter(("queued",), (job.action_id,), job.node_id)):
            if other.question_hash != job.question_hash:
                cancel(other.id, store=jobs, now_ms=now_ms)
    return outcome


def is_first(one: SourceVersions) -> bool:
    """Whether nobody ever compared an entry with this source: no text is known that bore it out."""
    return one.old is None or never_read(one)


def _needs_reading(compared: Verdict, seen: Sequence[SourceVersions]) -> bool:
    """Passages that the entry relies on differ, or a source was rewritten beyond comparison."""
    rewritten = compared.source_unverifiable and any(one.old not in (None, one.text) for one in seen)
    has_baseline = any(one.old is None for one in seen)
    shown = any(one.source_excerpt or one.previous_excerpt for one in compared.findings)
    return shown or (rewritten and not has_baseline)


class FirstAudits(NamedTuple):
    """What it takes to have whole sources read for the first time."""

    questions: int
    cost: QuestionCost


def cost_of_first(readings: Iterable[Reading]) -> FirstAudits:
    costs = [estimate(one.still_true) for one in readings if one.still_true is not None]
    return FirstAudits(len(costs), QuestionCost(sum(c.reading for c in costs), sum(c.writing for c in costs)))


def answered_since(ports: FreshnessPorts, audits: Iterable[AuditRow]) -> frozenset[str]:
    """Entries about which a reader answered after their last audit here."""
    last: dict[str, int] = {}
    for row in audits:
        last[row.path] = max(row.at_ms, last.get(row.path, 0))
    rows = ports.store.jobs.executions(ExecutionFilter(actions=QUESTIONS))
    return frozenset(
        row.node_id for row in rows if row.finished_at_ms > last.get(row.node_id, 0) and _ended(row.status)
    )


def _ended(status: str) -> bool:
    return status in ("completed", "failed")
