"""What was said, as the text that a log keeps: `[USER]: …` and `[AGENT]: …`, with a blank line between."""

import re
from collections.abc import Iterator
from typing import Final

from cairn.core.model.session import Role

LABELS: Final[dict[Role, str]] = {"user": "[USER]: ", "assistant": "[AGENT]: "}
BETWEEN: Final = "\n\n"
_ROLES: Final[dict[str, Role]] = {"USER": "user", "AGENT": "assistant"}
_LOOKS_LIKE_A_LABEL: Final = re.compile(r"^(?=\[(?:USER|AGENT|PART \d+)\]:)", re.MULTILINE)
_LABEL: Final = re.compile(r"^\[(USER|AGENT|PART \d+)\]: ?", re.MULTILINE)


def block(role: Role, text: str) -> str:
    """What one side said. A line in it that looks like a label is moved by a space: a page that an agent quotes must
    not be able to speak as the user."""
    return LABELS[role] + _LOOKS_LIKE_A_LABEL.sub(" ", text)


def part_block(number: int) -> str:
    return f"[PART {number}]: the host rewrote its transcript; what follows was not in the log yet"


def spoken(text: str) -> Iterator[tuple[Role, str]]:
    """Who said what in a rendered text, again."""
    return ((role, words) for role, words, _ in spoken_at(text))


def spoken_at(text: str) -> Iterator[tuple[Role, str, int]]:
    """The same, and where the words begin."""
    marks = list(_LABEL.finditer(text))
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    for mark, end in zip(marks, ends, strict=False):
        if role := _ROLES.get(mark[1]):
            yield role, text[mark.end() : end].removesuffix(BETWEEN), mark.end()


def last_block(text: str) -> str:
    """Of the end of a rendered text; empty when it is not whole in it."""
    marks = list(_LABEL.finditer(text))
    return text[marks[-1].start() :] if marks else ""
