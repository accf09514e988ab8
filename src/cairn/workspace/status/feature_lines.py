"""Lines of the status page about turns, the curator, changes, audits and gaps."""

import json
from collections import Counter
from collections.abc import Iterator

from cairn.capture.watchdog import WINDOW_MS, Counts, Look, look_at_turns, watch
from cairn.core.ledger_events import events_of
from cairn.core.model.change import ChangeRequest, RequestState, Ticket
from cairn.core.model.change import Level as ChangeLevel
from cairn.core.model.event import Event
from cairn.core.model.session import SessionLog
from cairn.curate.pending_candidates import waiting_in_logs
from cairn.curate.propose import RETRY, could_not_be_read
from cairn.curate.run_journal import PLAN, CurateState
from cairn.errors import CannotWrite
from cairn.observe.acknowledge import findings_now
from cairn.observe.lens_coverage_gaps import LENS
from cairn.observe.list_gaps import gap_findings, look_at_gaps
from cairn.workspace.status.context import Level, StatusContext, StatusLine, ago, counted, listed

_STALE_MS = 7 * 86_400_000


def audits(desk: StatusContext) -> Iterator[StatusLine]:
    if desk.store is None:
        return
    last = next(events_of(desk.app.ledger, desk.store, types=("audit_completed",), limit=1), None)
    # Gaps have a line of their own, which is counted anew; the last audit may not know yet that one was closed.
    found = [one for one in findings_now(desk.app) if one.status == "open" and one.lens != LENS]
    if found:
        counts = Counter(finding.severity for finding in found)
        told = ", ".join(f"{number:,} {severity}" for severity, number in sorted(counts.items()))
        level: Level = "error" if min(counts) == "P0" else "warn"
        text = f"{counted(len(found), 'finding')} of audits: {told}, such as: {found[0].title}"
        data = {"count": len(found), "severities": dict(counts)}
        yield StatusLine("waits", text, level, "cairn observe findings", data)
    if last is not None:
        said = json.loads(last.payload)
        old = desk.now_ms - last.at_ms > _STALE_MS
        text = f"last audit {ago(desk.now_ms - last.at_ms)}: {said.get('verdict', '')}"
        data = {"atMs": last.at_ms, "verdict": said.get("verdict"), "report": said.get("report_id")}
        yield StatusLine("health", text, "info", "cairn observe audit" if old else None, data)


_DAY_MS = 86_400_000
_HELD_DAYS = 7


def changes(desk: StatusContext) -> Iterator[StatusLine]:
    if desk.app.vcs.root() is None:
        return
    found = desk.app.forge.requests(states=(RequestState.OPEN, RequestState.READY))
    yield from _open([request for request in found if request.state is RequestState.OPEN])
    yield from _ready([request for request in found if request.state is RequestState.READY])
    yield from _tickets(desk.app.forge.tickets())
    yield from _held(desk)


def _open(requests: list[ChangeRequest]) -> Iterator[StatusLine]:
    if not requests:
        return
    levels = Counter(request.level.word for request in requests)
    blocked = [request for request in requests if request.level is ChangeLevel.BLOCK]
    gates = Counter(r.gate for request in blocked for r in request.rulings if r.level is ChangeLevel.BLOCK)
    text = f"{counted(len(requests), 'change request')} open, such as {requests[0].id} ({requests[0].title})"
    text += f"; {len(blocked)} blocked by {listed(gates)}" if blocked else ""
    data = {"count": len(requests), "levels": dict(levels), "ids": [request.id for request in requests]}
    yield StatusLine("waits", text, "warn" if blocked else "info", "cairn change list", data)


def _ready(requests: list[ChangeRequest]) -> Iterator[StatusLine]:
    if requests:
        first = requests[0].id
        text = f"{counted(len(requests), 'change request')} ready, but the branch is checked out, so you have to merge"
        data = {"count": len(requests), "ids": [request.id for request in requests]}
        yield StatusLine("waits", text, "info", f"cairn change merge {first}", data)


def _tickets(tickets: list[Ticket]) -> Iterator[StatusLine]:
    for ticket in tickets[:3]:
        yield StatusLine("waits", f"{ticket.id}: {ticket.title}", "warn", data={"id": ticket.id, "cause": ticket.cause})
    if len(tickets) > 3:
        yield StatusLine("waits", f"and {counted(len(tickets) - 3, 'more ticket')}", data={"count": len(tickets)})


def _held(desk: StatusContext) -> Iterator[StatusLine]:
    """Of each subject the last word counts: what was held and opened later is not held any more."""
    last: dict[tuple[str, str], Event] = {}
    since_ms = desk.now_ms - _HELD_DAYS * _DAY_MS
    for event in desk.events("change_held", "change_opened", since_ms=since_ms):
        key = (str(event.payload.get("origin")), str(event.payload.get("subject")))
        last[key] = max(last.get(key, event), event, key=lambda known: known.at)
    held = [event for event in last.values() if event.type == "change_held"]
    reasons = Counter(str(event.payload.get("reason")) for event in held)
    for reason, count in reasons.most_common(3):
        text = f"{counted(count, 'change')} held back: {reason}"
        subjects = [str(e.payload.get("subject")) for e in held if e.payload.get("reason") == reason]
        yield StatusLine("held", text, "warn", "cairn change list", {"count": count, "subjects": sorted(subjects)[:20]})
    for id in _damaged(desk):
        yield StatusLine("held", f"the change request {id} cannot be read; it is passed over", "warn", data={"id": id})


def _damaged(desk: StatusContext) -> list[str]:
    forge = desk.app.forge
    return forge.damaged() if forge.name == "local" else []


def curation(desk: StatusContext) -> Iterator[StatusLine]:
    state = CurateState(desk.app)
    found, problems = state.conflicts()
    pending = [one for one in found if one.status == "pending"]
    if pending:
        text = f"{counted(len(pending), 'conflict')} to settle, such as “{pending[0].proposed.title}”"
        yield StatusLine("waits", text, "warn", "cairn conflict list", {"count": len(pending)})
    for problem in problems[:3]:
        yield StatusLine("held", problem, "warn", data={"count": len(problems)})
    logs: list[SessionLog] = []
    waiting = waiting_in_logs(desk.app, state.stamps(), also=logs.append)
    yield from _sessions(logs[::-1])
    if waiting:
        yield StatusLine(
            "waits", f"{counted(waiting, 'candidate')} to curate", "info", "cairn curate", {"count": waiting}
        )
    failures = state.failures()
    if failures:
        text = f"{counted(len(failures), 'candidate')} could not become a page: {failures[0].detail}"
        yield StatusLine("held", text, "warn", "cairn curate --retry-failed", {"count": len(failures)})
    if desk.app.files.exists(PLAN):
        text = "a run of the curator was stopped in the middle; the next one finishes it"
        yield StatusLine("held", text, "warn", "cairn curate", {})
    yield from _documents(desk)
    yield from _lint(desk)


def _sessions(logs: list[SessionLog]) -> Iterator[StatusLine]:
    """Those that a reader failed to read; the newest first."""
    failed = [log for log in logs if log.proposal_status == "failed"]
    if failed:
        text = f"{could_not_be_read(len(failed))}: {failed[0].proposal_error or 'no reason given'}"
        yield StatusLine("held", text, "warn", RETRY, {"count": len(failed)})


def _documents(desk: StatusContext) -> Iterator[StatusLine]:
    """Of bases of nodes; other workspaces import nothing for this."""
    if not any(corpus.layout == "nodes" for corpus in desk.app.corpora):
        return
    from cairn.curate.index_documents import stale_documents

    for stale in stale_documents(desk.app):
        yield StatusLine("waits", stale.why, "warn", "cairn index rebuild", {"documents": list(stale.paths)})


def _lint(desk: StatusContext) -> Iterator[StatusLine]:
    from cairn.curate.lint import lint_due

    since = lint_due(desk.app)
    if since:
        text = f"a lint of the pages is due: {counted(since, 'session')} since the last one"
        yield StatusLine("waits", text, "info", "cairn lint", {"sessions": since})


_NAMED = 3


def gaps(desk: StatusContext) -> Iterator[StatusLine]:
    if desk.store is None:
        return
    found = [one for one in gap_findings(desk.app, look_at_gaps(desk.app)) if one.status == "open"]
    if not found:
        return
    topics = [(str(one.evidence["topic"]), int(one.evidence["signal_count"])) for one in found]
    named = ", ".join(f"{topic} ({signals:,} times)" for topic, signals in topics[:_NAMED])
    more = f" and {len(topics) - _NAMED:,} more" if len(topics) > _NAMED else ""
    text = f"{counted(len(topics), 'topic')} that nobody has written about: {named}{more}"
    data = {"count": len(topics), "topics": dict(topics)}
    yield StatusLine("waits", text, "warn", "cairn gaps list", data)


_DAYS = WINDOW_MS // 86_400_000


def turns(desk: StatusContext) -> Iterator[StatusLine]:
    if desk.store is None:
        return
    look, told = _look(desk)
    for issue in look.issues:
        level: Level = "error" if issue.severity == "critical" else "warn"
        yield StatusLine("waits", issue.text, level, "cairn turns verify", issue.payload())
    if told:
        yield StatusLine(
            "waits", f"the watchdog's alert was not passed on: {told}", "warn", "cairn config get capture.alert_command"
        )
    if look.counts.eligible:
        data = {**look.counts._asdict(), "waiting": look.waiting, "days": _DAYS}
        yield StatusLine("health", turns_text(look.counts), next="cairn turns trend", data=data)


def turns_text(counts: Counts) -> str:
    accounted = counts.eligible - counts.unaccounted
    whole = "all" if not counts.unaccounted else f"{accounted:,}"
    parts = f"{counts.completed:,} noted, {counts.skipped:,} skipped"
    failed = f", {counts.failed:,} failed" if counts.failed else ""
    return f"turns of {_DAYS} days: {whole} of {counts.eligible:,} accounted for ({parts}{failed})"


def _look(desk: StatusContext) -> tuple[Look, str]:
    """By the watchdog when its time has come. A workspace that cannot be written to can be looked at all the same."""
    try:
        watched = watch(desk.app)
    except CannotWrite:
        watched = None
    if watched is not None:
        return watched.look, watched.told
    return look_at_turns(desk.app, since_ms=desk.now_ms - WINDOW_MS), ""
