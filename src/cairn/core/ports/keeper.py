"""Looking after a database as a whole, also when it is missing, old, newer than this program, or damaged."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from cairn.core.ports.store import Store


class SchemaStep(NamedTuple):
    """One migration."""

    version: int
    name: str


class Shell(NamedTuple):
    """A program that talks to the database; what is secret travels in the environment."""

    command: tuple[str, ...]
    environment: Mapping[str, str]


class Keeper(Protocol):
    @property
    def label(self) -> str:
        """Where the database is, as a person may read it: no password in it."""
        ...

    @property
    def suffix(self) -> str:
        """Of the names of its backups."""
        ...

    def exists(self) -> bool: ...
    def version(self) -> int:
        """Of its schema; 0 when there is no database yet."""
        ...

    def steps(self) -> Sequence[SchemaStep]:
        """Every migration that this program knows, in order."""
        ...

    def open(self) -> Store:
        """Makes it when it is missing, migrates it when it is old."""
        ...

    def inspect(self, backup: Path) -> int:
        """The schema of a backup; one that is damaged, newer or no backup at all is refused."""
        ...

    def restore(self, backup: Path) -> str | None:
        """Put a backup in the place of the database; where that is kept now, if there was one."""
        ...

    def erase(self) -> list[str]:
        """Take the database away, sound or not; what was removed."""
        ...

    def parts(self) -> list[str]:
        """What `erase` would remove."""
        ...

    def shell(self) -> Shell: ...
