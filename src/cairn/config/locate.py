"""Where in a JSON text does a member stand? Asked only to name a line or to edit in place."""

from collections.abc import Iterator, Sequence
from json import JSONDecoder
from typing import NamedTuple

_DECODER = JSONDecoder()
_SPACE = " \t\r\n"


class Member(NamedTuple):
    """Offsets into the text; the text is known to be valid JSON."""

    name: str
    start: int
    value_start: int
    value_end: int


def members(text: str, start: int) -> Iterator[Member]:
    """The members of the object whose `{` is at `start`."""
    at = _skip(text, start + 1)
    while text[at] != "}":
        name, after = _DECODER.raw_decode(text, at)
        value_start = _skip(text, _skip(text, after) + 1)
        _, value_end = _DECODER.raw_decode(text, value_start)
        yield Member(name, at, value_start, value_end)
        at = _skip(text, value_end)
        if text[at] == ",":
            at = _skip(text, at + 1)


def top(text: str) -> int:
    """Where the outermost value begins."""
    return _skip(text, 0)


def find(text: str, path: Sequence[str]) -> Member | None:
    start, found = top(text), None
    for name in path:
        if text[start] != "{":
            return None
        found = next((member for member in members(text, start) if member.name == name), None)
        if found is None:
            return None
        start = found.value_start
    return found


def line_of(text: str, path: Sequence[str]) -> int | None:
    member = find(text, path)
    return line_at(text, member.start) if member else None


def line_at(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


def repeated(text: str) -> tuple[str, int] | None:
    """The first name that an object has twice, with the line of the second; objects inside arrays are not searched."""
    waiting = [top(text)]
    while waiting:
        seen: set[str] = set()
        for member in members(text, waiting.pop()):
            if member.name in seen:
                return member.name, line_at(text, member.start)
            seen.add(member.name)
            if text[member.value_start] == "{":
                waiting.append(member.value_start)
    return None


def _skip(text: str, at: int) -> int:
    while text[at] in _SPACE:
        at += 1
    return at
