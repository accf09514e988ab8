"""Takes names and words out of lines of code and documents, in forms that can be compared."""

import re
from collections.abc import Iterable
from typing import Final

from cairn.core.repository.code import is_shaped

NAME: Final = re.compile(r"(?<![\w-])--[a-z][a-z0-9]*(?:-[a-z0-9]+)*|[A-Za-z_]\w*(?:-[A-Za-z]\w*)*")
SHORTEST: Final = 4
"""Letters of a word that tells something."""
_PART: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_STEM: Final = 6


def plain_form(name: str) -> str:
    """`storage-file`, `storage_file` and `StorageFile` are one name."""
    return name.replace("-", "").replace("_", "").lower()


def is_distinct_name(name: str) -> bool:
    """Whether a word is a name and not a plain word: `storageFile`, `storage_file`, `storage-file`."""
    return is_shaped(name) or name.startswith("--") or "." in name or "-" in name


def words_of(text: str) -> set[str]:
    """In small letters, with the parts of names."""
    return {part.lower() for part in _PART.findall(text) if len(part) >= SHORTEST}


def stems_of(text: str) -> set[str]:
    """The beginnings of words in any script, and of the parts of names: `listeners` and `listening` are alike."""
    found = words_of(text) | {word.lower() for word in _LETTERS.findall(text) if not word.isascii()}
    return {word[:_STEM] for word in found}


def plain_names(lines: Iterable[str]) -> set[str]:
    return {plain_form(name) for line in lines for name in NAME.findall(line) if len(name.strip("-")) >= SHORTEST}
