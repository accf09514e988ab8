"""What is looked for when something is to be forgotten: texts, or a pattern. It is never printed."""

import re
from collections.abc import Iterator, Sequence
from typing import Final
from urllib.parse import unquote

from cairn.capture.forget.spellings import longest, spellings
from cairn.errors import UsageError

MARK: Final = "[FORGOTTEN]"
SHORTEST: Final = 4
"""Characters of a literal: what is shorter stands everywhere."""
_OVERLAP: Final = 64 * 1024
"""How far what a pattern finds may reach from one piece of a file into the next."""
_ESCAPE: Final = re.compile(r'\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))')
_PLAIN: Final = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_DEPTH: Final = 3
"""How often JSON may be packed into JSON."""


class Needle:
    """Finds its texts in bytes, however they are written there; a pattern in everything that the bytes may mean."""

    def __init__(self, literals: Sequence[str] = (), pattern: re.Pattern[str] | None = None) -> None:
        self._spelled = [form for literal in literals for form in spellings(literal)]
        self._pattern = pattern
        self.overlap = max([longest(literal) for literal in literals] + ([_OVERLAP] if pattern else []), default=0)

    def found(self, data: bytes) -> bool:
        if any(form.search(data) for form in self._spelled):
            return True
        return self._pattern is not None and any(self._pattern.search(view) for view in _views(data))

    def masked(self, data: bytes) -> bytes:
        """With a mark in place of what is found as it stands there. Where it is escaped a pattern can't be masked, so
        look again."""
        for form in self._spelled:
            data = form.sub(MARK.encode(), data)
        if self._pattern is None:
            return data
        text = self._pattern.sub(lambda found: MARK if found[0] else "", _decoded(data))
        return text.encode("utf-8", "surrogateescape")

    def shown(self, text: str) -> str:
        """A text that may be printed: a path, say, that may hold what is to be forgotten."""
        return self.masked(text.encode("utf-8", "surrogateescape")).decode("utf-8", "replace")


def literal_needle(texts: Sequence[str]) -> Needle:
    if any(len(text.strip()) < SHORTEST for text in texts):
        raise UsageError(
            f"A literal needs {SHORTEST} characters or more, because what is shorter stands everywhere; "
            r"say more of it, or use a pattern such as --pattern '\bAda\b'."
        )
    return Needle(literals=[text.strip() for text in texts])


def pattern_needle(text: str) -> Needle:
    try:
        pattern = re.compile(text)
    except (re.error, RecursionError, OverflowError) as error:
        raise UsageError(f"--pattern is no regular expression ({error}); mend it, or use --literal.") from None
    if pattern.search(""):
        raise UsageError("--pattern also fits an empty text, so it would fit everything; make it say more.")
    return Needle(pattern=pattern)


# --- what bytes may mean --------------------------------------------------------------------------------------------


def _views(data: bytes) -> Iterator[str]:
    text = _decoded(data)
    yield text
    plain = text
    for _ in range(_DEPTH):
        if "\\" not in plain or (opened := _unescaped(plain)) == plain:
            break
        plain = opened
        yield plain
    if "%" in text:
        yield unquote(text, errors="replace")
    if "&" in text:
        from html import unescape

        yield unescape(text)
    if b"\0" in data:
        yield from (data[start:].decode(kind, "replace") for kind in ("utf-16-le", "utf-16-be") for start in (0, 1))


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _unescaped(text: str) -> str:
    """What JSON means by its backslashes; two halves of a letter become one."""
    plain = _ESCAPE.sub(lambda found: chr(int(found[1], 16)) if found[1] else _PLAIN.get(found[2], found[2]), text)
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
