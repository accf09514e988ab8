"""Values that a file declared once and declares no longer."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from cairn.core.ports.vcs import Commit, History


class OldValue(NamedTuple):
    value: str
    commit: Commit
    """The latest one that replaced the value."""
    at: int
    """Index of that commit."""
    path: str


def old_values(history: History, sources: Sequence[tuple[str, re.Pattern[bytes]]]) -> list[OldValue]:
    """What the first group of each pattern found in older versions of each file, newest first, each value once. A
    project may move a setting from one file to another, so all files that could hold it are asked together."""
    patterns = dict(sources)
    changes = [change for change in history.changes if change.path in patterns and change.old]
    texts = dict(history.blobs(dict.fromkeys(change.old for change in changes)))
    found: dict[str, OldValue] = {}
    for change in changes:
        match = patterns[change.path].search(texts[change.old] or b"")
        if match and match[1].decode() not in found:
            commit = history.commits[change.at]
            found[match[1].decode()] = OldValue(match[1].decode(), commit, change.at, change.path)
    return list(found.values())
