"""Asks what sessions taught and what becomes of that, and makes a change request of the answers."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from cairn.core.ports.jobs import JobFilter
from cairn.curate.ask_reader import Readers
from cairn.curate.curate import CurateOptions, CurateResult, curate, merged
from cairn.curate.pending_candidates import pending
from cairn.curate.ports import CuratePorts
from cairn.curate.propose import ProposeOptions, ProposeResult, SessionResult, propose_sessions
from cairn.curate.questions.learned.question import QUESTION as LEARNED
from cairn.curate.questions.place.question import QUESTION as PLACE
from cairn.curate.run_journal import CurateState
from cairn.errors import CairnError
from cairn.jobs.ask import ReadNow
from cairn.jobs.run import JobRunSummary
from cairn.jobs.spent import together

_ROUNDS = 20
"""Questions that follow from answers: the parts of a long session, or a page that another answer made."""


class Learned(NamedTuple):
    proposed: ProposeResult
    spent: JobRunSummary | None = None
    """None when no reader was asked to answer."""


def learn(
    ports: CuratePorts, wanted: ProposeOptions, reader: ReadNow | None = None, readers: Readers | None = None
) -> Learned:
    """Asks what sessions taught. With a reader the answers are there at the end."""
    readers = readers or Readers(ports)
    found = propose_sessions(ports, wanted, readers)
    if reader is None or wanted.dry_run:
        return Learned(found)
    spent: JobRunSummary | None = None
    results = {one.log: one for one in found.results}
    for _ in range(_ROUNDS):
        summary = reader((LEARNED.id,))
        spent = together(spent, summary)
        ids = tuple(one.session for one in results.values() if one.status == "pending")
        if not summary.attempted or not ids:
            break
        found = propose_sessions(ports, wanted._replace(ids=ids, failed=False), readers)
        results |= {one.log: _both(results.get(one.log), one) for one in found.results}
        if summary.stopped:
            break
    return Learned(found._replace(results=tuple(results.values())), spent)


def _both(one: SessionResult | None, two: SessionResult) -> SessionResult:
    return two if one is None else two._replace(candidates=(*one.candidates, *two.candidates))


class SessionsCurated(NamedTuple):
    curated: CurateResult
    learned: Learned
    spent: JobRunSummary | None = None


def curate_sessions(ports: CuratePorts, wanted: CurateOptions, reader: ReadNow | None = None) -> SessionsCurated:
    """Without a reader the answers that exist are used, and what is missing is asked. With `retry_failed` only
    candidates are taken up that failed before."""
    learned = Learned(ProposeResult(()))
    if not wanted.retry_failed:
        learned = learn(ports, ProposeOptions(most=wanted.most, dry_run=wanted.dry_run), reader)
    curated, spent = placed(lambda options: curate(ports, options), wanted, reader)
    return SessionsCurated(curated, learned, together(learned.spent, spent))


def placed(
    run: Callable[[CurateOptions], CurateResult], wanted: CurateOptions, reader: ReadNow | None
) -> tuple[CurateResult, JobRunSummary | None]:
    """One run of the curator; with a reader as many as its questions need."""
    if reader is None or wanted.dry_run:
        return run(wanted), None
    spent: JobRunSummary | None = None
    idle = 0
    wanted = wanted._replace(everything=True)
    curated = run(wanted)
    wanted = wanted._replace(retry_failed=False)
    for _ in range(_ROUNDS):
        if not curated.plan.unread:
            break
        summary = reader((PLACE.id,))
        spent = together(spent, summary)
        idle = 0 if summary.attempted else idle + 1
        if idle > 1:  # twice nothing to answer: somebody else is at it
            break
        curated = merged(curated, run(wanted))
        if summary.stopped:
            break
    return curated, spent


# --- when somebody else answered --------------------------------------------------------------------------------------


def follow_sessions(ports: CuratePorts) -> Sequence[str]:
    """Uses the answers that exist, and asks what follows from them, whoever gave them."""
    found = propose_sessions(ports, ProposeOptions(), Readers(ports))
    new = sum(len(one.candidates) for one in found.results)
    told = [f"{_count(new, 'candidate')} found in sessions"] if new else []
    told += [f"{one.session}: {one.error}" for one in found.results if one.status == "failed" and one.error]
    if _has_work(ports):
        told += _curated(ports)
    return told


def _curated(ports: CuratePorts) -> list[str]:
    try:
        done = curate(ports, CurateOptions(everything=True))
    except CairnError as error:
        return [f"candidates wait: {error.message}"]
    written = len({one.path for one in done.plan.fates if one.path}) if done.landed.request else 0
    told = [f"{_count(written, 'page')} in change request {done.landed.request}"] if written else []
    if done.plan.conflicts:
        told.append(f"{_count(len(done.plan.conflicts), 'conflict')} to settle: `cairn conflict list`")
    return told + [f"{one.title or one.origin}: {one.reason}" for one in done.waiting]


def _has_work(ports: CuratePorts) -> bool:
    """Whether a candidate is pending about which no question waits."""
    live = ports.store.jobs.jobs(JobFilter(statuses=("queued", "running"), actions=(PLACE.id,)))
    asked = {job.node_id for job in live}
    found = pending(ports, CurateState(ports).stamps()).candidates
    return any(f"candidate:{one.origin}" not in asked for one in found)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
