"""How a value of a file changed over the history."""

import re
from typing import NamedTuple

from cairn.kernel.ports.history import History
from cairn.kernel.ports.vcs import Commit


class ValueChange(NamedTuple):
    commit: Commit
    at: int
    """Index of the commit."""
    old: str
    new: str
    line: int
    """Of the value in the file after the commit."""


def value_changes(history: History, path: str, value: re.Pattern[bytes], today: bytes) -> list[ValueChange]:
    """Each commit that changed what the first group of the pattern finds in the file, newest first."""
    changes = [change for change in history.changes if change.path == path and change.old]
    texts = {id: data or b"" for id, data in history.blobs({id for c in changes for id in (c.old, c.new) if id})}
    found: list[ValueChange] = []
    for change in changes:
        old, new = value.search(texts[change.old]), value.search(texts[change.new] if change.new else today)
        if old and new and old[1] != new[1]:
            line = new.string.count(b"\n", 0, new.start(1)) + 1
            commit = history.commits[change.at]
            found.append(ValueChange(commit, change.at, old[1].decode(), new[1].decode(), line))
    return found
