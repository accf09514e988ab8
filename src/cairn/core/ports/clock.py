"""What time it is. Everything that looks at the clock takes one of these."""

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from datetime import date


def utc_day(at_ms: int) -> "date":
    """The day of a moment; days are those of UTC everywhere, so that two machines mean the same one."""
    from datetime import UTC, datetime

    return datetime.fromtimestamp(at_ms / 1000, UTC).date()


class Clock(Protocol):
    def now_ms(self) -> int:
        """Milliseconds since 1970, UTC."""
        ...

    def monotonic(self) -> float:
        """Seconds, for measuring how long something took."""
        ...
