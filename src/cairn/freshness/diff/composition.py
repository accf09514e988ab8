"""Finds names that the code puts together from parts, so that no line has the whole."""

import re
from collections.abc import Iterable, Iterator

from cairn.freshness.diff.vanished import Grep, counts_as_code


def composed(words: Iterable[str], grep: Grep) -> set[str]:
    """Of these words, those that the code may put together: `ec2_sd_configs` where it has the string "_sd_configs"."""
    parts = {word: set(_parts(word)) for word in words}
    asked = {part for some in parts.values() for part in some}
    found: set[str] = set()
    for path, line in grep(sorted(asked)) if asked else ():
        if counts_as_code(path, line):
            line = _COMPARED.sub("", line)
            found.update(part for part in asked if part in line and _is_glued(part, line))
    return {word for word, some in parts.items() if some & found}


_COMPARED = re.compile(
    r"""(?i)\.?\b(?:starts_?with|ends_?with|has_?prefix|has_?suffix)[?!]?[\s(]\s*(?:\w+,\s*)?["'][^"'\n]*["']"""
)
"""A part that is only looked for, which makes no name."""


def _parts(word: str) -> Iterator[str]:
    """What may be left of a word: its end with a separator before it, or its beginning with one behind it. It has two
    of its parts at least, and half of them; less is a prefix that many names have."""
    bare = word.removeprefix("--")
    cuts = [found.start() for found in re.finditer(r"(?<=\w)[_-](?=\w)", bare)]
    for number, cut in enumerate(cuts, 1):
        behind, before = len(cuts) + 1 - number, number
        if behind >= _TWO and behind * 2 > len(cuts):
            yield bare[cut:]
        if before >= _TWO and before * 2 > len(cuts):
            yield bare[: cut + 1]


_TWO = 2


def _is_glued(part: str, line: str) -> bool:
    """Whether a string or a part of a template is exactly this; a quotation inside a message is neither."""
    found = re.finditer(rf"""(["'`}}]){re.escape(part)}["'`{{$]""", line)
    return any(one[1] != "'" or line.count('"', 0, one.start()) % 2 == 0 for one in found)
