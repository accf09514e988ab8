"""The prompt of a job: the preamble, the action's template, and the material between fences that it cannot close."""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

PREAMBLE_VERSION: Final = 1
_TAG: Final = re.compile(r"(<\s*+(?:/\s*+)?user-content\b(?:[^<>]*+(?=>))?)", re.IGNORECASE)
_UNSEEN: Final = ("Cc", "Cf", "Cs", "Co", "Cn")
_LONGEST_PROBLEM: Final = 300
_AGAIN: Final = """Your last answer to this question was refused. The block `problems` lists what was wrong with it, one
problem on each line. Answer the whole question once more, so that none of them is left. Leave out what can't be
answered without them."""
_ESCAPES: Final = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\r": "&#13;"}


def prompt_of(template: str, subject: str, material: str) -> str:
    """A template names no place for the material: it always comes last, so that none of it stands outside of the
    fences."""
    return f"{preamble()}\n{template.strip()}\n\n{fenced(subject, material)}\n"


def retry_prompt(prompt: str, problems: Sequence[str]) -> str:
    """The same question, and what was wrong with the answer to it. Problems can quote the material, so they are fenced
    as well."""
    listed = "\n".join(f"- {one_line(problem)}" for problem in problems)
    return f"{prompt.rstrip()}\n\n{_AGAIN}\n\n{fenced('problems', listed)}\n"


def one_line(text: str) -> str:
    """Without signs that can't be seen."""
    line = " ".join(text.split())
    line = "".join(letter for letter in line if unicodedata.category(letter) not in _UNSEEN)
    return line if len(line) <= _LONGEST_PROBLEM else f"{line[: _LONGEST_PROBLEM - 90]} … {line[-80:]}"


def fenced(subject: str, material: str) -> str:
    """A tag of this name inside gets a zero-width space before its `>`, or behind its name where it never ends; nothing
    else changes."""
    id = "".join(_ESCAPES.get(letter, letter) for letter in subject)
    inner = _TAG.sub("\\1\u200b", storable(material))
    return f'<user-content id="{id}">\n{inner}\n</user-content>'


def storable(text: str) -> str:
    """Without what a database refuses: half a surrogate pair, and NUL."""
    return text.encode("utf-8", "replace").decode().replace("\0", "\ufffd")


@cache
def preamble() -> str:
    return (Path(__file__).parent / f"preamble-v{PREAMBLE_VERSION}.txt").read_text("utf-8")
