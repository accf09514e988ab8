"""Reads literal values from configuration files that can't be executed or parsed: JavaScript, TypeScript, Python."""

import re
from typing import NamedTuple


class LiteralValue(NamedTuple):
    text: str | None
    """None if the key is missing or its value is computed."""
    computed: bool


MISSING = LiteralValue(None, False)
_COMMENT = re.compile(
    r"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)|//[^\n]*|/\*.*?(?:\*/|\Z)""", re.DOTALL
)


def without_comments(script: str) -> str:
    """JavaScript without comments. A `//` in a string is not a comment."""
    return _COMMENT.sub(lambda found: found[1] or "", script)


def string_of(script: str, key: str) -> LiteralValue:
    """The string at the first `key: "…"` or `key = "…"`."""
    found = strings_of(script, key)
    return found[0] if found else MISSING


def strings_of(script: str, key: str) -> list[LiteralValue]:
    """The string at every `key: "…"`. A value that is not a plain string is computed."""
    pattern = rf"""(?<![\w.$-])["']?{key}["']?\s*[:=](?!=)\s*(?:"([^"\n]*)"|'([^'\n]*)'|`([^`$]*)`|(\S))"""
    return [_value(found) for found in re.finditer(pattern, script)]


def _value(found: re.Match[str]) -> LiteralValue:
    if found[4] is not None:
        return LiteralValue(None, True)
    return LiteralValue(found[1] or found[2] or found[3] or "", False)


def has_key(script: str, key: str) -> bool:
    return re.search(rf"""(?<![\w.$-])["']?{key}["']?\s*:""", script) is not None


def yaml_value(text: str, key: str) -> str | None:
    """The plain value of a key at the top of a YAML file, which may have tags that no loader knows."""
    found = re.search(rf"^{key}:[ \t]*+((?:[^ \t\n]++|[ \t]++(?!#|$))*+)[ \t]*+(?:(?<=[ \t])#.*)?$", text, re.MULTILINE)
    return found[1].strip("\"'") if found and found[1] else None


def yaml_names(text: str, key: str) -> frozenset[str]:
    """The names listed under a key at the top of a YAML file: `- name` or `- name:`."""
    found = re.search(rf"^{key}:[ \t]*\n((?:[ \t]+.*\n?|-.*\n?|[ \t]*\n|#.*\n)*)", text, re.MULTILINE)
    return frozenset(re.findall(r"^[ \t]*-[ \t]+[\"']?([\w./-]+)", found[1], re.MULTILINE)) if found else frozenset()
