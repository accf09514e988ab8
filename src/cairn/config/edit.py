"""Changes one setting in a settings file and leaves the rest of its text as it was."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from cairn.config.key import Key, Value
from cairn.config.keys import find_key
from cairn.config.load import read_text
from cairn.config.settings import BadValue, checked, from_file, parsed, unknown_key
from cairn.core.paths import COMMITTED, LOCAL
from cairn.errors import ConfigError
from cairn.lib.text.json_splice import Member, find_member, members, parse_object, top


class WriteFile(Protocol):
    """True when the file changed; `cairn.changes.write` has it."""

    def __call__(self, root: Path, path: str, content: str, *, mode: int | None = None) -> bool: ...


class Edit(NamedTuple):
    key: str
    value: Value
    file: str
    changed: bool


def set_value(root: Path, key: str, raw_value: str, local: bool, *, write_file: WriteFile) -> Edit:
    """Sets a key from the text that a person typed; the file is made when it is missing."""
    name, entry, file = place_of(key, local)
    try:
        value = checked(entry, parsed(entry, raw_value))
    except BadValue as problem:
        raise ConfigError(f"'{name}' {problem}", key=name) from None
    plain = list(value) if isinstance(value, tuple) else value
    present = read_text(root, file)
    text = "{}\n" if present is None else present
    content = _with(text, _spelling(text, file, name), plain)
    # What is only for this machine may be secret, such as the address of a database with its password.
    mode = 0o600 if present is None and file == LOCAL else None
    return Edit(name, plain, file, write_file(root, file, content, mode=mode))


def unset_value(root: Path, key: str, local: bool, *, write_file: WriteFile) -> Edit:
    """Takes a key out of a file; nothing happens when it is not there."""
    name, _, file = place_of(key, local)
    text = read_text(root, file)
    if text is None or name not in from_file("local", file, text).values:
        return Edit(name, None, file, False)
    changed = write_file(root, file, _without(text, _spelling(text, file, name)))
    return Edit(name, None, file, changed)


def place_of(key: str, local: bool) -> tuple[str, Key, str]:
    """(normal name, key, file) of a setting, or why it can't go there."""
    found = find_key(key)
    if found is None:
        raise ConfigError(unknown_key(key), key=key)
    name, entry = found
    if entry.local_only and not local:
        raise ConfigError(
            f"'{name}' may only be set for this machine; add --local to write it to settings.local.json", key=name
        )
    return name, entry, LOCAL if local or entry.lives_locally else COMMITTED


def _spelling(text: str, file: str, name: str) -> tuple[str, ...]:
    """The names under which the file has the key already, else the normal ones, below groups as they are spelled."""
    layer = from_file("local", file, text)  # refuses to edit a file that could not be read
    if name in layer.spelled:
        return tuple(layer.spelled[name])
    parts = name.split(".")
    for depth in range(len(parts) - 1, 0, -1):
        below = ".".join(parts[:depth]) + "."
        near = next((path for key, path in layer.spelled.items() if key.startswith(below)), None)
        if near:
            return (*near[:depth], *parts[depth:])
    return tuple(parts)


def _with(text: str, path: tuple[str, ...], value: Value) -> str:
    present = find_member(text, path)
    if present:
        edited = _splice(text, present.value_start, present.value_end, _dump(value, text, len(path)))
    else:
        edited = _inserted(text, path, value)
    return _proven(edited, _expected(text, path, value))


def _inserted(text: str, path: tuple[str, ...], value: Value) -> str:
    """A new member at the end of the deepest object that is already there."""
    depth = max(d for d in range(len(path)) if d == 0 or find_member(text, path[:d]))
    parent = find_member(text, path[:depth])
    start = parent.value_start if parent else top(text)
    for name in reversed(path[depth + 1 :]):
        value = {name: value}
    member = f"{json.dumps(path[depth], ensure_ascii=False)}: {_dump(value, text, depth + 1)}"
    margin = _margin(text, depth + 1)
    siblings = list(members(text, start))
    if siblings:
        at = siblings[-1].value_end
        return _splice(text, at, at, "," + (margin if _spread(text, start, siblings[0]) else " ") + member)
    return _splice(text, start, text.index("}", start) + 1, "{" + margin + member + _margin(text, depth) + "}")


def _without(text: str, path: tuple[str, ...]) -> str:
    """Removes the member, and groups that become empty by it."""
    while len(path) > 1 and len(_siblings(text, path)) == 1:
        path = path[:-1]
    siblings = _siblings(text, path)
    at = next(index for index, member in enumerate(siblings) if member.name == path[-1])
    if at > 0:
        edited = _splice(text, siblings[at - 1].value_end, siblings[at].value_end, "")
    elif len(siblings) > 1:
        edited = _splice(text, siblings[0].start, siblings[1].start, "")
    else:
        start = top(text)
        edited = _splice(text, start, text.rindex("}") + 1, "{}")
    return _proven(edited, _expected(text, path, _GONE))


_GONE = object()


def _expected(text: str, path: Sequence[str], value: Value) -> Value:
    tree = place = json.loads(text)
    for name in path[:-1]:
        place = place.setdefault(name, {})
    if value is _GONE:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return tree


def _proven(edited: str, expected: Value) -> str:
    """Text is spliced, so that the rest stays as its author wrote it; this proves that the splice was right."""
    assert parse_object(edited, "edited settings") == expected
    return edited


def _siblings(text: str, path: Sequence[str]) -> list[Member]:
    parent = find_member(text, path[:-1])
    return list(members(text, parent.value_start if parent else top(text)))


def _splice(text: str, start: int, end: int, new: str) -> str:
    return text[:start] + new + text[end:]


def _spread(text: str, start: int, first: Member) -> bool:
    return "\n" in text[start : first.start]


def _dump(value: Value, text: str, depth: int) -> str:
    """Lists stay on one line, objects are spread out in the file's own indentation."""
    if not isinstance(value, dict) or not value:
        return json.dumps(value, ensure_ascii=False)
    margin = _margin(text, depth)
    inner = [f"{json.dumps(name, ensure_ascii=False)}: {_dump(v, text, depth + 1)}" for name, v in value.items()]
    return "{" + ",".join(margin + _indent(text) + member for member in inner) + margin + "}"


def _margin(text: str, depth: int) -> str:
    return ("\r\n" if "\r\n" in text else "\n") + _indent(text) * depth


def _indent(text: str) -> str:
    """The white space before the first member that stands on a line of its own."""
    for line in text.splitlines()[1:]:
        body = line.lstrip(" \t")
        if body.startswith('"') and body != line:
            return line[: len(line) - len(body)]
    return "  "
