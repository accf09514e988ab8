"""Rows as SQL text that puts them back."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any


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
