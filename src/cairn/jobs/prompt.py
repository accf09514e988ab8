"""The prompt of a job: the preamble, the action's template, and the material between fences that it cannot close."""

import re
from functools import cache
from pathlib import Path
from typing import Final

PREAMBLE_VERSION: Final = 1
_TAG: Final = re.compile(r"(<\s*+(?:/\s*+)?user-content\b(?:[^<>]*+(?=>))?)", re.IGNORECASE)
_ESCAPES: Final = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\r": "&#13;"}


def prompt_of(template: str, subject: str, material: str) -> str:
    """A template names no place for the material: it always comes last, so that none of it stands outside of the
    fences."""
    return f"{preamble()}\n{template.strip()}\n\n{fenced(subject, material)}\n"


def fenced(subject: str, material: str) -> str:
    """A tag of this name inside gets a zero-width space before its `>`, or behind its name where it never ends; nothing
    else changes."""
    id = "".join(_ESCAPES.get(letter, letter) for letter in subject)
    inner = _TAG.sub("\\1\u200b", material)
    return f'<user-content id="{id}">\n{inner}\n</user-content>'


@cache
def preamble() -> str:
    return (Path(__file__).parent / f"preamble-v{PREAMBLE_VERSION}.txt").read_text("utf-8")
