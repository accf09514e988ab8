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


def yaml_line(raw: str, steps: Sequence[Step]) -> int:
    """The line of the frontmatter, from 1, on which the value at these steps begins; of its parent if it is missing."""
    lines = raw.split("\n")
    start, end, column = 0, len(lines), 0
    for step in steps:
        found = _item(lines, start, end, step) if isinstance(step, int) else _key(lines, start, end, column, step)
        if found is None:
            return start + 1 if _is_short(lines, start, end) else _composed_line(raw, steps) or start + 1
        start, end, column = found
    return start + 1


def _is_short(lines: list[str], start: int, end: int) -> bool:
    """Whatever was looked for stands on this line, or nowhere in block style."""
    return not any(line.strip() for line in lines[start + 1 : end])


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _says_something(line: str) -> bool:
    stripped = line.strip()
    return bool(stripped) and not stripped.startswith("#")


def _key(lines: list[str], start: int, end: int, column: int, key: str) -> tuple[int, int, int] | None:
    for number in range(start, end):
        line = lines[number]
        written = _KEY.match(line, column) if not line[:column].strip(" -") else None
        if written and key in written.group("double", "single", "plain"):
            return number, _end(lines, number, end, column), column
    return None


def _end(lines: list[str], number: int, end: int, column: int) -> int:
    """Where what belongs to the key on this line ends. A list may start in the column of its key."""
    for after in range(number + 1, end):
        line = lines[after]
        if _says_something(line) and _indent(line) <= column and not _ITEM.match(line, column):
            return after
    return end


def _item(lines: list[str], start: int, end: int, place: int) -> tuple[int, int, int] | None:
    """The item of a list that starts below the line of its key."""
    first = next((n for n in range(start + 1, end) if _says_something(lines[n])), None)
    if first is None or not _ITEM.match(lines[first], column := _indent(lines[first])):
        return None
    starts = [n for n in range(first, end) if _indent(lines[n]) == column and _ITEM.match(lines[n], column)]
    if place >= len(starts):
        return None
    number = starts[place]
    dash = _ITEM.match(lines[number], column)
    until = starts[place + 1] if place + 1 < len(starts) else end
    return number, until, dash.end() if dash else column


def _composed_line(raw: str, steps: Sequence[Step]) -> int | None:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        node: Any = YAML(typ="safe", pure=True).compose(raw)
    except (YAMLError, ValueError, RecursionError):
        return None
    for step in steps:
        below = _below(node, step)
        if below is None:
            break
        node = below
    return int(node.start_mark.line) + 1 if node is not None else None


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
