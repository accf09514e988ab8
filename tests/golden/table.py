"""Reads a table of commands: one a line, as typed after `cairn`.

# a comment
scan --json                        a command
CAIRN_OFF=1 hook stop < stop       with a variable, and a named text of the sample as its input
== sqlite                          what follows runs on SQLite only, until `== both`
@write docs/a.md "# A\\n"           a file is written; @append, @delete, @commit, @git and @page are the others
"""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

TABLES = Path(__file__).parent / "tables"
_VARIABLE = re.compile(r"([A-Z][A-Z_]+)=(.*)", re.DOTALL)


class Line(NamedTuple):
    text: str
    words: tuple[str, ...]
    env: dict[str, str]
    stdin: str | None
    """The name of a text of the sample."""
    only: str | None
    """`sqlite` or `postgres`."""

    @property
    def is_step(self) -> bool:
        return self.words[0].startswith("@")


def table_of(sample: str) -> list[Line]:
    return [*_lines((TABLES / f"{sample}.txt").read_text("utf-8"))]


def commands(sample: str) -> list[Line]:
    return [line for line in table_of(sample) if not line.is_step]


def _lines(text: str) -> Iterator[Line]:
    only = None
    for raw in text.splitlines():
        line = raw.strip()
        if line.startswith("== "):
            only = None if line == "== both" else line.removeprefix("== ")
        elif line and not line.startswith("#"):
            yield _line(line, only)


def _line(text: str, only: str | None) -> Line:
    words = shlex.split(text)
    env: dict[str, str] = {}
    while found := _VARIABLE.fullmatch(words[0]):
        env[found[1]] = found[2]
        words.pop(0)
    stdin = None
    if len(words) > 2 and words[-2] == "<":
        stdin = words[-1]
        words = words[:-2]
    return Line(text, tuple(words), env, stdin, only)
