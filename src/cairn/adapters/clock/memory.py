"""A clock that stands still until it is told to move: for tests, and for simulations of months in seconds."""


class SettableClock:
    def __init__(self, now_ms: int = 1_767_225_600_000) -> None:
        """Without an argument it starts at 2026-01-01T00:00:00Z."""
        self._now_ms = now_ms
        self._elapsed_ms = 0

    def now_ms(self) -> int:
        return self._now_ms

    def monotonic(self) -> float:
        return self._elapsed_ms / 1000

    def set(self, now_ms: int) -> None:
        """Jump, forwards or backwards, as a machine's clock may. `monotonic` does not notice."""
        self._now_ms = now_ms

    def advance(self, ms: int) -> None:
        """Let time pass."""
        self._now_ms += ms
        self._elapsed_ms += ms
