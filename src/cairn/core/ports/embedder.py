"""Texts as vectors: those that mean something alike lie near each other."""

from collections.abc import Sequence
from typing import Protocol

Vector = Sequence[float]


class Embedder(Protocol):
    @property
    def id(self) -> str:
        """Which model this is; vectors of another one cannot be compared with its own."""
        ...

    @property
    def at_once(self) -> int:
        """So many texts it makes vectors of without anybody having to wait for long."""
        ...

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One for each text, in order. Raises a sentence of the environment when it cannot."""
        ...
