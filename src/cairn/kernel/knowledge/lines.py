"""On which line a value stands, found only when there is something to say about it.

Frontmatter is nearly always written in block style, where looking at indentation is enough. What is not is composed
by a whole YAML parser, which knows every place and takes a hundred times as long.
"""

import re
from collections.abc import Sequence
from typing import Any

from cairn.kernel.knowledge.values import Step

_KEY = re.compile(r"""(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<plain>[^\s#"'\[{][^:#]*?))[ \t]*:(?=\s|$)""")
_ITEM = re.compile(r"-[ \t]+|-$")


MOST_COMPOSED = 20_000
"""Characters that are given to the parser; of longer frontmatter in flow style the line of the key has to do."""

Found = tuple[int, int, int]
"""First line and the line after the last, from 0, and the column of the keys."""


class YamlPlaces:
    """Where things stand in one frontmatter. What was found is remembered: many problems lie side by side."""

    def __init__(self, raw: str) -> None:
        self._raw = raw
        self._lines = raw.split("\n")
        self._items: dict[tuple[int, int], list[int]] = {}
        self._composed: Any = None

    def line(self, steps: Sequence[Step]) -> int:
        """The line, from 1, on which the value at these steps begins; of its parent if it is missing."""
        found = (0, len(self._lines), 0)
        for step in steps:
            below = self._item(found, step) if isinstance(step, int) else self._key(found, step)
            if below is None:
                return found[0] + 1 if self._is_short(found) else self._composed_line(steps, found[0] + 1)
            found = below
        return found[0] + 1

    def _is_short(self, found: Found) -> bool:
        """Whatever was looked for stands on this line, or nowhere."""
        start, end, _ = found
        return not any(line.strip() for line in self._lines[start + 1 : end])

    def _key(self, found: Found, key: str) -> Found | None:
        start, end, column = found
        for number in range(start, end):
            line = self._lines[number]
            written = _KEY.match(line, column) if not line[:column].strip(" -") else None
            if written and key in written.group("double", "single", "plain"):
                return number, self._end(number, end, column), column
        return None

    def _end(self, number: int, end: int, column: int) -> int:
        """Where what belongs to the key on this line ends. A list may start in the column of its key."""
        for after in range(number + 1, end):
            line = self._lines[after]
            if _says_something(line) and _indent(line) <= column and not _ITEM.match(line, column):
                return after
        return end

    def _item(self, found: Found, place: int) -> Found | None:
        """An item of the list that starts below the line of its key."""
        start, end, _ = found
        if (start, end) not in self._items:
            self._items[start, end] = self._item_starts(start, end)
        starts = self._items[start, end]
        if place >= len(starts):
            return None
        number = starts[place]
        dash = _ITEM.search(self._lines[number])
        until = starts[place + 1] if place + 1 < len(starts) else end
        return number, until, dash.end() if dash else 0

    def _item_starts(self, start: int, end: int) -> list[int]:
        numbers = [n for n in range(start + 1, end) if _says_something(self._lines[n])]
        if not numbers or not _ITEM.match(self._lines[numbers[0]], column := _indent(self._lines[numbers[0]])):
            return []
        return [n for n in numbers if _indent(self._lines[n]) == column and _ITEM.match(self._lines[n], column)]

    def _composed_line(self, steps: Sequence[Step], otherwise: int) -> int:
        if len(self._raw) > MOST_COMPOSED:
            return otherwise
        self._composed = self._composed or _compose(self._raw)
        node = self._composed
        for step in steps:
            below = _below(node, step)
            if below is None:
                break
            node = below
        return int(node.start_mark.line) + 1 if node is not None else otherwise


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _says_something(line: str) -> bool:
    stripped = line.strip()
    return bool(stripped) and not stripped.startswith("#")


def _compose(raw: str) -> Any:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        return YAML(typ="safe", pure=True).compose(raw)
    except (YAMLError, ValueError, RecursionError):
        return None


def _below(node: Any, step: Step) -> Any:
    if isinstance(step, int):
        items = node.value if node is not None and node.id == "sequence" else []
        return items[step] if step < len(items) else None
    pairs = node.value if node is not None and node.id == "mapping" else []
    return next((value for key, value in pairs if key.value == step), None)


# --- JSON -----------------------------------------------------------------------------------------------------------

_BLANK = re.compile(r"[ \t\r\n]*")


def json_line(text: str, steps: Sequence[Step]) -> int:
    """The line of a JSON text, which must be one, on which the value at these steps begins; of its parent if not."""
    at = _skip(text, 0)
    for step in steps:
        found = _within(text, at, step)
        if found is None:
            break
        at = found
    return text.count("\n", 0, at) + 1


def _skip(text: str, at: int) -> int:
    blank = _BLANK.match(text, at)
    return blank.end() if blank else at


def _within(text: str, at: int, step: Step) -> int | None:
    """Where the member of the object or array that begins here begins."""
    from json import JSONDecoder

    decode = JSONDecoder().raw_decode
    is_object, position, place = text[at] == "{", _skip(text, at + 1), 0
    if text[at] not in "{[":
        return None
    while text[position] not in "}]":
        name: object = place
        if is_object:
            name, position = decode(text, position)
            position = _skip(text, _skip(text, position) + 1)
        if name == step:
            return position
        _, position = decode(text, position)
        position, place = _skip(text, position), place + 1
        if text[position] == ",":
            position = _skip(text, position + 1)
    return None
