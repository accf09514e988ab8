"""Refs of git that are Cairn's: change requests, tickets, and the state that travels; and a search of git's objects."""

from collections.abc import Mapping
from typing import Final, NamedTuple

STATE_REF: Final = "refs/cairn/state"


REMOTE: Final = "origin"


class StateContents(NamedTuple):
    """What a commit holds for this workspace."""

    commit: str
    files: Mapping[str, bytes]
    snapshots: Mapping[str, str]
    """Blob of git by the key of the snapshot."""
    changes: Mapping[str, str]
    """Tree of git by the id of the request."""
