"""Proposes candidates from sessions and notes: explicit cues word for word, and what a reader finds."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from cairn.changes.write import write_file
from cairn.core.isolate import each, item
from cairn.core.model.candidate import KnowledgeCandidate
from cairn.core.model.change import Taint
from cairn.core.model.session import KEEP_TAGS, SessionLog
from cairn.core.ports.turns import SessionLogs
from cairn.core.session_log import (
    LOCK_TTL_MS,
    LOCK_WAIT_MS,
    PROPOSAL,
    Head,
    KeptSession,
    SpokenText,
    head_bytes,
    head_of,
    pieces,
    run_logs,
    session_named,
    sessions,
    spoken_at,
    text_of,
    text_span,
)
from cairn.curate.ports import CuratePorts
from cairn.curate.session_candidates import (
    AddedProposals,
    CueOutcome,
    NoteText,
    Outcome,
    ReaderFailure,
    ReaderOutcome,
    after,
    cued,
    has_new_text,
    is_due,
    is_unread,
    note_candidate,
    overlap,
    read_proposals,
    section,
    with_candidates,
)
from cairn.errors import Conflict, UsageError
from cairn.journal import iso_utc

if TYPE_CHECKING:
    from cairn.core.model_budget import MeteredRunner
    from cairn.core.ports.turns import NoteRow

DEFAULT_PROVIDER: Final = "rules"
"""No reader: explicit cues only."""
TIMEOUT_SECONDS: Final = 120.0
READ: Final = "cairn session propose --provider auto"
"""The command that has a model read sessions."""
RETRY: Final = "cairn session retry --provider auto"
_NOTES: Final = 5_000
"""Notes to keep, the newest first."""


class SessionResult(NamedTuple):
    """What came of one session."""

    session: str
    log: str
    status: str
    """As in its log: `pending` while no reader has read it, `done`, `skipped`, `failed`; `busy` when another process
    held it, `gone` when its log was deleted."""
    candidates: tuple[KnowledgeCandidate, ...] = ()
    """Those that are new."""
    error: str = ""
    remarks: tuple[str, ...] = ()


class UnreadSessions(NamedTuple):
    """Sessions that no reader has read."""

    waiting: int = 0
    failed: int = 0
    """Those that a reader failed to read."""

    def sentences(self) -> Iterator[str]:
        """Each with the command that goes on from there."""
        if self.waiting:
            yield f"{waiting_to_be_read(self.waiting)}; `{READ}` has a model read them"
        if self.failed:
            yield f"{could_not_be_read(self.failed)}; `{RETRY}` tries again"


def waiting_to_be_read(number: int) -> str:
    return "1 session is waiting to be read" if number == 1 else f"{number:,} sessions are waiting to be read"


def could_not_be_read(number: int) -> str:
    return f"{number:,} session{'' if number == 1 else 's'} could not be read"


class ProposeResult(NamedTuple):
    results: tuple[SessionResult, ...]
    waiting: int = 0
    """Sessions that were due, but more than were asked for."""
    metered: "MeteredRunner | None" = None
    unread: UnreadSessions = UnreadSessions()
    """Sessions that wait for a reader."""

    def any(self, status: str) -> bool:
        return any(result.status == status for result in self.results)


class ProposeOptions(NamedTuple):
    ids: tuple[str, ...] = ()
    """Without any: all that are due."""
    failed: bool = False
    """Only those that failed, whenever they are due."""
    most: int | None = None
    provider: str = DEFAULT_PROVIDER
    budget: str | None = None
    timeout_seconds: float = TIMEOUT_SECONDS
    dry_run: bool = False


class _Outcome(NamedTuple):
    outcome: Outcome
    remarks: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    """What a model wrote, for the run's log."""


_Proposer = Callable[[SessionLog, str, Sequence[SpokenText], int], _Outcome]
"""Of a log, its path, what was said, and how far that reaches."""


def propose_sessions(ports: CuratePorts, wanted: ProposeOptions) -> ProposeResult:
    """Proposes from pending sessions. Idempotent: skips everything before `cues_through` and `curated_through`."""
    logs = ports.session_logs()
    chosen = _chosen(ports, logs, wanted)
    taken = chosen if wanted.most is None else chosen[: wanted.most]
    proposer, metered = _proposer(ports, wanted)
    run = _Run(ports, logs, proposer, dry_run=wanted.dry_run, kept_by_model=metered is not None)
    results = tuple(each(taken, run.one, lambda kept: kept.path))
    return ProposeResult(results, len(chosen) - len(taken), metered, unread_sessions(ports))


def unread_sessions(ports: CuratePorts) -> UnreadSessions:
    logs = [kept.log for kept in sessions(ports.session_logs()) if is_unread(kept.log)]
    failed = sum(log.proposal_status == "failed" for log in logs)
    return UnreadSessions(len(logs) - failed, failed)


def _chosen(ports: CuratePorts, logs: SessionLogs, wanted: ProposeOptions) -> list[KeptSession]:
    """Oldest first, so that later words are proposed later."""
    if wanted.ids:
        return list({kept.name: kept for kept in (session_named(logs, id) for id in wanted.ids)}.values())
    known = list(reversed(sessions(logs)))
    if wanted.failed:
        return [kept for kept in known if kept.log.proposal_status == "failed"]
    if wanted.provider == DEFAULT_PROVIDER:
        return [kept for kept in known if has_new_text(kept.log)]
    now = ports.clock.now_ms()
    return [kept for kept in known if is_due(kept.log, now)]


# --- one session ------------------------------------------------------------------------------------------------------


class _Run:
    def __init__(
        self, ports: CuratePorts, logs: SessionLogs, proposer: _Proposer, *, dry_run: bool, kept_by_model: bool
    ) -> None:
        self._ports, self._logs, self._proposer = ports, logs, proposer
        self._dry_run, self._kept_by_model = dry_run, kept_by_model

    def one(self, kept: KeptSession) -> SessionResult:
        """The text is read and looked at without a lock, which may take minutes; only writing needs one."""
        text = text_of(self._logs, kept.name)
        said = said_in(text, kept.log)
        found = self._proposer(kept.log, kept.path, said, len(text))
        if self._dry_run:
            return self._told(kept, found, self._added(kept, found), _would(found.outcome, kept.log))
        run_log = self._keep_answers(kept, found)
        try:
            with self._ports.locks.hold(f"session-{kept.log.session_id}", ttl_ms=LOCK_TTL_MS, wait_ms=LOCK_WAIT_MS):
                added, status = self._write(kept, found, run_log)
        except Conflict as problem:  # the others need not wait for whoever is at this one
            return SessionResult(kept.log.session_id, kept.path, "busy", error=problem.message)
        return self._told(kept, found, added, status)

    def _told(self, kept: KeptSession, found: _Outcome, added: AddedProposals | None, status: str) -> SessionResult:
        error = found.outcome.error if isinstance(found.outcome, ReaderFailure) else ""
        return SessionResult(
            kept.log.session_id, kept.path, status, added.candidates if added else (), error, found.remarks
        )

    def _added(self, kept: KeptSession, found: _Outcome) -> AddedProposals | None:
        head = head_of(self._logs, kept.name)
        new = found.outcome.candidates
        if head is None or (isinstance(found.outcome, ReaderFailure) and not new):
            return None
        was_read = head.log.proposal_log is not None
        return with_candidates(head.values.get("proposals"), new, session=kept.log.session_id, was_read=was_read)

    def _write(self, kept: KeptSession, found: _Outcome, run_log: str | None) -> tuple[AddedProposals | None, str]:
        head = head_of(self._logs, kept.name)
        if head is None:
            return None, "gone"
        added = self._added(kept, found)
        outcome = found.outcome
        if added is not None:
            outcome = outcome._replace(candidates=added.candidates)
        log = after(head.log, outcome, at=iso_utc(self._ports.clock.now_ms()), run_log=run_log)
        values = {**head.values, "proposals": added.proposals} if added else head.values
        span = text_span(self._logs, kept.name, head)
        all_of_it = read_proposals(values.get("proposals"), session=kept.log.session_id, where=kept.path).candidates
        said = section(all_of_it) if added and (all_of_it or isinstance(outcome, ReaderOutcome)) else None
        self._logs.write(kept.name, self._content(kept.name, head_bytes(log, values), span, said))
        return added, _state(outcome, log)

    def _content(self, name: str, head: bytes, span: tuple[int, int], said: str | None) -> Iterator[bytes]:
        yield head
        yield from pieces(self._logs, name, *span)
        if said is None:
            yield from pieces(self._logs, name, span[1], self._logs.size(name))
        else:
            yield PROPOSAL + said.encode()

    def _keep_answers(self, kept: KeptSession, found: _Outcome) -> str | None:
        """What a model was paid for is kept, whatever became of it."""
        if not self._kept_by_model:
            return None
        import json

        at = iso_utc(self._ports.clock.now_ms())
        told = {
            "at": at,
            "session": kept.log.session_id,
            "outcome": _would(found.outcome, kept.log),
            "remarks": found.remarks,
        }
        lines = [json.dumps(told), *(json.dumps({"answer": answer}) for answer in found.answers)]
        stamp = "".join(char for char in at[:19] if char.isalnum())
        # Goes with other logs after `capture.log_days`.
        path = f"{run_logs(self._ports, 'proposal')}/{kept.log.session_id}__{stamp}Z.jsonl"
        write_file(self._ports.root, path, "\n".join(lines) + "\n", mode=0o600)
        return path


def _would(outcome: Outcome, log: SessionLog) -> str:
    """The state afterwards, if the log does not grow meanwhile."""
    known = {ReaderFailure: "failed", ReaderOutcome: "done"}
    return known.get(type(outcome)) or _state(outcome, log)


def _state(outcome: Outcome, log: SessionLog) -> str:
    """As in the log; after a search for cues, a session that a reader once failed to read only waits for one."""
    return "pending" if isinstance(outcome, CueOutcome) and is_unread(log) else log.proposal_status


def said_in(text: str, log: SessionLog) -> list[SpokenText]:
    """Who said what in the text of a log, where, and whether an agent had seen text of strangers by then."""
    outside = len(text) + 1 if log.outside_from is None else log.outside_from
    return [
        SpokenText(role, words, start, role == "assistant" and outside <= start)
        for role, words, start in spoken_at(text)
    ]


# --- who proposes -----------------------------------------------------------------------------------------------------


def _proposer(ports: CuratePorts, wanted: ProposeOptions) -> "tuple[_Proposer, MeteredRunner | None]":
    if wanted.provider == DEFAULT_PROVIDER:
        return _by_cues, None
    from cairn.core.model_budget import MODEL_PROVIDERS

    if wanted.provider not in ("auto", *MODEL_PROVIDERS):
        known = ", ".join((DEFAULT_PROVIDER, "auto", *MODEL_PROVIDERS))
        raise UsageError(f"There is no provider `{wanted.provider}`; --provider is one of {known}.")
    metered = ports.model_runner(wanted.provider, budget=wanted.budget, stage="propose")
    return _by_model(metered, wanted.timeout_seconds), metered


def _by_cues(log: SessionLog, where: str, said: Sequence[SpokenText], through: int) -> _Outcome:
    return _Outcome(CueOutcome(_cued(log, where, said), through))


def _cued(log: SessionLog, where: str, said: Sequence[SpokenText]) -> tuple[KnowledgeCandidate, ...]:
    return cued(said, session=log.session_id, where=where, through=log.cues_through, said_at=_said_at(log))


def _by_model(runner: "MeteredRunner", timeout_seconds: float) -> _Proposer:
    from cairn.core.model_budget import RunnerFailed
    from cairn.curate.proposal_prompt import ProposalAnswer, corrected, questions, read_answer

    def propose(log: SessionLog, where: str, said: Sequence[SpokenText], through: int) -> _Outcome:
        answers: list[str] = []

        def ask(prompt: str, part: Sequence[SpokenText]) -> ProposalAnswer:
            answer = runner.run(prompt, timeout_seconds=timeout_seconds)
            answers.append(answer.text)
            read = read_answer(answer.text, part, where=where, said_at=_said_at(log))
            clean, dropped = _clean(read.candidates)
            problem = f"{answer.provider}/{answer.model}: {read.problem}" if read.problem else ""
            return ProposalAnswer(clean, read.remarks, (*read.errors, *dropped), problem)

        def ask_twice(prompt: str, part: Sequence[SpokenText]) -> ProposalAnswer:
            """Once more with the errors, where something had to be set aside."""
            first = ask(prompt, part)
            second = ask(corrected(prompt, first.errors), part) if first.errors else first
            return first if second.problem or len(second.candidates) < len(first.candidates) else second

        new = [one for one in said if one.start >= log.curated_through]
        reads: list[ProposalAnswer] = []
        try:
            for prompt, part in questions(new, session=log.session_id):
                reads.append(ask_twice(prompt, part))
                if reads[-1].problem:
                    return _Outcome(ReaderFailure(reads[-1].problem), (), tuple(answers))
        except RunnerFailed as failed:
            return _Outcome(ReaderFailure(str(failed)), (), tuple(answers))
        found = [one for read in reads for one in read.candidates]
        cues = [one for one in _cued(log, where, said) if not any(overlap(one.quotes, two.quotes) for two in found)]
        errors = [error for read in reads for error in read.errors]
        remarks = tuple(remark for read in reads for remark in read.remarks)
        every = (*cues, *found)
        outcome = ReaderFailure("; ".join(errors), every) if errors else ReaderOutcome(every, through)
        return _Outcome(outcome, remarks, tuple(answers))

    return propose


def _clean(candidates: Sequence[KnowledgeCandidate]) -> tuple[tuple[KnowledgeCandidate, ...], tuple[str, ...]]:
    """The session was scrubbed; a model may still have made up what looks like a secret."""
    from cairn.lib.scrub.find import redact

    kept = tuple(one for one in candidates if not redact(f"{one.title}\n{one.summary}\n{one.body}").counts)
    gone = len(candidates) - len(kept)
    return kept, (f"{gone} with what looks like a secret or personal data set aside",) if gone else ()


def _said_at(log: SessionLog) -> str:
    return log.updated_at or log.captured_at


# --- what there is ----------------------------------------------------------------------------------------------------


def candidates(ports: CuratePorts) -> Iterator[KnowledgeCandidate]:
    """All that was proposed and not forgotten, whatever became of it: of sessions, oldest first, then of notes. One log
    is in memory at a time."""
    logs = ports.session_logs()
    for name in logs.names():
        head = head_of(logs, name)
        if head is not None:
            yield from _proposed_in(head, f"{logs.place}/{name}")
    yield from note_candidates(ports)


def _proposed_in(head: Head, path: str) -> tuple[KnowledgeCandidate, ...]:
    with item(path):
        proposals, at = head.values.get("proposals"), _said_at(head.log)
        return read_proposals(proposals, session=head.log.session_id, where=path, said_at=at).candidates
    return ()


def note_candidates(ports: CuratePorts) -> Iterator[KnowledgeCandidate]:
    """Notes that somebody asked to keep, oldest first. Computed on request, so that a note that is corrected or
    forgotten leaves nothing behind."""
    from cairn.core.ports.turns import NoteFilter

    ports.index_ledger()
    wanted = NoteFilter(low=True, tags=KEEP_TAGS, limit=_NOTES)
    notes = [seen.note for seen in reversed(ports.store.turns.notes(wanted))]
    found = each(notes, _of_note, lambda note: f"note {note.turn_id}")
    return (one for one in found if one is not None)


def _of_note(note: "NoteRow") -> KnowledgeCandidate | None:
    import json

    text = NoteText(
        id=note.turn_id,
        summary=note.summary,
        decision=note.decision,
        tags=tuple(tag for tag in json.loads(note.tags) if isinstance(tag, str)),
        taint={taint.word: taint for taint in Taint}.get(note.taint, Taint.OUTSIDE),
        at=note.occurred_at or None,
    )
    return note_candidate(text)


# --- as JSON ----------------------------------------------------------------------------------------------------------


def result_value(result: SessionResult) -> dict[str, Any]:
    return {
        "session": result.session,
        "log": result.log,
        "status": result.status,
        "error": result.error or None,
        "candidates": [candidate_json(one) for one in result.candidates],
        "remarks": list(result.remarks),
    }


def candidate_json(candidate: KnowledgeCandidate) -> dict[str, Any]:
    quote = candidate.quotes[0] if candidate.quotes else None
    return {
        "origin": candidate.origin,
        "kind": candidate.kind,
        "title": candidate.title,
        "summary": candidate.summary,
        "body": candidate.body,
        "tags": list(candidate.tags),
        "confidence": candidate.confidence,
        "taint": candidate.taint.word,
        "derivedFrom": list(candidate.derived_from),
        "quote": {"text": quote.text, "start": quote.start, "end": quote.end} if quote else None,
        "saidAt": candidate.said_at,
    }
