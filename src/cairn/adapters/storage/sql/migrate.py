"""Bringing a database to the newest schema, one file at a time, each in its own transaction."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from cairn.errors import StoreNewer


class Migration(NamedTuple):
    version: int
    name: str
    sql: str


def migrations(folder: Path) -> list[Migration]:
    found = []
    for file in sorted(folder.glob("[0-9]*.sql")):
        number, _, name = file.stem.partition("_")
        found.append(Migration(int(number), name, file.read_text("utf-8")))
    return found


def newest(folder: Path) -> int:
    """The number of the last migration, without reading any."""
    return max(int(file.name.partition("_")[0]) for file in folder.glob("[0-9]*.sql"))


def refuse_newer(current: int, folder: Path) -> int:
    """The newest schema that this program knows; a database that is ahead of it is refused, never touched."""
    last = newest(folder)
    if current > last:
        raise StoreNewer(
            f"The database has schema {current}, this Cairn knows {last}; "
            "upgrade with `pip install -U cairn-kb` or point --db at another file."
        )
    return last


def migrate(folder: Path, current: int, apply: Callable[[Migration], None]) -> list[Migration]:
    """Apply what is missing."""
    last = refuse_newer(current, folder)
    missing = [m for m in migrations(folder) if m.version > current] if current < last else []
    for migration in missing:
        apply(migration)
    return missing
