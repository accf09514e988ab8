"""The logs of sessions that a workspace keeps: which there are, what is in one, and when they go."""

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from cairn.adapters.sessions.files import FileSessions
from cairn.capture.ports import CapturePorts
from cairn.changes.write import write_file
from cairn.config.tracked import by_git
from cairn.core.isolate import item
from cairn.core.model.session import SessionLog
from cairn.core.paths import OLD_BASE, OLD_LOGS, SESSIONS
from cairn.core.ports.application import HasFiles, HasRoot
from cairn.core.ports.sessions import SessionLogs
from cairn.core.session_log import HEAD_LIMIT, PROPOSAL, Head, id_of, read_head, safe_id, text_end
from cairn.errors import LocalFileTracked, NotFound, UsageError
from cairn.journal import iso_utc

_PIECE: Final = 1 << 20


class Kept(NamedTuple):
    """A log that is there."""

    name: str
    path: str
    """From the root of the workspace."""
    log: SessionLog


class KeepsSessions(HasRoot, HasFiles, Protocol):
    """Where logs of sessions are."""


def logs_of(ports: KeepsSessions) -> SessionLogs:
    """In `.cairn`, or with the logs of an older knowledge base, where there is one."""
    old = f"{OLD_BASE}/_sessions"
    place = old if ports.files.exists(f"{OLD_BASE}/.state/installed-version") or ports.files.exists(old) else SESSIONS
    if tracked := by_git(ports.root)([place]):
        names = " ".join(sorted(tracked))
        raise LocalFileTracked(
            f"git tracks {place}, and what was said in sessions must stay on this machine; look at it, then run "
            f"`git rm -r --cached -- {place}` and commit ({names[:200]})",
            files=sorted(tracked),
        )
    return FileSessions(ports.root, place)


def run_logs(ports: KeepsSessions, kind: str) -> str:
    """The folder for what models answered, a file a run."""
    return f"{OLD_LOGS}/{kind}" if ports.files.exists(OLD_LOGS) else f".cairn/log/{kind}"


def sessions(logs: SessionLogs) -> list[Kept]:
    """All that can be read, newest first."""
    return [one for name in reversed(logs.names()) if (one := _kept(logs, name)) is not None]


class SessionPage(NamedTuple):
    sessions: list[Kept]
    total: int
    """That fit."""
    kept: int
    """That are there."""


def list_sessions(
    logs: SessionLogs, *, status: str | None, host: str | None, limit: int, offset: int = 0
) -> SessionPage:
    """Newest first. Without a condition only the logs that are shown are opened."""
    names = logs.names()[::-1]
    if status is None and host is None:
        shown = [one for name in names[offset : offset + limit] if (one := _kept(logs, name)) is not None]
        return SessionPage(shown, len(names), len(names))
    found = [
        one for one in sessions(logs) if status in (None, one.log.proposal_status) and host in (None, one.log.host)
    ]
    return SessionPage(found[offset : offset + limit], len(found), len(names))


def _kept(logs: SessionLogs, name: str) -> Kept | None:
    head = head_of(logs, name)
    return None if head is None else Kept(name, f"{logs.place}/{name}", head.log)


def head_of(logs: SessionLogs, name: str) -> Head | None:
    """None of a log that cannot be read, whatever it is about it."""
    with item(f"{logs.place}/{name}"):
        return read_head(logs.read(name, 0, 64 * 1024)) or read_head(logs.read(name, 0, HEAD_LIMIT))
    return None


def session_named(logs: SessionLogs, wanted: str) -> Kept:
    """By its id, the beginning of its id, or the name of its file."""
    known = sessions(logs)
    exact = [one for one in known if wanted in (one.log.session_id, one.name, one.path)]
    close = exact or [one for one in known if wanted and (id_of(one.name) or "").startswith(wanted)]
    if len(close) == 1:
        return close[0]
    if close:
        ids = ", ".join(one.log.session_id for one in close[:5])
        raise UsageError(f"`{wanted}` could be one of {len(close)} sessions ({ids}); name more of its id")
    raise NotFound(f"There is no log of a session `{wanted}`; `cairn session list` shows those that there are.")


# --- what is in one -------------------------------------------------------------------------------------------------


def text_span(logs: SessionLogs, name: str, head: Head) -> tuple[int, int]:
    """Where the rendered text stands in the file. Where the head doesn't tell, because somebody edited the log or
    something older wrote it, it ends at the last heading that may end it."""
    size = logs.size(name)
    named = head.length + head.log.transcript_bytes
    end = text_end(head, size, logs.read(name, named, named + len(PROPOSAL)))
    if end is None:
        data = logs.read(name, head.length, size)
        cut = data.rfind(PROPOSAL.rstrip())
        end = head.length + (len(data.rstrip()) if cut < 0 else cut)
    return head.length, end


def pieces(logs: SessionLogs, name: str, start: int, end: int) -> Iterator[bytes]:
    while start < end and (piece := logs.read(name, start, min(end, start + _PIECE))):
        yield piece
        start += len(piece)


def text_of(logs: SessionLogs, name: str) -> str:
    """The rendered text of a session."""
    head = head_of(logs, name)
    if head is None:
        return ""
    return b"".join(pieces(logs, name, *text_span(logs, name, head))).decode("utf-8", "replace")


# --- when they go ---------------------------------------------------------------------------------------------------


def sweep_sessions(ports: CapturePorts, *, asked: bool = False) -> list[str]:
    """Take away logs to which nothing was added for longer than the settings say, curated or not, and name them."""
    logs = logs_of(ports)
    return [one.path for one in old_logs(ports, asked=asked) if logs.remove(one.name)]


def old_logs(ports: CapturePorts, *, asked: bool = False) -> list[Kept]:
    """What an older program left may wait for longer than that, and it never promised to forget it: such logs go once
    they are curated, or when somebody asks for it by `cairn forget`."""
    days = min(ports.settings.integer("capture.session_days"), 100_000)
    limit = iso_utc(max(0, ports.clock.now_ms() - days * 86_400_000))
    found = [one for one in sessions(logs_of(ports)) if last_time(one.log) < limit]
    return [one for one in found if asked or not _waits_since_before(one.log)]


def _waits_since_before(log: SessionLog) -> bool:
    nothing = log.proposal_status == "skipped" or (log.proposal_status == "done" and _had_nothing_to_say(log))
    return log.host is None and log.curator_processed_at is None and not nothing


def _had_nothing_to_say(log: SessionLog) -> bool:
    """Cairn looked at it, and found no candidate whose tags would be its topics."""
    return log.proposal_tried_at is not None and not log.topics


def last_time(log: SessionLog) -> str:
    """Times of the same form, so that they can be compared as texts."""
    return log.updated_at or log.captured_at


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
