"""Capturing a session: what its host's transcript says that the log doesn't, scrubbed, and added to the log."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, Final, Literal, NamedTuple

from cairn.capture.new_text import (
    CURSORY,
    NewText,
    SpeakerCounts,
    digest,
    gather,
    heard,
    is_cursory,
    is_statement,
    told_before,
    told_lately,
)
from cairn.capture.ports import CapturePorts
from cairn.capture.retention import FORGOTTEN, NEVER, barred_through
from cairn.capture.transcripts import Tally, segments
from cairn.capture.transcripts.lines import sniff
from cairn.core.model.session import CapturedBy, Host, ProposalStatus, SessionLog
from cairn.core.ports.turns import SessionLogs, Transcript
from cairn.core.session_log import (
    BETWEEN,
    LOCK_TTL_MS,
    LOCK_WAIT_MS,
    PLACEHOLDER,
    PROPOSAL,
    Head,
    SpokenText,
    block,
    head_bytes,
    head_of,
    id_of,
    last_block,
    log_name,
    part_block,
    pieces,
    safe_id,
    spoken,
    text_span,
)
from cairn.errors import UsageError
from cairn.journal import iso_utc

CaptureStatus = Literal["created", "grown", "rewritten", "unchanged", "no-content", "blocked", "forgotten"]
_LAST_WORDS: Final = 512 * 1024
_COPY: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class CaptureResult:
    host: Host
    session: str
    status: CaptureStatus
    log: str | None = None
    """Path from the root of the workspace."""
    segments: int = 0
    chars: int = 0
    """What was added."""
    redactions: Mapping[str, int] = field(default_factory=dict)
    cursory: bool = False
    remarks: tuple[str, ...] = ()

    @property
    def changed(self) -> bool:
        return self.status in ("created", "grown", "rewritten")


def capture_session(
    ports: CapturePorts, host: Host, session: str, transcript: Path, captured_by: CapturedBy = "manual"
) -> CaptureResult:
    """Bring the log of a session up to date with its transcript. Doing it twice is doing it once."""
    if not session.strip():
        raise UsageError("The session has no id, so nobody could find its log again; name one with --session.")
    logs = ports.session_logs()
    barred = barred_through(ports.root, session)
    if barred == NEVER:
        return CaptureResult(
            host, session, "forgotten", remarks=(f"it was forgotten; {FORGOTTEN} keeps it from coming back",)
        )
    source = ports.transcripts.open(transcript, host, session)
    id = safe_id(session)
    with ports.locks.hold(f"session-{id}", ttl_ms=LOCK_TTL_MS, wait_ms=LOCK_WAIT_MS):
        work = _Capture(ports, logs, host, session, source, captured_by, barred)
        captured = work.run(_known(logs, id, host))
    if captured.changed or captured.status == "blocked":
        _record(ports, captured, captured_by)
    return captured


def _known(logs: SessionLogs, id: str, host: Host) -> tuple[str, Head] | None:
    """The log of this session, if there is one already."""
    for name in reversed(logs.names()):
        if id_of(name) == id and (head := head_of(logs, name)) and head.log.host in (host, None):
            return name, head
    return None


def _record(ports: CapturePorts, captured: CaptureResult, reason: CapturedBy) -> None:
    from cairn.graph.run_scan import append

    payload = {
        "host": captured.host,
        "session": captured.session[:200],
        "log": captured.log,
        "reason": reason,
        "segments": captured.segments,
        "chars": captured.chars,
        "status": captured.status,
        "redactions": sum(captured.redactions.values()),
    }
    append(ports, "session_captured", payload)


class _Begin(NamedTuple):
    """Where to go on, and why there."""

    status: CaptureStatus
    start: int = 0
    part: int = 1
    known: frozenset[bytes] = frozenset()


class _Blocked(Exception):
    """Something could not be scrubbed, so nothing of it is kept."""


class _Capture:
    def __init__(
        self,
        ports: CapturePorts,
        logs: SessionLogs,
        host: Host,
        session: str,
        source: Transcript,
        captured_by: CapturedBy,
        barred: int = 0,
    ) -> None:
        self._logs, self._host, self._session, self._source = logs, host, session, source
        self._captured_by = captured_by
        self._barred = barred
        self._now = iso_utc(ports.clock.now_ms())
        self._room = ports.settings.integer("capture.session_max_bytes")
        self._tally = Tally()
        self._told = told_lately(ports.root)

    def run(self, before: tuple[str, Head] | None) -> CaptureResult:
        begin = self._begin(before)
        if begin.status == "rewritten" and self._barred and before:
            why = "its host rewrote it, and something in it was forgotten, so nothing more of it is read"
            return CaptureResult(self._host, self._session, "unchanged", self._path(before[0]), remarks=(why,))
        before = (before[0], self._counted(*before)) if before else None
        with self._logs.scratch() as spool:
            try:
                gathered = self._gather(begin, before, spool)
            except _Blocked as blocked:
                return CaptureResult(self._host, self._session, "blocked", remarks=(str(blocked),))
            if not gathered.segments:
                return self._nothing_new(before, gathered)
            return self._write(begin, before, gathered, spool)

    # --- what is new ---------------------------------------------------------------------------------------------

    def _begin(self, before: tuple[str, Head] | None) -> _Begin:
        if before is None:
            return _Begin("created", self._barred)
        name, head = before
        log = head.log
        if log.read_through and self._source.check(log.read_through) == log.read_check:
            known = self._last_known(name, head) if self._host == "codex" else frozenset()
            return _Begin("grown", max(log.read_through, self._barred), log.parts, known)
        return _Begin("rewritten", 0, log.parts + 1, self._all_known(name, head))

    def _counted(self, name: str, head: Head) -> Head:
        """A log that something older than Cairn wrote, with what Cairn would have written about it."""
        if head.log.transcript_bytes:
            return head
        text = b"".join(pieces(self._logs, name, *text_span(self._logs, name, head))).decode("utf-8", "replace")
        said = SpeakerCounts()
        for role, words in spoken(text):
            said = said.more(role, words)
        # What was proposed from it counts as looked at, although such a log does not say how far.
        seen = len(text) if head.log.proposal_status == "done" else head.log.curated_through
        log = replace(head.log, transcript_chars=len(text), curated_through=seen, cues_through=seen, **said._asdict())
        return head._replace(log=log)

    def _last_known(self, name: str, head: Head) -> frozenset[bytes]:
        """Codex tells the agent's last words once more when a task ends, which may be after we looked."""
        start, end = text_span(self._logs, name, head)
        words = self._logs.read(name, max(start, end - _LAST_WORDS), end).decode("utf-8", "replace")
        return frozenset((digest(last_block(words)),))

    def _all_known(self, name: str, head: Head) -> frozenset[bytes]:
        text = b"".join(pieces(self._logs, name, *text_span(self._logs, name, head))).decode("utf-8", "replace")
        return frozenset(digest(block(role, words)) for role, words in spoken(text))

    def _gather(self, begin: _Begin, before: tuple[str, Head] | None, spool: BinaryIO) -> NewText:
        log = before[1].log if before else None
        gathered = NewText(SpeakerCounts(log.user_turns, log.user_chars, log.agent_chars) if log else SpeakerCounts())
        encoding = sniff(next(self._source.chunks(), b"")[:4])
        recalled = {*self._told, *(told_before(self._source.chunks(), begin.start) if begin.start else ())}
        chunks = heard(self._source.chunks(begin.start), recalled)
        found = segments(self._host, chunks, tally=self._tally, start=begin.start, encoding=encoding)
        lead = (BETWEEN + part_block(begin.part)).encode() if begin.status == "rewritten" else b""
        room = self._room - (log.transcript_bytes if log else 0) - len(lead)
        first = log is None
        for piece in gather(
            found, lambda text: _kept(text, recalled), gathered, room=room, known=begin.known, first=first
        ):
            spool.write(lead + piece)
            gathered.characters += len(lead.decode())
            lead = b""
        return gathered

    def _through(self, gathered: NewText) -> int:
        return self._tally.through if gathered.full_at is None else gathered.full_at

    def _remarks(self, begin: _Begin | None, gathered: NewText) -> tuple[str, ...]:
        said = self._tally.remarks()
        if begin is not None and begin.status == "rewritten":
            said.append(f"its host rewrote it; part {begin.part} of the log holds what was not there yet")
        if gathered.full_at is not None:
            said.append(f"its log is full ({self._room:,} bytes); what follows is not kept")
        return tuple(said)

    def _nothing_new(self, before: tuple[str, Head] | None, gathered: NewText) -> CaptureResult:
        remarks = self._remarks(None, gathered)
        if before is None:
            return CaptureResult(self._host, self._session, "no-content", remarks=remarks)
        return CaptureResult(
            self._host,
            self._session,
            "unchanged",
            self._path(before[0]),
            cursory=_is_skipped(before[1]),
            remarks=remarks,
        )

    # --- the log -------------------------------------------------------------------------------------------------

    def _write(
        self, begin: _Begin, before: tuple[str, Head] | None, gathered: NewText, spool: BinaryIO
    ) -> CaptureResult:
        through = self._through(gathered)
        name = before[0] if before else log_name(self._now, safe_id(self._session))
        span = text_span(self._logs, *before) if before else (0, 0)
        taught = is_cursory(gathered.said) and self._may_teach(name, span, spool, gathered)
        log = self._next_log(begin, before[1].log if before else None, gathered, taught)
        log = replace(
            log,
            read_through=through,
            read_check=self._source.check(through) or "",
            transcript_hash=self._hash(name, span, spool),
            transcript_bytes=span[1] - span[0] + spool.tell(),
        )
        self._logs.write(name, self._content(name, before[1] if before else None, log, span, spool))
        return CaptureResult(
            self._host,
            self._session,
            begin.status,
            self._path(name),
            gathered.segments,
            gathered.characters,
            gathered.redactions,
            _is_cursory(log),
            self._remarks(begin, gathered),
        )

    def _may_teach(self, name: str, span: tuple[int, int], spool: BinaryIO, gathered: NewText) -> bool:
        """Whether the person told the agent something rather than had something done: they asked to keep it, or it is a
        statement that the agent answered without using a tool. The whole text is short: it was called cursory."""
        from cairn.core.cues import kept

        told = gathered.outside_from is None and gathered.said.agent_chars > 0
        text = b"".join([*pieces(self._logs, name, *span), *_spooled(spool)]).decode("utf-8", "replace")
        asked = [words for role, words in spoken(text) if role == "user"]
        return any((told and is_statement(words)) or kept(SpokenText("user", words)) is not None for words in asked)

    def _next_log(self, begin: _Begin, old: SessionLog | None, gathered: NewText, taught: bool) -> SessionLog:
        said, redactions = gathered.said, sum(gathered.redactions.values())
        log = old or SessionLog(safe_id(self._session), self._host, self._captured_by, self._now, "")
        status, error = _next_status(old, said, taught)
        return replace(
            log,
            host=self._host,
            captured_by=self._captured_by,
            updated_at=self._now,
            proposal_status=status,
            proposal_error=error,
            secret_scan_status="redacted" if redactions or log.secret_scan_status == "redacted" else "clean",
            transcript_chars=log.transcript_chars + gathered.characters,
            parts=begin.part,
            user_turns=said.user_turns,
            user_chars=said.user_chars,
            agent_chars=said.agent_chars,
            redactions=log.redactions + redactions,
            outside_from=_outside_from(old, gathered),
        )

    def _hash(self, name: str, span: tuple[int, int], spool: BinaryIO) -> str:
        found = sha256()
        for piece in pieces(self._logs, name, *span):
            found.update(piece)
        end = spool.tell()
        for piece in _spooled(spool):
            found.update(piece)
        assert spool.tell() == end
        return f"sha256:{found.hexdigest()}"

    def _content(
        self, name: str, before: Head | None, log: SessionLog, span: tuple[int, int], spool: BinaryIO
    ) -> Iterator[bytes]:
        yield head_bytes(log, before.values if before else None)
        yield from pieces(self._logs, name, *span)
        yield from _spooled(spool)
        if before is None:
            yield PROPOSAL + PLACEHOLDER
        else:
            yield from pieces(self._logs, name, span[1], self._logs.size(name))

    def _path(self, name: str) -> str:
        return f"{self._logs.place}/{name}"


def _spooled(spool: BinaryIO) -> Iterator[bytes]:
    spool.seek(0)
    while piece := spool.read(_COPY):
        yield piece


def _kept(text: str, recalled: set[str]) -> tuple[str, dict[str, int]]:
    """What of a message goes into the log."""
    from cairn.core.fingerprint import without_recalled
    from cairn.lib.scrub.find import redact_kept

    try:
        redacted = redact_kept(without_recalled(text, recalled) if recalled else text)
    except Exception as error:
        raise _Blocked(f"a message could not be scrubbed ({type(error).__name__}), so nothing was written") from error
    return redacted.text, redacted.counts


def _outside_from(old: SessionLog | None, gathered: NewText) -> int | None:
    """Where the agent first saw what a tool printed."""
    if old is not None and old.outside_from is not None:
        return old.outside_from
    if gathered.outside_from is None:
        return None
    return (old.transcript_chars if old else 0) + gathered.outside_from


def _next_status(old: SessionLog | None, said: SpeakerCounts, taught: bool) -> tuple[ProposalStatus, str | None]:
    """What is new is proposed from next; what failed is left to whoever tries it again."""
    if is_cursory(said) and not taught:
        return "skipped", CURSORY
    if old is not None and old.proposal_status == "failed":
        return "failed", old.proposal_error
    return "pending", None


def _is_cursory(log: SessionLog) -> bool:
    return log.proposal_error == CURSORY


def _is_skipped(head: Head) -> bool:
    return _is_cursory(head.log)


def captured_value(captured: CaptureResult) -> dict[str, Any]:
    """As JSON."""
    return {
        "host": captured.host,
        "session": captured.session,
        "status": captured.status,
        "log": captured.log,
        "segments": captured.segments,
        "chars": captured.chars,
        "redactions": dict(captured.redactions),
        "cursory": captured.cursory,
        "remarks": list(captured.remarks),
    }
