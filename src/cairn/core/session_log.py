"""The log of a session: its name, its head, the messages as text, and what came of it."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, fields, replace
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Final, NamedTuple, Protocol, get_args

from cairn.core.isolate import item
from cairn.core.model.session import HOSTS, CapturedBy, ProposalStatus, Role, ScanStatus, SessionLog
from cairn.core.paths import OLD_BASE, SESSIONS
from cairn.core.ports.application import HasFiles, KnowsTracked
from cairn.core.ports.turns import SessionLogs
from cairn.errors import LocalFileTracked, NotFound, UsageError
from cairn.lib.markdown.frontmatter import parse

SCHEMA_VERSION: Final = 1
TRANSCRIPT: Final = b"\n## Transcript\n\n"
PROPOSAL: Final = b"\n\n## Proposal\n\n"
PLACEHOLDER: Final = b"Nothing was proposed yet.\n"
QUOTE: Final = "'"
HEAD_LIMIT: Final = 4 * 1024 * 1024
"""Bytes in which the head of a log must end. Proposals stand in it."""

_CHOICES: Final[dict[str, tuple[Any, ...]]] = {
    "host": HOSTS,
    "captured_by": get_args(CapturedBy),
    "proposal_status": get_args(ProposalStatus),
    "secret_scan_status": get_args(ScanStatus),
}
_DEFAULTS: Final = {
    "host": None,
    "captured_by": "manual",
    "proposal_status": "pending",
    "secret_scan_status": "skipped",
}


class Head(NamedTuple):
    values: dict[str, Any]
    """Everything that stands in it, also what is not ours: it is written back as it was."""
    log: SessionLog
    length: int
    """Bytes, up to where the rendered text begins."""


def read_head(data: bytes) -> Head | None:
    """The head in the first bytes of a log; None when this is no log. Values of the wrong type count as missing."""
    end = data.find(TRANSCRIPT, 0, HEAD_LIMIT)
    parsed = parse(data[: end + 1].decode("utf-8", "replace")) if end >= 0 else None
    values = parsed.frontmatter if parsed else {}
    if not isinstance(values.get("session_id"), str) or not isinstance(values.get("captured_at"), str):
        return None
    return Head(values, _log(values), end + len(TRANSCRIPT))


def _log(values: Mapping[str, Any]) -> SessionLog:
    given: dict[str, Any] = {}
    for field in fields(SessionLog):
        value = values.get(field.name)
        if field.name in _CHOICES:
            given[field.name] = value if value in _CHOICES[field.name] else _DEFAULTS[field.name]
        elif field.name == "topics":
            given["topics"] = tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()
        elif field.name == "outside_from" and value is None and field.name in values:
            given["outside_from"] = None  # it says so: no tool was used yet
        elif isinstance(value, int) and not isinstance(value, bool) and "int" in str(field.type):
            given[field.name] = max(0, value)
        elif isinstance(value, str) and "str" in str(field.type):
            given[field.name] = value
    given.setdefault("transcript_hash", "")
    log = SessionLog(**given)
    return replace(log, proposal_status="pending", curated_through=0) if _was_read_by_rules(log) else log


def _was_read_by_rules(log: SessionLog) -> bool:
    """Whether Cairn's first build marked it as read without a reader: a reader leaves its answers, and this build the
    mark of cues."""
    has_mark = log.proposal_log or log.cues_through or log.cues_at
    return log.host is not None and log.proposal_status == "done" and not has_mark


def head_bytes(log: SessionLog, before: Mapping[str, Any] | None = None) -> bytes:
    """As it is written: what stood there before stays, where `log` has nothing newer to say."""
    from cairn.lib.yaml.write import inline

    values: dict[str, Any] = {"schema_version": SCHEMA_VERSION, **(before or {}), **asdict(log)}
    values["topics"] = list(log.topics)
    values.setdefault("proposals", {"practice": [], "map": []})
    # A time without quotes is no text to the program that older logs are from, and it passes over such a log.
    lines = [f"{key}: {inline(value, style=QUOTE if key.endswith('_at') else '')}" for key, value in values.items()]
    return "\n".join(("---", *lines, "---", "")).encode() + TRANSCRIPT


def text_end(head: Head, size: int, follows: bytes) -> int | None:
    """Where the rendered text ends, if what `follows` at the place that the head names is the next heading."""
    end = head.length + head.log.transcript_bytes
    return end if head.log.transcript_bytes and end <= size and follows.startswith(PROPOSAL.rstrip()) else None


_SAFE: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?", re.ASCII)
_UUID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE | re.ASCII)
_LOG: Final = re.compile(r"(\d{8}-\d{4})-([A-Za-z0-9][A-Za-z0-9._-]{0,99})\.md", re.ASCII)


def safe_id(session: str) -> str:
    """The id itself if it can be part of a file name, UUIDs in small letters; else a hash of it."""
    if _UUID.fullmatch(session):
        return session.lower()
    if _SAFE.fullmatch(session) and ".." not in session:
        return session
    return f"x-{sha256(session.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}"


def log_name(captured_at: str, id: str) -> str:
    """`20260504-1000-<id>.md`, in UTC."""
    digits = re.sub(r"\D", "", _utc(captured_at))
    return f"{digits[:8]}-{digits[8:12]}-{id}.md"


def _utc(at: str) -> str:
    """A time with an offset as the time that it is in UTC; anything else stays."""
    try:
        time = datetime.fromisoformat(at)
    except ValueError:
        return at
    return time.astimezone(UTC).isoformat() if time.tzinfo else at


def id_of(name: str) -> str | None:
    """The session that a log of this name is of; None when it is the name of something else."""
    found = _LOG.fullmatch(name)
    return found[2] if found else None


LABELS: Final[dict[Role, str]] = {"user": "[USER]: ", "assistant": "[AGENT]: "}
BETWEEN: Final = "\n\n"
_ROLES: Final[dict[str, Role]] = {"USER": "user", "AGENT": "assistant"}
_LOOKS_LIKE_A_LABEL: Final = re.compile(r"^(?=\[(?:USER|AGENT|PART \d+)\]:)", re.MULTILINE)
_LABEL: Final = re.compile(r"^\[(USER|AGENT|PART \d+)\]: ?", re.MULTILINE)


def block(role: Role, text: str) -> str:
    """What one side said. A line in it that looks like a label is moved by a space: a page that an agent quotes must
    not be able to speak as the user."""
    return LABELS[role] + _LOOKS_LIKE_A_LABEL.sub(" ", text)


def part_block(number: int) -> str:
    return f"[PART {number}]: the host rewrote its transcript; what follows was not in the log yet"


def spoken(text: str) -> Iterator[tuple[Role, str]]:
    """Who said what in a rendered text, again."""
    return ((role, words) for role, words, _ in spoken_at(text))


def spoken_at(text: str) -> Iterator[tuple[Role, str, int]]:
    """The same, and where the words begin."""
    marks = list(_LABEL.finditer(text))
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    for mark, end in zip(marks, ends, strict=False):
        if role := _ROLES.get(mark[1]):
            yield role, text[mark.end() : end].removesuffix(BETWEEN), mark.end()


def last_block(text: str) -> str:
    """Of the end of a rendered text; empty when it is not whole in it."""
    marks = list(_LABEL.finditer(text))
    return text[marks[-1].start() :] if marks else ""


class SpokenText(NamedTuple):
    role: Role
    text: str
    start: int = 0
    """Offset in the rendered text of the log, in characters."""
    outside: bool = False
    """Whether the sender had already seen text by strangers, such as the output of a tool."""


# --- the logs of a workspace ------------------------------------------------------------------------------------------


LOCK_TTL_MS: Final = 600_000
LOCK_WAIT_MS: Final = 10_000
_PIECE: Final = 1 << 20


class KeptSession(NamedTuple):
    """A log that is there."""

    name: str
    path: str
    """From the root of the workspace."""
    log: SessionLog


class HoldsSessionLogs(HasFiles, KnowsTracked, Protocol):
    """A workspace, as far as logs of sessions lie in it."""


def session_folder(ports: HoldsSessionLogs) -> str:
    """In `.cairn`, or with the logs of an older knowledge base, where there is one."""
    old = f"{OLD_BASE}/_sessions"
    place = old if ports.files.exists(f"{OLD_BASE}/.state/installed-version") or ports.files.exists(old) else SESSIONS
    if tracked := ports.tracked([place]):
        names = " ".join(sorted(tracked))
        raise LocalFileTracked(
            f"git tracks {place}, and what was said in sessions must stay on this machine; look at it, then run "
            f"`git rm -r --cached -- {place}` and commit ({names[:200]})",
            files=sorted(tracked),
        )
    return place


def sessions(logs: SessionLogs) -> list[KeptSession]:
    """All that can be read, newest first."""
    return [one for name in reversed(logs.names()) if (one := _kept(logs, name)) is not None]


class SessionPage(NamedTuple):
    sessions: list[KeptSession]
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


def _kept(logs: SessionLogs, name: str) -> KeptSession | None:
    head = head_of(logs, name)
    return None if head is None else KeptSession(name, f"{logs.place}/{name}", head.log)


def head_of(logs: SessionLogs, name: str) -> Head | None:
    """None of a log that cannot be read, whatever it is about it."""
    with item(f"{logs.place}/{name}"):
        return read_head(logs.read(name, 0, 64 * 1024)) or read_head(logs.read(name, 0, HEAD_LIMIT))
    return None


def session_named(logs: SessionLogs, wanted: str) -> KeptSession:
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


def last_time(log: SessionLog) -> str:
    """Times of the same form, so that they can be compared as texts."""
    return log.updated_at or log.captured_at
