"""Names and files that the history of the code had and that it no longer has, with the commit that removed each."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from cairn.kernel.ports.history import FileChange, History
from cairn.kernel.repository.definitions import defined_in

MOST_BYTES = 600_000_000
"""Of old versions of code. A limit by work, not by time."""


_CANDIDATES = 6
"""Removed lines that are looked at closely for one name."""


class RemovedName(NamedTuple):
    name: str
    change: FileChange
    line: bytes
    """The line that defined it, as it was."""


class RemovedFile(NamedTuple):
    path: str
    change: FileChange


def removed_files(history: History) -> dict[str, RemovedFile]:
    """By path: the latest commit that deleted the file."""
    found: dict[str, RemovedFile] = {}
    for change in history.changes:
        if change.deleted and change.path not in found:
            found[change.path] = RemovedFile(change.path, change)
    return found


def removed_names(
    history: History, is_code: Callable[[str], bool], not_read: list[str]
) -> dict[str, list[RemovedName]]:
    """By name: the latest commits that removed a line which may have defined it, newest first. The name may still be
    defined elsewhere. `not_read` gets a word about versions beyond the limit."""
    changes = [change for change in history.changes if change.old and is_code(change.path)]
    found: dict[str, list[RemovedName]] = {}
    for change, old, new in _versions(history, changes, not_read):
        for line in sorted(old - new):
            for name in defined_in(line):
                known = found.setdefault(name, [])
                if len(known) < _CANDIDATES:
                    known.append(RemovedName(name, change, line))
    return found


Lines = frozenset[bytes]


def _versions(
    history: History, changes: Sequence[FileChange], not_read: list[str]
) -> Iterator[tuple[FileChange, Lines, Lines]]:
    """Each change with the lines before and after. A version is read once, and dropped after its last use."""
    uses: dict[str, int] = {}
    for change in changes:
        for id in (change.new, change.old):
            if id:
                uses[id] = uses.get(id, 0) + 1
    contents = history.blobs(uses)
    known: dict[str, Lines] = {"": frozenset()}
    left = MOST_BYTES
    for change in changes:
        for id in (change.new, change.old):
            while id not in known:
                read, data = next(contents)
                known[read] = frozenset((data or b"").split(b"\n"))
                left -= len(data or b"")
        if left < 0:
            not_read.append(f"code removed before {history.commits[change.at].date} (more than {MOST_BYTES:,} bytes)")
            return
        if not (change.at == 0 and not change.new and not change.deleted):
            yield change, known[change.old], known[change.new]
        for id in filter(None, (change.new, change.old)):
            uses[id] -= 1
            if not uses[id]:
                known[id] = frozenset()


class DocumentHistory:
    """Which text a document had right after some commit."""

    def __init__(self, history: History, documents: Callable[[str], bool]) -> None:
        self._history = history
        self._changes: dict[str, list[FileChange]] = {}
        for change in history.changes:
            if documents(change.path):
                self._changes.setdefault(change.path, []).append(change)
        self._texts: dict[str, bytes] = {}

    def had(self, path: str, word: bytes, at: int, today: bytes) -> bool:
        """Whether the document had this word when the commit with index `at` landed. Pages that were added later, or
        moved there, had nothing: silence is better than a guess."""
        newer = [change for change in self._changes.get(path, ()) if change.at < at]
        if not newer:
            return word in today
        return bool(newer[-1].old) and word in self._text(newer[-1].old)

    def _text(self, id: str) -> bytes:
        if id not in self._texts:
            self._texts.update((id, data or b"") for id, data in self._history.blobs([id]))
        return self._texts[id]


def where_it_went(
    history: History, removed: Mapping[str, RemovedFile], path: str, exists: Callable[[str], bool]
) -> str | None:
    """Where a deleted file lies today, if commits moved it."""
    at: str | None = path
    for _ in range(_HOPS):
        gone = removed.get(at) if at else None
        at = _target(history, gone) if gone else None
        if at is None or exists(at):
            return at
    return None


_HOPS = 4


def _target(history: History, gone: RemovedFile) -> str | None:
    """The same content under another name in the same commit; else what git takes for the new name."""
    same = [c.path for c in history.changes if c.at == gone.change.at and not c.old and c.new == gone.change.old]
    return same[0] if len(same) == 1 else history.moved(history.commits[gone.change.at], gone.path)
