"""On which line a value stands, found only when there is something to say about it.

Frontmatter is nearly always written in block style, where looking at indentation is enough. What is not is composed
by a whole YAML parser, which knows every place and takes a hundred times as long.
"""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from cairn.knowledge.values import Step

_KEY = re.compile(
    r"""(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<plain>[^\s#"'\[{](?:[^:#\s]|\s++(?!:))*+))[ \t]*+:(?=\s|$)"""
)
_ITEM = re.compile(r"-(?:[ \t]+|(?=\r?$))")


MOST_COMPOSED = 20_000
"""Characters that are given to the parser; of longer frontmatter in flow style the line of the key has to do."""


class YamlBlock(NamedTuple):
    """A mapping or a list in block style."""

    first: int
    """Its first line, from 0."""
    end: int
    """The line after its last."""
    column: int
    """In which its keys or dashes stand."""


Place = tuple[int, YamlBlock | None]
"""The line of a key or an item, from 0, and what stands behind or below it."""


class YamlPlaces:
    """Where things stand in one frontmatter. What was found is remembered: many problems lie side by side."""

    def __init__(self, raw: str) -> None:
        self._raw = raw
        self._lines = raw.split("\n")
        self._keys: dict[tuple[YamlBlock, str], Place | None] = {}
        self._items: dict[YamlBlock, list[int]] = {}
        self._composed: Any = None

    def line(self, steps: Sequence[Step]) -> int:
        """The line, from 1, on which the value at these steps begins; of its parent if it is missing."""
        number, block = 0, self._below(0, len(self._lines))
        for step in steps:
            if block is None:
                break
            found = None
            if self._lines[block.first][block.column] not in "{[":
                found = self._item(block, step) if isinstance(step, int) else self._known_key(block, step)
            if found is None:
                return number + 1 if self._is_one_line(block) else self._composed_line(steps, number + 1)
            number, block = found
        return number + 1

    def _is_one_line(self, block: YamlBlock) -> bool:
        return not any(self._lines[number].strip() for number in range(block.first + 1, block.end))

    def _below(self, start: int, end: int) -> YamlBlock | None:
        """What begins on the first of these lines that says anything."""
        first = next((n for n in range(start, end) if _says_something(self._lines[n])), None)
        return None if first is None else YamlBlock(first, end, _indent(self._lines[first]))

    def _known_key(self, block: YamlBlock, key: str) -> Place | None:
        if (block, key) not in self._keys:
            self._keys[block, key] = self._key(block, key)
        return self._keys[block, key]

    def _key(self, block: YamlBlock, key: str) -> Place | None:
        for number in range(block.first, block.end):
            line = self._lines[number]
            before = line[: block.column].strip()
            if before and (number > block.first or before.strip("- ")):
                continue
            written = _KEY.match(line, block.column)
            if written and key in written.group("double", "single", "plain"):
                return number, self._value(number, self._end(number, block), written.end())
        return None

    def _end(self, number: int, block: YamlBlock) -> int:
        """Where what belongs to the key on this line ends. A list may start in the column of its key."""
        for after in range(number + 1, block.end):
            line = self._lines[after]
            if _says_something(line) and _indent(line) <= block.column and not _ITEM.match(line, block.column):
                return after
        return block.end

    def _item(self, block: YamlBlock, place: int) -> Place | None:
        if block not in self._items:
            self._items[block] = self._item_starts(block)
        starts = self._items[block]
        if place >= len(starts):
            return None
        number = starts[place]
        end = starts[place + 1] if place + 1 < len(starts) else block.end
        dash = _ITEM.match(self._lines[number], block.column)
        column = dash.end() if dash else block.column
        return number, self._value(number, end, column)

    def _value(self, number: int, end: int, column: int) -> YamlBlock | None:
        """Behind a key or a dash, or below it."""
        line = self._lines[number]
        rest = line[column:].strip()
        if rest and not rest.startswith("#"):
            return YamlBlock(number, end, column + len(line[column:]) - len(line[column:].lstrip()))
        return self._below(number + 1, end)

    def _item_starts(self, block: YamlBlock) -> list[int]:
        if not _ITEM.match(self._lines[block.first], block.column):
            return []
        after = range(block.first + 1, block.end)
        same = [
            n for n in after if _indent(self._lines[n]) == block.column and _ITEM.match(self._lines[n], block.column)
        ]
        return [block.first, *same]

    def _composed_line(self, steps: Sequence[Step], otherwise: int) -> int:
        if len(self._raw) > MOST_COMPOSED:
            return otherwise
        self._composed = self._composed or _compose(self._raw)
        node = self._composed
        for step in steps:
            below = _member(node, step)
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


def _member(node: Any, step: Step) -> Any:
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
