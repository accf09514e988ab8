"""Names of sessions: whatever a host calls one, it becomes a name that is safe in a path."""

import re
from datetime import UTC, datetime
from hashlib import sha256
from typing import Final

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
