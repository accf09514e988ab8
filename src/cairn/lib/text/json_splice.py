"""Finds members of a JSON text by their place; edits one, and leaves every other character where its author put it."""

import json
from collections.abc import Iterator, Sequence
from json import JSONDecoder
from typing import Any, NamedTuple

from cairn.errors import ConfigError

_DECODER = JSONDecoder()


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


def find_member(text: str, path: Sequence[str]) -> Member | None:
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
    member = find_member(text, path)
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


Step = str | int
_SPACE = " \t\r\n"


class JsonPlace(NamedTuple):
    start: int
    """Of the name, for a member of an object."""
    value: int
    end: int


def with_item(text: str, path: Sequence[str], item: Any) -> str:
    """Append to the list at this path; objects and the list are made where they are missing."""
    depth = next((d for d in range(len(path), 0, -1) if find(text, path[:d])), 0)
    if depth == len(path):
        return _insert(text, _open(text, path), "", item, "]")
    value: Any = [item]
    for name in reversed(path[depth + 1 :]):
        value = {name: value}
    return _insert(text, _open(text, path[:depth]), path[depth], value, "}")


def with_member(text: str, path: Sequence[str], value: Any) -> str:
    """Put a value that is not there yet under the last name of this path; objects are made where they are missing."""
    depth = next((d for d in range(len(path) - 1, 0, -1) if find(text, path[:d])), 0)
    for name in reversed(path[depth + 1 :]):
        value = {name: value}
    return _insert(text, _open(text, path[:depth]), path[depth], value, "}")


def without(text: str, path: Sequence[Step]) -> str:
    """Take out what is at this path, and the lists and objects that are empty then."""
    while len(path) > 1 and len(list(_children(text, _open(text, path[:-1])))) == 1:
        path = path[:-1]
    children = [place for _, place in _children(text, _open(text, path[:-1]))]
    found = find(text, path)
    assert found is not None, path
    at = children.index(found)
    if at > 0:
        return text[: children[at - 1].end] + text[found.end :]
    if len(children) > 1:
        return text[: found.start] + text[children[1].start :]
    return text[: top(text)] + "{}" + text[text.rindex("}") + 1 :]


def find(text: str, path: Sequence[Step]) -> JsonPlace | None:
    place = JsonPlace(top(text), top(text), len(text))
    for step in path:
        found = dict(_children(text, place.value)).get(step)
        if found is None:
            return None
        place = found
    return place


def _open(text: str, path: Sequence[Step]) -> int:
    """Where the bracket of what is at this path stands."""
    place = find(text, path)
    assert place is not None, path
    return place.value


def _children(text: str, start: int) -> Iterator[tuple[Step, JsonPlace]]:
    if text[start] == "{":
        for member in members(text, start):
            yield member.name, JsonPlace(member.start, member.value_start, member.value_end)
    elif text[start] == "[":
        yield from _elements(text, start)


def _elements(text: str, start: int) -> Iterator[tuple[Step, JsonPlace]]:
    at, number = _skip(text, start + 1), 0
    while text[at] != "]":
        _, end = _DECODER.raw_decode(text, at)
        yield number, JsonPlace(at, at, end)
        at, number = _skip(text, end), number + 1
        if text[at] == ",":
            at = _skip(text, at + 1)


# --- how it looks -----------------------------------------------------------------------------------------------------


def _insert(text: str, start: int, name: str, value: Any, closing: str) -> str:
    """As the last child of the object or list that opens here, in the file's own layout."""
    label = f"{json.dumps(name, ensure_ascii=False)}: " if closing == "}" else ""
    children = [place for _, place in _children(text, start)]
    if not children:
        line = _line_margin(text, start)
        inner = line + _unit(text)
        end = _skip(text, start + 1) + 1
        body = f"{_newline(text)}{inner}{label}{_dump(text, value, inner)}{_newline(text)}{line}"
        return f"{text[:start]}{text[start]}{body}{closing}{text[end:]}"
    last = children[-1]
    margin = _own_margin(text, last.start)
    if margin is None:
        return f"{text[: last.end]}, {label}{json.dumps(value, ensure_ascii=False)}{text[last.end :]}"
    piece = f",{_newline(text)}{margin}{label}{_dump(text, value, margin)}"
    return text[: last.end] + piece + text[last.end :]


def _dump(text: str, value: Any, margin: str) -> str:
    return json.dumps(value, ensure_ascii=False, indent=_unit(text)).replace("\n", _newline(text) + margin)


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _unit(text: str) -> str:
    """The white space in front of the first line that has any."""
    for line in text.splitlines():
        body = line.lstrip(" \t")
        if body and body != line:
            return line[: len(line) - len(body)]
    return "  "


def _line_margin(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _own_margin(text: str, at: int) -> str | None:
    """What stands in front of it on its line, if that is white space only."""
    begin = text.rfind("\n", 0, at) + 1
    before = text[begin:at]
    return before if begin and not before.strip(" \t") else None


class _Repeated(Exception):
    pass


def parse_object(text: str, file: str) -> dict[str, Any]:
    """The JSON object in a settings file; duplicate names, NaN and the like are refused."""
    import json

    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except json.JSONDecodeError as problem:
        where = f"{file}:{problem.lineno}:{problem.colno}"
        raise ConfigError(
            f"{where}: this is not valid JSON ({problem.msg[0].lower()}{problem.msg[1:]})",
            file=file,
            line=problem.lineno,
            column=problem.colno,
        ) from None
    except _Repeated as problem:
        raise _repeated(text, file, str(problem)) from None
    except RecursionError:
        raise ConfigError(f"{file} is nested too deeply to be settings", file=file) from None
    except ValueError as problem:
        raise ConfigError(f"{file}: {problem}", file=file) from None
    if not isinstance(value, dict):
        raise ConfigError(f"{file}:1: settings are a JSON object, so the file must start with {{", file=file, line=1)
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        names = [name for name, _ in pairs]
        raise _Repeated(next(name for name in names if names.count(name) > 1))
    return members


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON; write a number")


def _repeated(text: str, file: str, name: str) -> ConfigError:
    from cairn.lib.text.json_splice import repeated

    found = repeated(text)
    where = f"{file}:{found[1]}" if found else file
    return ConfigError(
        f"{where}: '{name}' stands here twice; keep one of them", file=file, line=found[1] if found else None, key=name
    )
