"""What of a change can make a sentence false: compares two interfaces as people see them.

A symbol's digests say *that* something changed; here is said whether a reader would notice. Something more that is
optional, or a type that is now written down, makes no sentence false.
"""

import re
from typing import NamedTuple

from cairn.kernel.code.model import Symbol

_WORDS = re.compile(r"\"[^\"]*\"|'[^']*'|--?[A-Za-z][\w-]*|[\w.]*\w")
_OPEN, _CLOSE = "([{", ")]}"


class Parameter(NamedTuple):
    name: str
    """With its stars."""
    default: str | None

    @property
    def optional(self) -> bool:
        return self.default is not None or self.name.startswith("*")


class Signature(NamedTuple):
    asynchronous: bool
    parameters: tuple[Parameter, ...]


def signature(shown: str) -> Signature | None:
    """Of `async connect(host, timeout: int = 30) -> None`; None when that can't be told, as when it was cut short."""
    head, opened, rest = shown.partition("(")
    if not opened or shown.endswith("…"):
        return None
    inside = _until_closed(rest)
    if inside is None:
        return None
    return Signature(head.startswith("async "), tuple(_parameter(part) for part in _split(inside)))


def only_adds(old: Symbol, new: Symbol) -> bool:
    """Whether everything that could be said of the old one can be said of the new one too."""
    if old.kind not in ("function", "method") or not old.path.endswith((".py", ".pyi")):
        return False
    before, after = signature(old.shown), signature(new.shown)
    if before is None or after is None or before.asynchronous != after.asynchronous:
        return False
    kept, added = after.parameters[: len(before.parameters)], after.parameters[len(before.parameters) :]
    if kept == before.parameters:
        return all(parameter.optional or parameter.name in ("*", "/") for parameter in added)
    return _only_keywords_added(before.parameters, after.parameters)


def _only_keywords_added(before: tuple[Parameter, ...], after: tuple[Parameter, ...]) -> bool:
    """Optional ones may come in between behind a star, or before `**`, where nobody counts places."""
    extra = [parameter for parameter in after if parameter not in before]
    if tuple(parameter for parameter in after if parameter in before) != before:
        return False
    star = next((at for at, parameter in enumerate(after) if parameter.name.startswith("*")), len(after))
    return all(parameter.optional and after.index(parameter) >= star for parameter in extra)


def words(shown: str) -> frozenset[str]:
    """The names and values in it, strings without their quotes."""
    return frozenset(word.strip("\"'") for word in _WORDS.findall(shown)) - {""}


class Difference(NamedTuple):
    lost: frozenset[str]
    """Words of the old interface that the new one doesn't have."""
    gained: frozenset[str]

    def stands_in(self, text: str) -> bool:
        """Whether a sentence still says what is no longer so."""
        return any(_said(word, text) for word in self.lost)

    def is_said_by(self, text: str) -> bool:
        """Whether a sentence says already what is so now, and nothing of what was."""
        return bool(self.gained) and all(_said(word, text) for word in self.gained) and not self.stands_in(text)


def difference(old: str, new: str) -> Difference:
    before, after = words(old), words(new)
    return Difference(before - after, after - before)


def _said(word: str, text: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(word)}(?![\w]|\.\w)", text) is not None


# --- reading --------------------------------------------------------------------------------------------------------


def _until_closed(text: str) -> str | None:
    depth, quote = 1, ""
    for at, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        elif letter in _OPEN:
            depth += 1
        elif letter in _CLOSE:
            depth -= 1
            if depth == 0:
                return text[:at]
    return None


def _split(text: str) -> list[str]:
    """At the commas that are inside of nothing."""
    parts, depth, quote, start = [], 0, "", 0
    for at, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        elif letter in _OPEN:
            depth += 1
        elif letter in _CLOSE:
            depth -= 1
        elif letter == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    return [part for part in [*parts, text[start:].strip()] if part]


def _parameter(text: str) -> Parameter:
    """`timeout: int = 30` without its type."""
    found = re.fullmatch(r"(\*{0,2}\w*|/)\s*(?::(?:[^=]|==)*?)?(?:=\s*(.*))?", text, re.DOTALL)
    return Parameter(found[1], found[2]) if found else Parameter(text, None)
