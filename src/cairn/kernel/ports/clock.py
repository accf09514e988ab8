"""What time it is. Everything that looks at the clock takes one of these."""

from typing import Protocol


class Clock(Protocol):
    def now_ms(self) -> int:
        """Milliseconds since 1970, UTC."""
        ...

    def monotonic(self) -> float:
        """Seconds, for measuring how long something took."""
        ...
