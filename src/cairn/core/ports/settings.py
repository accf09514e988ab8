"""The settings in force, as operations ask for them."""

from collections.abc import Mapping
from typing import Any, Protocol


class Origin(Protocol):
    """Where a value comes from."""

    @property
    def layer(self) -> str: ...

    @property
    def file(self) -> str | None:
        """The file, or the name of the environment variable."""
        ...

    @property
    def line(self) -> int | None: ...


class Settings(Protocol):
    """Asking for a key that is not in the table is a mistake in the program: `KeyError`."""

    @property
    def values(self) -> Mapping[str, Any]:
        """By dotted key; lists are tuples."""
        ...

    @property
    def warnings(self) -> tuple[str, ...]: ...

    @property
    def refused(self) -> Mapping[str, str]:
        """By key: where somebody set it who may not, as `file:line`."""
        ...

    def source(self, key: str) -> Origin: ...

    def flag(self, key: str) -> bool: ...

    def integer(self, key: str) -> int: ...

    def optional_integer(self, key: str) -> int | None: ...

    def text(self, key: str) -> str: ...

    def optional_text(self, key: str) -> str | None: ...

    def texts(self, key: str) -> tuple[str, ...]: ...

    def mapping(self, prefix: str) -> dict[str, Any]: ...
