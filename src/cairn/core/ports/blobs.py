"""Contents kept by their hash: snapshots of sources, evidence of changes."""

from typing import NamedTuple, Protocol


class Kept(NamedTuple):
    key: str
    bytes: int
    """That it takes."""
    at_ms: int
    """When it was last put."""


class Blobs(Protocol):
    def put(self, data: bytes) -> str:
        """Keep it and return its key, `sha256:` and 64 hex digits; the same data has the same key."""
        ...

    def get(self, key: str) -> bytes | None:
        """None when it is not there, or is not what it was."""
        ...

    def keys(self) -> list[str]: ...

    def entries(self) -> list[Kept]:
        """Everything that is there, the oldest first."""
        ...

    def drop(self, keys: list[str]) -> int:
        """How many were there."""
        ...
