"""Sessions that hooks spoke of become logs: those that ended, and those that were left without an end."""

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from cairn.capture.ports import CapturePorts
from cairn.changes.write import write_file
from cairn.core.isolate import item
from cairn.core.model.session import HOSTS, CapturedBy
from cairn.core.ports.ledger import LedgerEventRow
from cairn.errors import CairnError, CannotWrite, Conflict, StoreLocked
from cairn.hook.aside import LEDGER, SPOOL, log, read_small
from cairn.lib.text.parse_json import parse_json

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
            captured += _isolated(ports, one)
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


def _isolated(ports: CapturePorts, one: _Session) -> int:
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
    from cairn import journal
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
