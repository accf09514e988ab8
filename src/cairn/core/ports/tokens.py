"""Tokens: how many of them a model would make of a text."""

from typing import Protocol


class Tokenizer(Protocol):
    @property
    def name(self) -> str:
        """Of the encoding, or `estimate`."""
        ...

    @property
    def exact(self) -> bool:
        """False when the count is a guess from the length."""
        ...

    def count(self, text: str) -> int: ...
