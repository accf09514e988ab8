"""Decides whether questions are read now: where the operator agreed to it, once after each session, and in no turn."""

import json
from typing import Final

from cairn.changes.write import write_file
from cairn.core.session_log import sessions
from cairn.hook import open_turns
from cairn.hook.aside import SPOOL, read_small
from cairn.journal import iso_utc
from cairn.lib.text.parse_json import parse_json
from cairn.workspace.ports import WorkspacePorts
from cairn.workspace.single_process import alone

MOST: Final = 20
"""Questions after one session."""
STAMP: Final = f"{SPOOL}/judged.json"
_EVENTS: Final = 50
"""About sessions, the newest."""
_LOCK: Final = f"{SPOOL}/judge.lock"
"""Another one than that of the detached step: reading takes minutes, and turns are settled meanwhile."""


def read_after_session(ports: WorkspacePorts) -> int:
    """How many questions were answered. Marked as done before it begins: a reader that fails is asked again after the
    next session, not after each turn."""
    if ports.settings.text("judge.when") != "session-end" or not ports.waiting_counts():
        return 0
    ended = _last_end(ports)
    if ended <= _read_until(ports) or open_turns.any_under_way(str(ports.root)):
        return 0
    with alone(ports.root / _LOCK) as is_alone:
        if not is_alone:
            return 0
        write_file(ports.root, STAMP, json.dumps({"ended": ended}) + "\n", mode=0o600)
        return ports.read_waiting(MOST)


def _last_end(ports: WorkspacePorts) -> str:
    """Of the sessions whose host reported the end, and of those that were left. One that was compacted goes on."""
    from cairn.core.ledger_events import events_of

    ports.index_ledger()
    rows = events_of(ports.ledger, ports.store, types=("session_spooled",), limit=_EVENTS)
    ends = [iso_utc(row.at_ms) for row in rows if json.loads(row.payload).get("reason") != "pre_compact"]
    logs = (kept.log for kept in sessions(ports.session_logs()))
    left = [log.updated_at or log.captured_at for log in logs if log.captured_by == "stop"]
    return max([*ends, *left], default="")


def _read_until(ports: WorkspacePorts) -> str:
    try:
        known = parse_json(read_small(str(ports.root / STAMP), 4096))
    except ValueError:
        return ""
    return str(known.get("ended") or "") if isinstance(known, dict) else ""
