"""Settles what hooks left behind: each turn gets one outcome, each session its log."""

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from time import perf_counter
from typing import Any, Final, NamedTuple

import cairn.journal as journal
from cairn.capture.new_text import told_before, told_lately
from cairn.capture.note import policy_of, record, write_turn
from cairn.capture.ports import CapturePorts
from cairn.capture.transcripts import segments, turns
from cairn.capture.turn_outcome import ATTEMPTS, failed, interruption
from cairn.changes.write import write_file
from cairn.core.fingerprint import marked
from cairn.core.isolate import item
from cairn.core.model.session import HOSTS, CapturedBy, Host, ToolCall, TurnFacts, TurnOutcome, TurnRequest, TurnResult
from cairn.core.paths import LEDGER
from cairn.core.ports.ledger import LedgerEventRow
from cairn.core.ports.turns import Transcript, TurnRow, key_ms
from cairn.errors import CairnError, CannotWrite, Conflict, StoreLocked
from cairn.hook import open_turns
from cairn.hook.aside import SPOOL, log, read_small
from cairn.lib.text.parse_json import parse_json

AT_ONCE: Final = 200
PAUSE_MS: Final = 300_000
"""Between two tries of one turn that count."""
LATE_MS: Final = 5_000
"""So long after a turn its host may still be writing it down."""
LATE: Final = ("transcript_missing", "turn_not_in_transcript", "answer_not_in_transcript")
"""Hosts call the hook before they write: what is missing now may be there in a moment. Looked for at each step."""
_CHUNK: Final = 1024 * 1024
_LONGEST: Final = 64 * _CHUNK
"""Bytes of a transcript that one turn may take."""
_EARLIER: Final = 16 * _CHUNK
"""So much before a turn is looked at for what Cairn told in earlier ones."""
_FILES: Final = 12


def settle_turns(ports: "CapturePorts", *, limit: int = AT_ONCE) -> list[TurnResult]:
    """What became of each turn of this work tree that waited. One that cannot be read now is tried again later."""
    return _settle(ports, limit)


def settle_abandoned(ports: "CapturePorts", *, limit: int = AT_ONCE) -> list[TurnResult]:
    """Turns that a prompt began and whose host never said that they ended: how they did, as far as anybody can tell."""
    return _settle(ports, limit, abandoned=True)


def _settle(ports: "CapturePorts", limit: int, *, abandoned: bool = False) -> list[TurnResult]:
    own = journal.identity_of(str(ports.root / LEDGER))
    if own is None:
        return []
    ports.index_ledger()
    waiting = [
        row for row in ports.store.turns.pending(journal.worktree_name(own), limit) if row.under_way or not abandoned
    ]
    now = ports.clock.now_ms()
    settled = [done for row in waiting if _is_due(row, now) or row.error in LATE for done in _isolated(ports, row)]
    if settled:
        ports.index_ledger()
    return settled


def has_late_turns(ports: "CapturePorts") -> bool:
    """Whether a turn that ended a moment ago is not in its transcript yet."""
    own = journal.identity_of(str(ports.root / LEDGER))
    if own is None:
        return False
    ports.index_ledger()
    now, waiting = ports.clock.now_ms(), ports.store.turns.pending(journal.worktree_name(own), AT_ONCE)
    return any(row.error in LATE and _is_late(row, now) for row in waiting)


def _isolated(ports: "CapturePorts", row: TurnRow) -> list[TurnResult]:
    """One that Cairn fails on is tried again like one that cannot be read, and others do not wait for it."""
    with item(f"turn {row.turn_id}"):
        return list(_settled(ports, row))
    return list(_missed(ports, row, "internal_error"))


def _is_due(row: TurnRow, now_ms: int) -> bool:
    tried = key_ms(row.tried_by)
    return tried is None or now_ms - tried >= PAUSE_MS


def _is_late(row: TurnRow, now_ms: int) -> bool:
    return now_ms - (row.told_at_ms or 0) <= LATE_MS


def _settled(ports: "CapturePorts", row: TurnRow) -> Iterator[TurnResult]:
    host = next((host for host in HOSTS if host == row.host), None)
    if host is None:
        return
    seen = _read(ports, row, host) if row.transcript else _Seen()
    if row.under_way:
        yield from _begun(ports, row, seen)
    elif seen.facts is not None and seen.facts.ending == "unfinished" and _is_late(row, ports.clock.now_ms()):
        yield from _missed(ports, row, "answer_not_in_transcript")
    elif seen.facts is not None:
        yield _written(ports, row, seen, seen.facts)
    elif not row.transcript and _named_tools(row):  # somebody said what they saw
        yield write_turn(ports, _request(ports, row, None), automatic=True)
    elif not row.transcript:
        yield from _failed(ports, row, "transcript_missing", ATTEMPTS)  # the host named none, and never will
    else:
        yield from _missed(ports, row, "turn_not_in_transcript" if seen.head else "transcript_missing")


def _begun(ports: "CapturePorts", row: TurnRow, seen: "_Seen") -> Iterator[TurnResult]:
    """Only its prompt is known. It may be under way; it may have ended as the transcript says; or its host is gone."""
    opened = open_turns.read(str(ports.root), row.host, row.session)
    alive = opened.get("turn") == row.turn_id and open_turns.is_under_way(opened)
    ending = seen.facts.ending if seen.facts else "unfinished"
    if alive and ending in ("answered", "unfinished"):
        return
    if ending == "answered" and seen.facts is not None:
        yield _written(ports, row, seen, seen.facts)
    elif ending == "error":
        yield from _failed(ports, row, "model_error", ATTEMPTS)
    else:
        yield from _interrupted(ports, row, "interrupted" if ending == "interrupted" else "no_answer")


def _written(ports: "CapturePorts", row: TurnRow, seen: "_Seen", facts: TurnFacts) -> TurnResult:
    given = {*told_lately(ports.root), *marked(seen.head), *seen.told}
    return write_turn(ports, _request(ports, row, facts), automatic=True, recalled=given)


def _missed(ports: "CapturePorts", row: TurnRow, error: str) -> Iterator[TurnResult]:
    """Only the last attempt is an outcome; one before its time does not count."""
    if _is_due(row, ports.clock.now_ms()):
        yield from _failed(ports, row, error, row.attempts + 1)


def _failed(ports: "CapturePorts", row: TurnRow, error: str, attempt: int) -> Iterator[TurnResult]:
    event = failed(_request(ports, row, None), error, attempt=attempt, policy=policy_of(ports))
    record(ports, [event], began=perf_counter())
    if event[0] == "turn_failed":
        yield TurnResult(row.turn_id, TurnOutcome.FAILED, error)


def _interrupted(ports: "CapturePorts", row: TurnRow, why: str) -> Iterator[TurnResult]:
    record(ports, [interruption(_request(ports, row, None), why, policy=policy_of(ports))], began=perf_counter())
    yield TurnResult(row.turn_id, TurnOutcome.INTERRUPTED, why)


# --- the transcript -------------------------------------------------------------------------------------------------


class _Seen(NamedTuple):
    """A turn in its transcript; nothing where it is not there, or cannot be read."""

    facts: TurnFacts | None = None
    head: bytes = b""
    told: frozenset[str] = frozenset()
    """Fingerprints of what Cairn said before it."""


def _read(ports: "CapturePorts", row: TurnRow, host: Host) -> _Seen:
    head = b""
    try:
        source = ports.transcripts.open(Path(os.path.expanduser(row.transcript)), host, row.session)
        head = b"".join(_limited(source.chunks(), _CHUNK // 4))
        facts = _facts(row, host, source)
        if facts is None:
            return _Seen(None, head)
        begin = max(0, facts.start - _EARLIER)
        told = told_before(_limited(source.chunks(begin), facts.end - begin), facts.end - begin)
    except (OSError, CairnError):
        return _Seen(None, head)
    return _Seen(facts, head, frozenset(told))


def _facts(row: TurnRow, host: Host, source: Transcript) -> TurnFacts | None:
    """From where the pointer says, a little before it, so that the reader finds the beginning of a line."""
    start = max(0, (row.start or 0) - 1)
    data = _limited(source.chunks(start), _LONGEST)
    if start:
        first = next(data, b"")
        cut = first.find(b"\n") + 1
        data, start = _joined(first[cut:], data), start + cut
    for found in turns(host, row.session, segments(host, data, start=start)):
        if row.message_id in ("", found.message_id):
            return found
    return None


def _joined(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield from rest


def _limited(chunks: Iterator[bytes], length: int) -> Iterator[bytes]:
    for data in chunks:
        yield data[:length]
        length -= len(data)
        if length <= 0:
            return


# --- the request ----------------------------------------------------------------------------------------------------


def _request(ports: "CapturePorts", row: TurnRow, facts: TurnFacts | None) -> TurnRequest:
    tools = facts.tools if facts else _named_tools(row)
    context = {"host": row.host, "stage": row.stage, "project": row.project, "source_message_id": row.message_id}
    return TurnRequest(
        turn_id=row.turn_id,
        source=row.source,
        agent=row.agent,
        summary=facts.answered if facts else None,
        session=row.session or None,
        turn_number=row.turn_number,
        evidence=tuple(_evidence(ports.root, tools)),
        tags=(row.host, "tool-use" if tools else "no-tool-use"),
        tools=tools,
        context={name: value for name, value in context.items() if value},
        occurred_at=facts.at if facts else None,
    )


def _named_tools(row: TurnRow) -> tuple[ToolCall, ...]:
    """All that a hook without a transcript knows."""
    import json

    names = [name for name in json.loads(row.tools) if isinstance(name, str)]
    return tuple(ToolCall(name, ok=False if n < row.tool_errors else None) for n, name in enumerate(names))


def _evidence(root: Path, tools: tuple[ToolCall, ...]) -> Iterator[str]:
    """Files of the repository by their path in it; others are nobody's business."""
    names = list(dict.fromkeys(tool.name for tool in tools))
    if names:
        yield f"tools:{'|'.join(names)}"
    if failures := sum(tool.ok is False for tool in tools):
        yield f"tool_errors:{failures}"
    shown: set[str] = set()
    for tool in tools:
        path = PurePosixPath(tool.target)
        if len(shown) < _FILES and "/" in tool.target and (not path.is_absolute() or path.is_relative_to(root)):
            name = str(path.relative_to(root) if path.is_absolute() else path)
            if ".." not in path.parts and name not in shown:
                shown.add(name)
                yield f"file:{name}"


SPOOLED: Final = 200
"""Events about sessions that are looked at, the newest first; who has more waiting has waited for months."""
PASSING: Final = (CannotWrite, StoreLocked, OSError)
PATIENCE_MS: Final = 86_400_000
"""A full disk gets room again, so for a day a session that could not be written is tried again."""
DONE: Final = f"{SPOOL}/sessions.json"
LEFT_MS: Final = 1_800_000
"""A session in which nothing happened for so long was left, by a closed window or a kill."""


class _Session(NamedTuple):
    host: str
    session: str
    transcript: str
    reason: CapturedBy
    rows: list[LedgerEventRow]
    """The events that told of it, the newest first."""


def capture_spooled(ports: CapturePorts) -> int:
    """Each session that a hook spoke of since the last time, once; how many logs are new or longer now.
    Raises the first problem that may pass, after the other sessions: the caller must not report success."""
    done = _known_done(ports.root)
    captured = 0
    waiting: list[Exception] = []
    for one in _waiting(ports, frozenset(done)):
        young = ports.clock.now_ms() - one.rows[0].at_ms < PATIENCE_MS
        try:
            captured += _captured_alone(ports, one)
        except _Broken:
            if young:
                continue  # named by the caller, and tried again with the next step, perhaps by a newer Cairn
        except Conflict:
            continue  # somebody else is at this session; the next step finds it again
        except (CairnError, OSError) as problem:
            if isinstance(problem, PASSING) and young:
                waiting.append(problem)
                continue
            log(str(ports.root), "drain", "sessions", str(problem))
        done += [row.id for row in one.rows]
        write_file(ports.root, DONE, json.dumps(done[-4 * SPOOLED :]) + "\n", mode=0o600)
    if waiting:
        raise waiting[0]
    return captured


class _Broken(Exception):
    """Cairn failed on this session; others must not wait for it."""


def _captured_alone(ports: CapturePorts, one: _Session) -> int:
    with item(f"session {one.session}"):
        return _capture(ports, one)
    raise _Broken


def _capture(ports: CapturePorts, one: _Session) -> int:
    from cairn.capture.capture_session import capture_session

    host = next((host for host in HOSTS if host == one.host), None)
    if host is None or not one.transcript:
        return 0
    place = Path(os.path.expanduser(one.transcript))
    return int(capture_session(ports, host, one.session, place, one.reason).changed)


def _waiting(ports: CapturePorts, done: frozenset[str]) -> list[_Session]:
    ended = _by_session(_told(ports, "session_spooled"))
    found = [
        one._replace(rows=new) for one in ended.values() if (new := [row for row in one.rows if row.id not in done])
    ]
    return found + [one for one in _left(ports, ended) if one.rows[0].id not in done]


def _left(ports: CapturePorts, ended: Mapping[tuple[str, str], _Session]) -> Iterator[_Session]:
    """Sessions with turns after the last word about their end. Only the last turn counts: it has all before it."""
    now = ports.clock.now_ms()
    for key, one in _by_session(_told(ports, "turn_eligible")).items():
        last = one.rows[0]
        if (
            now - last.at_ms >= LEFT_MS
            and one.transcript
            and not (key in ended and ended[key].rows[0].at_ms >= last.at_ms)
        ):
            yield one._replace(reason="stop", rows=[last])


def _by_session(rows: list[LedgerEventRow]) -> dict[tuple[str, str], _Session]:
    found: dict[tuple[str, str], _Session] = {}
    for row in rows:
        told: Mapping[str, Any] = json.loads(row.payload)
        host, session = str(told.get("host") or ""), str(told.get("session") or "")
        reason: CapturedBy = "pre_compact" if told.get("reason") == "pre_compact" else "session_end"
        new = _Session(host, session, str(told.get("transcript") or ""), reason, [])
        found.setdefault((host, session), new).rows.append(row)
    return found


def _told(ports: CapturePorts, type: str) -> list[LedgerEventRow]:
    """Newest first, and of this work tree only: ledgers of others may have been collected."""
    from cairn.core.ledger_events import events_of

    own = journal.identity_of(str(ports.root / LEDGER))
    if own is None:
        return []
    ports.index_ledger()
    name = journal.worktree_name(own)
    rows = events_of(ports.ledger, ports.store, types=(type,), limit=SPOOLED)
    return [row for row in rows if row.worktree == name]


def _known_done(root: Path) -> list[str]:
    try:
        known = parse_json(read_small(str(root / DONE), 1024 * 1024))
    except ValueError:
        return []
    return [str(id) for id in known] if isinstance(known, list) else []
