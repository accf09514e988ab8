"""What of a change can make a sentence false: compares two interfaces as people see them.

A symbol's digests say *that* something changed; here is said whether a reader would notice. Something more that is
optional, or a type that is now written down, makes no sentence false.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from cairn.kernel.code.model import Outline, Symbol

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
    cut: bool
    """Whether there are more than can be seen."""

    @property
    def required(self) -> frozenset[str]:
        return frozenset(parameter.name for parameter in self.parameters if not parameter.optional) - {"*", "/"}


def signature(shown: str) -> Signature | None:
    """Of `async connect(host, timeout: int = 30) -> None`; None for what has none."""
    head, opened, rest = shown.partition("(")
    if not opened:
        return None
    inside = _until_closed(rest)
    parts = _split(rest if inside is None else inside)
    seen = parts if inside is not None else parts[:-1]
    return Signature(head.startswith("async "), tuple(_parameter(part) for part in seen), inside is None)


class Interface(NamedTuple):
    """A symbol with what belongs to it: parameters of a function; of a class those of its constructor, and what it
    holds."""

    symbol: Symbol
    parts: Mapping[str, str]
    """By name: `timeout` and `timeout=30`."""

    @property
    def cut(self) -> bool:
        return self.symbol.shown.endswith("…")


def interface_of(symbol: Symbol, outline: Outline) -> Interface:
    owners = {symbol.name, f"{symbol.name}.__init__", f"{symbol.name}.__new__"}
    parts = {
        other.short: other.shown
        for other in outline.symbols
        if other.kind in ("parameter", "attribute") and other.name.rpartition(".")[0] in owners
    }
    return Interface(symbol, parts)


def only_adds(old: Interface, new: Interface) -> bool:
    """Whether everything that could be said of the old one can be said of the new one too. Types are not compared."""
    before, after = signature(old.symbol.shown), signature(new.symbol.shown)
    if before is None or after is None or before.asynchronous != after.asynchronous:
        return False
    if before.cut or after.cut:
        return _seems_to_add(old, new, before, after)
    kept, added = after.parameters[: len(before.parameters)], after.parameters[len(before.parameters) :]
    if kept == before.parameters:
        return all(parameter.optional or parameter.name in ("*", "/") for parameter in added)
    return _only_keywords_added(before.parameters, after.parameters)


def _seems_to_add(old: Interface, new: Interface, before: Signature, after: Signature) -> bool:
    """Of signatures that are too long to be seen whole: by their defaults, and by what can be seen."""
    if any(new.parts.get(name) != shown for name, shown in old.parts.items()):
        return False
    return (after.cut or before.required <= after.required) and (before.cut or after.required <= before.required)


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


def interface_difference(old: Interface, new: Interface) -> Difference:
    """By everything that can be seen of both. What one of them shows only in part is left out: a word that is out of
    sight is not gone."""
    whole = not (old.cut or new.cut)
    texts = [" ".join([one.symbol.shown if whole else "", *one.parts.values()]) for one in (old, new)]
    return difference(*texts)


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
