"""Contents kept by their hash: snapshots of sources, evidence of changes."""

from typing import Protocol


class Blobs(Protocol):
    def put(self, data: bytes) -> str:
        """Keep it and return its key, `sha256:` and 64 hex digits; the same data has the same key."""
        ...

    def get(self, key: str) -> bytes | None: ...

    def keys(self) -> list[str]: ...

    def drop(self, keys: list[str]) -> int:
        """How many were there."""
        ...
