"""The one way in which normal forms become digests."""

from collections.abc import Iterable
from hashlib import sha256

_BETWEEN = "\x1f"


def digest_of(parts: Iterable[str]) -> str:
    """Hex SHA-256 of tokens, which must not contain the unit separator themselves."""
    return sha256(_BETWEEN.join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def digest_of_bytes(data: bytes) -> str:
    return sha256(data).hexdigest()
