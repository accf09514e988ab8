"""Texts to and from a model: data as one fenced block, and JSON in whatever it answered."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final, Literal

from cairn.lib.markdown.blocks import fences

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


_RUNS: Final = re.compile(r"`+")
_BREAKS: Final = {ord(char): f"\\u{ord(char):04x}" for char in "\u2028\u2029\x85\x7f\x0b\x0c\x1c\x1d\x1e"}


def fenced(data: Any) -> str:
    """What others wrote, as one block that nothing in it can end."""
    block = escaped(json.dumps(data, ensure_ascii=False, indent=1))
    fence = "`" * max(4, 1 + max((len(run) for run in _RUNS.findall(block)), default=0))
    return f"{fence}json\n{block}\n{fence}\n"


def escaped(text: str) -> str:
    """JSON leaves some characters alone that others take for line breaks; a half surrogate could not be sent at all."""
    return text.translate(_BREAKS).encode("utf-8", "backslashreplace").decode()
