"""The logs of sessions that a workspace keeps: which there are, what is in one, and when they go."""

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Final

from cairn.capture.ports import CapturePorts
from cairn.changes.write import write_file
from cairn.core.model.session import SessionLog
from cairn.core.session_log import (
    KeptSession,
    last_time,
    safe_id,
    sessions,
)
from cairn.journal import iso_utc

# --- when they go ---------------------------------------------------------------------------------------------------


def sweep_sessions(ports: CapturePorts, *, asked: bool = False) -> list[str]:
    """Take away logs to which nothing was added for longer than the settings say, curated or not, and name them."""
    logs = ports.session_logs()
    return [one.path for one in old_logs(ports, asked=asked) if logs.remove(one.name)]


def old_logs(ports: CapturePorts, *, asked: bool = False) -> list[KeptSession]:
    """What an older program left may wait for longer than that, and it never promised to forget it: such logs go once
    they are curated, or when somebody asks for it by `cairn forget`."""
    days = min(ports.settings.integer("capture.session_days"), 100_000)
    limit = iso_utc(max(0, ports.clock.now_ms() - days * 86_400_000))
    found = [one for one in sessions(ports.session_logs()) if last_time(one.log) < limit]
    return [one for one in found if asked or not _waits_since_before(one.log)]


def _waits_since_before(log: SessionLog) -> bool:
    nothing = log.proposal_status == "skipped" or (log.proposal_status == "done" and _had_nothing_to_say(log))
    return log.host is None and log.curator_processed_at is None and not nothing


def _had_nothing_to_say(log: SessionLog) -> bool:
    """Cairn looked at it, and found no candidate whose tags would be its topics."""
    return log.proposal_tried_at is not None and not log.topics


FORGOTTEN: Final = ".cairn/forgotten.json"
NEVER: Final = -1
"""Nothing of it is ever read again."""


def barred_through(root: Path, session: str) -> int:
    """Up to which byte of its transcript nothing is to be read; 0 for most sessions, `NEVER` for no byte at all."""
    return _known(root).get(_key(session), 0)


def bar(root: Path, sessions: Mapping[str, int]) -> None:
    if sessions:
        known = _known(root)
        for session, through in sessions.items():
            before = known.get(_key(session), 0)
            known[_key(session)] = NEVER if NEVER in (before, through) else max(before, through)
        write_file(root, FORGOTTEN, json.dumps({"v": 1, "sessions": known}, indent=1) + "\n", mode=0o600)


def _key(session: str) -> str:
    return sha256(safe_id(session).encode("utf-8", "surrogatepass")).hexdigest()


def _known(root: Path) -> dict[str, int]:
    try:
        said = json.loads((root / FORGOTTEN).read_bytes())["sessions"]
        return {str(key): int(through) for key, through in said.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}
