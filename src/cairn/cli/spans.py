"""Stretches of time as people type them: `90m`, `24h`, `7d`, or since a day."""

import re
from datetime import UTC, datetime

from cairn.errors import UsageError

_SPAN = re.compile(r"(\d{1,6})\s*([smhdw])")
_MS = {"s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000}


def span_ms(text: str, option: str) -> int:
    found = _SPAN.fullmatch(text.strip().lower())
    if found is None:
        raise UsageError(f"{option} is a number with its unit, such as 90m, 24h or 7d, not '{text}'")
    return int(found[1]) * _MS[found[2]]


def since_ms(text: str, *, now_ms: int, option: str = "--since") -> int:
    """A span back from now, or a day or moment in UTC."""
    if _SPAN.fullmatch(text.strip().lower()):
        return now_ms - span_ms(text, option)
    try:
        at = datetime.fromisoformat(text.strip())
        return int(at.replace(tzinfo=at.tzinfo or UTC).timestamp() * 1000)
    except (ValueError, OverflowError):
        raise UsageError(f"{option} is a span such as 24h or 7d, or a day such as 2026-01-31, not '{text}'") from None
