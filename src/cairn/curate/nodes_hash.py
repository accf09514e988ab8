"""One hash over all nodes of a base, by which an index says what it was made of."""

from collections.abc import Mapping
from hashlib import sha256

FOLDER = "nodes"
_OF_A_FOLDER = "index.md"
"""A tree has one in every folder. It is made of the nodes, so it is none; in a base of the first form it is a file like
any other."""


def is_hashed(place: str, *, tree: bool = False) -> bool:
    """Whether a file below `nodes/` counts."""
    return place.endswith(".md") and not (tree and place.rpartition("/")[2] == _OF_A_FOLDER)


def nodes_hash(contents: Mapping[str, bytes], *, tree: bool = False) -> str:
    """Of the files by their paths below `nodes/`, in whatever order they come."""
    hashed = ((place, data) for place, data in contents.items() if is_hashed(place, tree=tree))
    lines = (f"{place}\t{sha256(data).hexdigest()}" for place, data in hashed)
    joined = "\n".join(sorted(lines, key=_code_units))
    return f"sha256:{sha256(joined.encode('utf-8', 'surrogatepass')).hexdigest()}"


def _code_units(line: str) -> bytes:
    """The order that the first program to write such hashes sorts in, which differs beyond the basic plane."""
    return line.encode("utf-16-be", "surrogatepass")
