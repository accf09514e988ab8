"""Finds passages that say something, without taking a whole page apart: text first, atoms only where it fits."""

import re
from collections.abc import Sequence
from functools import cached_property

from cairn.freshness.extractive.passages import Passage
from cairn.lib.text.atoms import spellings

_COUNTS = re.compile(r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty|hundred)\b")


class Finder:
    def __init__(self, passages: Sequence[Passage]) -> None:
        self._passages = passages
        self._known: dict[str, list[Passage]] = {}

    def with_key(self, key: str) -> list[Passage]:
        """Those that hold an atom with this key, in whatever spelling."""
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = [one for one in self._candidates(key) if key in one.keys]
        return found

    def _candidates(self, key: str) -> list[Passage]:
        if key[:1].isdigit():
            return self._counting
        wanted = spellings(key)
        return [one for one, low in self._texts if any(word in low for word in wanted)]

    @cached_property
    def _texts(self) -> list[tuple[Passage, str]]:
        return [(one, one.plain.lower()) for one in self._passages]

    @cached_property
    def _counting(self) -> list[Passage]:
        return [one for one, low in self._texts if _COUNTS.search(low)]
