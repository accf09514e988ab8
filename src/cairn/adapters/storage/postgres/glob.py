"""A shell pattern as a regular expression of PostgreSQL, meaning exactly what SQLite's GLOB means by it."""

_NOTHING = "(?!x)x"
"""Matches no text at all."""


def glob_regex(pattern: str) -> str:
    """`*` is anything, slashes included, `?` one character, `[a-z]` and `[^a-z]` one of a class."""
    parts: list[str] = []
    at = 0
    while at < len(pattern):
        char = pattern[at]
        if char == "[":
            end = _closing(pattern, at)
            if end < 0:
                return _NOTHING  # a class that is never closed matches nothing
            parts.append(_class(pattern[at + 1 : end]))
            at = end
        else:
            parts.append({"*": ".*", "?": "."}.get(char) or _escaped(char))
        at += 1
    return f"^(?:{''.join(parts)})$"


def _closing(pattern: str, at: int) -> int:
    """Where a class ends; a bracket that comes first in it is one of its members."""
    first = at + 1 + pattern.startswith("^", at + 1)
    return pattern.find("]", first + 1)


def _class(inner: str) -> str:
    negated = inner.startswith("^")
    return f"[{'^' * negated}{''.join(_members(inner[negated:]))}]"


def _members(inner: str) -> list[str]:
    found = ["\\]"] if inner.startswith("]") else []
    at = len(found)
    while at < len(inner):
        low, dash, high = inner[at], inner[at + 1 : at + 2], inner[at + 2 : at + 3]
        if dash == "-" and high:
            found.append(f"{_escaped(low)}-{_escaped(high)}" if low <= high else _escaped(low))
            at += 3
        else:
            found.append(_escaped(low))
            at += 1
    return found


def _escaped(char: str) -> str:
    return f"\\{char}" if char.isascii() and not char.isalnum() else char
