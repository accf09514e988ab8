"""The verdict in what a model wrote: the first JSON object in it that is one, whatever stands around it.

Time is linear in the length of the answer. A parse that succeeds is never repeated, since what is inside of its result
is looked at there; what failed parses read is added up, and where that comes to many times the answer, nobody meant it
as one.
"""

import json
from collections.abc import Iterator
from typing import Any

from cairn.freshness.verdict_wire import InvalidVerdict, problems_of, verdict_of
from cairn.kernel.model.verdict import Verdict

LONGEST = 2_000_000
"""Characters of an answer that are looked at. Runners ask for a fiftieth of that."""
READINGS = 16
"""How often, on average, a character may be read in vain."""

_KEYS = frozenset({"entry_name", "verdict"})


def extract_verdict(answer: str) -> Verdict:
    """The first object that passes; `InvalidVerdict` says what the nearest one lacked, or that there was none."""
    nearest: list[str] = []
    for value in Objects(answer[:LONGEST]):
        if not _KEYS & value.keys():
            continue
        problems = problems_of(value)
        if not problems:
            return verdict_of(value)
        if not nearest or len(problems) < len(nearest):
            nearest = problems
    raise InvalidVerdict(nearest or [_nothing(answer)], "The answer of the model")


def _nothing(answer: str) -> str:
    if not answer.strip():
        return "it is empty"
    return "it breaks off in the middle of its JSON" if '"entry_name"' in answer else "there is no verdict in it"


class Objects:
    """Every JSON object of a text, outer ones before those inside of them."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._decode = json.JSONDecoder().raw_decode
        self.read = 0
        """Characters that were parsed so far."""

    def __iter__(self) -> Iterator[dict[str, Any]]:
        allowed = READINGS * len(self._text)
        start = self._text.find("{")
        while start >= 0 and self.read <= allowed:
            value, end = self._at(start)
            if isinstance(value, dict):
                yield from _within(value)
            start = self._text.find("{", end)

    def _at(self, start: int) -> tuple[Any, int]:
        """The object that starts here and its end; None and the next place to try."""
        try:
            value, end = self._decode(self._text, start)
        except json.JSONDecodeError as error:
            # Of a string that nothing closes the error tells the start, but the end of the text was reached.
            reached = len(self._text) if error.msg.startswith("Unterminated") else error.pos
            self.read += reached - start + 1
            return None, start + 1
        except RecursionError:
            self.read += len(self._text) - start
            return None, start + 1
        self.read += end - start
        return value, end


def _within(value: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """An object and the ones inside of it, in the order in which they start."""
    waiting: list[Any] = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            yield item
            waiting += reversed(item.values())
        elif isinstance(item, list):
            waiting += reversed(item)
