"""What the shared store needs from a database: run a named query, insert in bulk, hold a transaction."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol

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
