"""JSON in what a model wrote, whatever it wrote around it.

Time is linear in the length of the answer. A parse that succeeds is never repeated, since what is inside of its result
is looked at there; what failed parses read is added up, and where that comes to many times the answer, nobody meant it
as one.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, Final, Literal

from cairn.lib.markdown.code_mask import fences

LONGEST = 2_000_000
"""Characters of an answer that are looked at. Runners ask for a fiftieth of that."""
READINGS = 16
"""How often, on average, a character may be read in vain."""

_LINES_COUNTED: Final = 256
"""So many characters are searched for line ends in the time in which one is parsed."""
_MID_LINE: Final = re.compile(r"(?:`{3}|~{3})[\w-]{0,20}\s{0,20}(?=[{\[])")
"""A fence that opens in the middle of a line: `Here it is: ```json {"a": 1}```.`"""
_OPENINGS: Final = {"{": re.compile(r"\{"), "{[": re.compile(r"[{\[]")}


def json_in(answer: str) -> Any:
    """What an answer says as JSON: all of it, if it begins like JSON; else the first fenced block that does; else the
    last object or list in it. None when there is none."""
    text = answer[:LONGEST].strip()
    if text.startswith(("{", "[")):
        whole = _parsed(text)
        if whole is not None:
            return whole
    for start, end in fences(text):
        block = text[start:end].partition("\n")[2].rstrip().rstrip("`~").strip()
        if block.startswith(("{", "[")):
            return _parsed(block)
    found = JsonObjects(text)
    for opened in _MID_LINE.finditer(text):
        value, _ = found.at(opened.end()) if found.read <= READINGS * len(text) else (None, 0)
        if value is not None:
            return value
    last = None
    for value in JsonObjects(text).outer("{["):
        last = value
    return last


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


class JsonObjects:
    """Every JSON object of a text, outer ones before those inside of them."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._decode = json.JSONDecoder().raw_decode
        self.read = 0
        """Characters that were parsed so far."""

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for value in self.outer():
            yield from _within(value)

    def outer(self, opening: Literal["{", "{["] = "{") -> Iterator[Any]:
        """Those that stand in no other; with `{[` lists too."""
        allowed = READINGS * len(self._text)
        start = self._next(opening, 0)
        while start >= 0 and self.read <= allowed:
            value, end = self.at(start)
            if value is not None:
                yield value
            start = self._next(opening, end)

    def _next(self, opening: Literal["{", "{["], start: int) -> int:
        found = _OPENINGS[opening].search(self._text, start)
        return found.start() if found else -1

    def at(self, start: int) -> tuple[Any, int]:
        """The object that starts here and its end; None and the next place to try."""
        try:
            value, end = self._decode(self._text, start)
        except json.JSONDecodeError as error:
            # Of a string that nothing closes the error tells the start, but the end of the text was reached.
            reached = len(self._text) if error.msg.startswith("Unterminated") else error.pos
            # The error counts the lines before it, which takes a little for each.
            self.read += reached - start + 1 + error.pos // _LINES_COUNTED
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
