"""Paths to a value in JSON, YAML or TOML: `project.version`, `services.web.ports[0]`, `tool."a.b".c`."""

import json
import re
from typing import Final

from cairn.lib.text.parse_json import parse_json

KeyPath = tuple[str | int, ...]

_BARE: Final = re.compile(r"[^\s.\[\]\"'`#]+")
_STEP: Final = re.compile(
    r"""(?P<dot>\.?) (?:
        \[ (?P<index>\d{1,9}) \] | (?P<double>"(?:[^"\\]|\\.)*") | '(?P<single>[^']*)' | (?P<bare>[^\s.\[\]"'`\#]+)
    )""",
    re.VERBOSE,
)


def render_key(path: KeyPath) -> str:
    """A path as it is written: what has a dot, a bracket or a blank in it, or could be a pointer, stands in quotes."""
    parts: list[str] = []
    for step in path:
        if isinstance(step, int):
            parts.append(f"[{step}]")
        else:
            bare = _BARE.fullmatch(step) and (parts or not step.startswith("/"))
            written = step if bare else json.dumps(step, ensure_ascii=False)
            parts.append(f".{written}" if parts else written)
    return "".join(parts)


def parse_key(text: str) -> KeyPath | None:
    """The path that somebody wrote; a JSON pointer such as `/scripts/test` is understood too."""
    if text.startswith("/"):
        return tuple(_unescaped(step) for step in text[1:].split("/"))
    path: list[str | int] = []
    at = 0
    while at < len(text):
        found = _STEP.match(text, at)
        if found is None or not _fits(found, first=at == 0):
            return None
        path.append(_step(found))
        at = found.end()
    return tuple(path) or None


def _fits(found: re.Match[str], *, first: bool) -> bool:
    """Before a name there is a dot unless it is the first, before an index there is none."""
    return (found["dot"] == "") is (first or found["index"] is not None)


def value_at(value: object, path: KeyPath) -> tuple[object] | None:
    """The value in a tuple of one, since `None` is a value as well."""
    for step in path:
        if isinstance(value, dict) and (key := str(step)) in value:
            value = value[key]
        elif isinstance(value, list) and str(step).isdecimal() and int(step) < len(value):
            value = value[int(step)]
        else:
            return None
    return (value,)


def _step(found: re.Match[str]) -> str | int:
    if found["index"] is not None:
        return int(found["index"])
    if found["double"] is not None:
        try:
            return str(parse_json(found["double"]))
        except ValueError:
            return found["double"][1:-1]
    return found["single"] if found["single"] is not None else found["bare"]


def _unescaped(step: str) -> str:
    return step.replace("~1", "/").replace("~0", "~")
