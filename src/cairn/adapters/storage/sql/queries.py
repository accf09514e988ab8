"""Named queries from .sql files, and the few places in them that are filled in when run."""

import re
from functools import cache
from pathlib import Path

_PARTS = ("scan", "graph", "sources", "turns", "findings", "gaps", "usage", "vectors", "jobs")
SHARED = tuple(Path(__file__).parent / f"{name}.sql" for name in _PARTS)

_NAME = re.compile(r"^-- name: (\w+)$", re.MULTILINE)
_PART = re.compile(r"\[= (\w+)\]")
_HOLE = re.compile(r" ?\[(focus [\w.]+|where|order|limit)\]")


@cache
def queries(files: tuple[Path, ...]) -> dict[str, str]:
    """Every query by name; a later file overrides an earlier one. `[= name]` stands for what has that name."""
    found: dict[str, str] = {}
    for file in files:
        parts = _NAME.split(file.read_text("utf-8"))
        found.update(zip(parts[1::2], (part.strip() for part in parts[2::2]), strict=True))
    return {name: _whole(text, found) for name, text in found.items()}


def _whole(text: str, found: dict[str, str]) -> str:
    return _PART.sub(lambda part: _whole(found[part.group(1)], found), text)


def compose(text: str, *, focused: bool = False, where: str = "", order: str = "", limit: str = "") -> str:
    """A query with its holes filled; whatever comes from outside travels as a parameter, never in here."""

    def fill(hole: re.Match[str]) -> str:
        word, _, column = hole.group(1).partition(" ")
        if word == "focus":
            return f" AND {column} IN (SELECT id FROM scan_focus)" if focused else ""
        text = {"where": where and f"AND {where}", "order": order, "limit": limit}[word]
        return f" {text}" if text else ""

    return _HOLE.sub(fill, text)
