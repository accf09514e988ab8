"""What the shared store needs from a database: named queries, bulk inserts, transactions, migrations, a dump."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from cairn.errors import StoreNewer

if TYPE_CHECKING:
    from cairn.core.ports.search import TextQuery

Row = Sequence[Any]


class Database(Protocol):
    """A connection that speaks one dialect. Lists among the parameters belong to `IN [:name]`."""

    def run(self, query: str, parameters: Mapping[str, Any] | None = None, *, focused: bool = False) -> int:
        """Execute a named query; how many rows it touched."""
        ...

    def rows(
        self,
        query: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        focused: bool = False,
        where: str = "",
        order: str = "",
        limit: str = "",
    ) -> Iterator[Row]: ...

    def each(self, query: str, parameters: Iterable[Mapping[str, Any]]) -> None:
        """Execute a named query for each set of parameters."""
        ...

    def put(self, query: str, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """Execute a named query that puts one row into a table, for many rows at once; the query says which of two rows
        with one key stays."""
        ...

    def insert(self, table: str, columns: str, rows: Iterable[Row], *, replace: bool = False) -> None:
        """In bulk; with `replace`, rows with the same primary key make way."""
        ...

    def add(self, table: str, columns: str, rows: Sequence[Row]) -> None:
        """In bulk, those whose primary key is not there yet."""
        ...

    def add_events(self, columns: str, rows: Sequence[Row]) -> int:
        """In bulk, events that are not there yet; how many that were."""
        ...

    def delete_where(self, table: str, column: str, values: Sequence[Any]) -> None: ...
    def empty(self, tables: Sequence[str]) -> None: ...
    def focus(self, ids: Iterable[int]) -> None:
        """Fill the temporary table `scan_focus`."""
        ...

    def writing(self) -> AbstractContextManager[None]:
        """A write transaction: committed at the end, rolled back on an exception. Within another it is part of that."""
        ...

    def roomy(self) -> AbstractContextManager[None]:
        """With more memory, for work that writes much."""
        ...

    def put_texts(self, rows: Iterable[Row]) -> None:
        """Add rows to the full-text index."""
        ...

    def put_note_texts(self, texts: Iterable[Mapping[str, Any]]) -> None:
        """Add notes to the index of their words, in the order of their numbers."""
        ...

    def match(self, query: "TextQuery") -> str:
        """What to look for in the full-text index, as the parameter `match` of a named query."""
        ...

    # patterns
    def glob(self, column: str, parameter: str) -> str:
        """A condition that a column matches a shell pattern."""
        ...

    def glob_value(self, pattern: str) -> str:
        """A shell pattern as the parameter of that condition."""
        ...

    # care
    def table(self, name: str) -> Iterator[Row]:
        """Everything that is in a table."""
        ...

    def wipe(self) -> None:
        """Write everything anew, so that nothing of what was deleted is left in free space."""
        ...

    def check(self) -> list[str]: ...
    def dump(self, tables: Sequence[str]) -> Iterator[str]: ...
    def backup(self, target: str) -> None: ...
    def close(self) -> None: ...


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


def inserts(
    table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]], blob: Callable[[bytes], str]
) -> Iterator[str]:
    """One statement a row; `blob` writes bytes in the words of the database."""
    names = ", ".join(f'"{column}"' for column in columns)
    for row in rows:
        yield f"INSERT INTO {table} ({names}) VALUES ({', '.join(_literal(value, blob) for value in row)});\n"


def _literal(value: object, blob: Callable[[bytes], str]) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        return blob(value)
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return repr(value)


_PARTS = ("scan", "graph", "sources", "turns", "findings", "gaps", "usage", "vectors", "jobs", "trust")
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
