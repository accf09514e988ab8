"""Proposes candidates from sessions and notes: explicit cues word for word, and what a reader finds."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

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
    QuestionAsked,
    ReaderFailure,
    ReaderOutcome,
    after,
    cued,
    has_new_text,
    is_due,
    is_unread,
    note_candidate,
    read_proposals,
    section,
    with_candidates,
)
from cairn.errors import Conflict
from cairn.journal import iso_utc

if TYPE_CHECKING:
    from cairn.core.ports.turns import NoteRow
    from cairn.curate.ask_reader import Readers

RETRY: Final = "cairn session retry"
_NOTES: Final = 5_000
"""Notes to keep, the newest first."""
_PARTS: Final = 200
"""Of one session, in one run."""


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
    asked: bool = False
    """A question about it waits for an answer."""


class UnreadSessions(NamedTuple):
    """Sessions that no reader has read."""

    waiting: int = 0
    failed: int = 0
    """Those that a reader failed to read."""
    unasked: int = 0
    """Of those that are waiting: no question about them was asked."""


def could_not_be_read(number: int) -> str:
    return f"{number:,} session{'' if number == 1 else 's'} could not be read"


class ProposeResult(NamedTuple):
    results: tuple[SessionResult, ...]
    later: int = 0
    """Sessions that were due, but more than were asked for."""
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
    dry_run: bool = False
    """Write nothing, and ask nothing."""


def propose_sessions(ports: CuratePorts, wanted: ProposeOptions, readers: "Readers | None" = None) -> ProposeResult:
    """Proposes from pending sessions. Idempotent: skips everything before `cues_through` and `curated_through`. Without
    readers only explicit cues are looked for, and no question is asked."""
    logs = ports.session_logs()
    chosen = _chosen(ports, logs, wanted, read=readers is not None)
    taken = chosen if wanted.most is None else chosen[: wanted.most]
    run = _Run(ports, logs, wanted, readers)
    results = tuple(each(taken, run.one, lambda kept: kept.path))
    return ProposeResult(results, len(chosen) - len(taken), unread_sessions(ports))


def unread_sessions(ports: CuratePorts) -> UnreadSessions:
    return unread_of([kept.log for kept in sessions(ports.session_logs())])


def unread_of(logs: Sequence[SessionLog]) -> UnreadSessions:
    waiting = [log for log in logs if is_unread(log)]
    failed = sum(log.proposal_status == "failed" for log in waiting)
    unasked = sum(log.proposal_status != "failed" and log.question is None for log in waiting)
    return UnreadSessions(len(waiting) - failed, failed, unasked)


def _chosen(ports: CuratePorts, logs: SessionLogs, wanted: ProposeOptions, *, read: bool) -> list[KeptSession]:
    """Oldest first, so that later words are proposed later."""
    if wanted.ids:
        return list({kept.name: kept for kept in (session_named(logs, id) for id in wanted.ids)}.values())
    known = list(reversed(sessions(logs)))
    if wanted.failed:
        return [kept for kept in known if kept.log.proposal_status == "failed"]
    now = ports.clock.now_ms()
    return [kept for kept in known if has_new_text(kept.log) or (read and is_due(kept.log, now))]


# --- one session ------------------------------------------------------------------------------------------------------


class _Run:
    def __init__(
        self, ports: CuratePorts, logs: SessionLogs, wanted: ProposeOptions, readers: "Readers | None"
    ) -> None:
        self._ports, self._logs, self._wanted, self._readers = ports, logs, wanted, readers

    def one(self, kept: KeptSession) -> SessionResult:
        """The text is read and looked at without a lock; only writing needs one. Part after part, while there are
        answers."""
        result = SessionResult(kept.log.session_id, kept.path, kept.log.proposal_status)
        if has_new_text(kept.log):
            result = self._step(kept, _cues(kept.log, kept.path, self._said(kept)))
        for _ in range(_PARTS if self._readers else 0):
            head = head_of(self._logs, kept.name)
            found = self._read(kept._replace(log=head.log)) if head and result.status not in ("busy", "gone") else None
            if found is None:
                break
            result = _both(result, self._step(kept, found))
            if not isinstance(found, ReaderOutcome) or self._wanted.dry_run:
                break
        return result

    def _said(self, kept: KeptSession) -> "_Said":
        text = text_of(self._logs, kept.name)
        return _Said(tuple(said_in(text, kept.log)), len(text))

    def _step(self, kept: KeptSession, found: Outcome) -> SessionResult:
        if self._wanted.dry_run:
            return self._told(kept, found, self._added(kept, found), kept.log)
        try:
            with self._ports.locks.hold(f"session-{kept.log.session_id}", ttl_ms=LOCK_TTL_MS, wait_ms=LOCK_WAIT_MS):
                added, log = self._write(kept, found)
        except Conflict as problem:  # the others need not wait for whoever is at this one
            return SessionResult(kept.log.session_id, kept.path, "busy", error=problem.message)
        return self._told(kept, found, added, log)

    def _told(
        self, kept: KeptSession, found: Outcome, added: AddedProposals | None, log: SessionLog | None
    ) -> SessionResult:
        if log is None:
            return SessionResult(kept.log.session_id, kept.path, "gone")
        error = found.error if isinstance(found, ReaderFailure) else ""
        new = added.candidates if added else ()
        asked = isinstance(found, QuestionAsked)
        return SessionResult(kept.log.session_id, kept.path, _state(found, log), new, error, (), asked)

    def _added(self, kept: KeptSession, found: Outcome) -> AddedProposals | None:
        head = head_of(self._logs, kept.name)
        if head is None or not (found.candidates or isinstance(found, ReaderOutcome)):
            return None
        was_read = head.log.proposal_log is not None and not isinstance(found, CueOutcome)
        session = kept.log.session_id
        return with_candidates(head.values.get("proposals"), found.candidates, session=session, was_read=was_read)

    def _write(self, kept: KeptSession, found: Outcome) -> tuple[AddedProposals | None, SessionLog | None]:
        head = head_of(self._logs, kept.name)
        if head is None:
            return None, None
        added = self._added(kept, found)
        if added is not None and not isinstance(found, QuestionAsked):
            found = found._replace(candidates=added.candidates)
        run_log = (
            self._readers.answered_by if self._readers and isinstance(found, ReaderOutcome | ReaderFailure) else None
        )
        log = after(head.log, found, at=iso_utc(self._ports.clock.now_ms()), run_log=run_log)
        values = {**head.values, "proposals": added.proposals} if added else head.values
        span = text_span(self._logs, kept.name, head)
        all_of_it = read_proposals(values.get("proposals"), session=kept.log.session_id, where=kept.path).candidates
        said = section(all_of_it) if added and (all_of_it or isinstance(found, ReaderOutcome)) else None
        self._logs.write(kept.name, self._content(kept.name, head_bytes(log, values), span, said))
        return added, log

    def _content(self, name: str, head: bytes, span: tuple[int, int], said: str | None) -> Iterator[bytes]:
        yield head
        yield from pieces(self._logs, name, *span)
        if said is None:
            yield from pieces(self._logs, name, span[1], self._logs.size(name))
        else:
            yield PROPOSAL + said.encode()

    # --- the reader ----------------------------------------------------------------------------------------------

    def _read(self, kept: KeptSession) -> Outcome | None:
        """What a reader answered about the part that was asked; else the question about the next part. None while one
        waits, or when there is nothing to ask."""
        readers, log = self._readers, kept.log
        if readers is None:
            return None
        if log.question and (found := readers.session_answer(log, kept.path)) is not None:
            return None if isinstance(found, QuestionAsked) else found
        if self._wanted.dry_run or not is_unread(log) or not self._may_ask(log):
            return None
        said = self._said(kept)
        head = head_of(self._logs, kept.name)
        found_before = _proposed_in(head, kept.path) if head else ()
        again = log.proposal_status == "failed"
        return readers.ask_session(log, said.messages, said.end, found_before, where=kept.path, again=again)

    def _may_ask(self, log: SessionLog) -> bool:
        """A session that a reader failed to read is asked about again when somebody wants that, or after a pause."""
        return (
            log.proposal_status != "failed"
            or self._wanted.failed
            or bool(self._wanted.ids)
            or is_due(log, self._ports.clock.now_ms())
        )


class _Said(NamedTuple):
    messages: tuple[SpokenText, ...]
    end: int
    """Characters of the rendered text."""


def _both(one: SessionResult, two: SessionResult) -> SessionResult:
    return two._replace(candidates=(*one.candidates, *two.candidates), error=two.error or one.error)


def _cues(log: SessionLog, where: str, said: _Said) -> CueOutcome:
    found = cued(said.messages, session=log.session_id, where=where, through=log.cues_through, said_at=_said_at(log))
    return CueOutcome(found, said.end)


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
        "asked": result.asked,
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
