"""`--with` a program of the tests, and what became of the questions."""

import shlex
import sys
from pathlib import Path
from typing import Any

from program import cairn

_PROGRAM = Path(__file__).with_name("fake_reader.py")


def reader(mode: str, *more: object) -> str:
    """A mode of `fake_reader.py`."""
    return "command:" + shlex.join([sys.executable, str(_PROGRAM), mode, *map(str, more)])


def counts(root: Path) -> dict[str, int]:
    """Jobs by state."""
    found = cairn("job", "status", "--json", cwd=root).json()
    return {state: count for state, count in found.items() if count}


def status(root: Path) -> Any:
    return cairn("status", "--json", cwd=root).json()["sections"]
