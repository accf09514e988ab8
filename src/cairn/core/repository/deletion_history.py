"""Names and files that the history of the code had and that it no longer has, with the commit that removed each."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from cairn.core.ports.vcs import CommittedChange, History
from cairn.core.repository.code import with_words
from cairn.lib.code.definitions import defined_in


def removed_lines(old: bytes, new: bytes, wanted: frozenset[bytes]) -> list[bytes]:
    """Sorted; all lines that have one of the wanted words, and few others."""
    most = min(len(old), len(new))
    head = _common_head(old, new, most)
    start = old.rfind(b"\n", 0, head) + 1
    end = old.find(b"\n", len(old) - _common_tail(old, new, most - head))
    tail = len(old) - end if end >= 0 else 0
    before, after = (set(text[start : len(text) - tail].split(b"\n")) for text in (old, new))
    gone = with_words(b"\n".join(before - after), wanted)
    whole = b"\n%b\n" % new if gone else b""
    return sorted(line for line in gone if b"\n%b\n" % line not in whole)


def _common_head(one: bytes, other: bytes, most: int) -> int:
    """How many bytes both begin with."""
    same = 0
    while same < most:
        middle = (same + most + 1) // 2
        if one[same:middle] == other[same:middle]:
            same = middle
        else:
            most = middle - 1
    return same


def _common_tail(one: bytes, other: bytes, most: int) -> int:
    """How many bytes both end with."""
    same = 0
    while same < most:
        middle = (same + most + 1) // 2
        if one[len(one) - middle : len(one) - same] == other[len(other) - middle : len(other) - same]:
            same = middle
        else:
            most = middle - 1
    return same


MOST_BYTES = 600_000_000
"""Of old versions of code. A limit by work, not by time."""
_CANDIDATES = 6
"""Removed lines that are looked at closely for one name."""


class RemovedName(NamedTuple):
    name: str
    change: CommittedChange
    line: bytes
    """The line that defined it, as it was."""


class RemovedFile(NamedTuple):
    path: str
    change: CommittedChange


def removed_files(history: History) -> dict[str, RemovedFile]:
    """By path: the latest commit that deleted the file."""
    found: dict[str, RemovedFile] = {}
    for change in history.changes:
        if change.deleted and change.path not in found:
            found[change.path] = RemovedFile(change.path, change)
    return found


def removed_names(
    history: History, is_code: Callable[[str], bool], wanted: frozenset[str], not_read: list[str]
) -> dict[str, list[RemovedName]]:
    """By name, for those of `wanted`: the latest commits that removed a line which may have defined it, newest first.
    The name may still be defined elsewhere. Changes that are not committed don't count: they are the business of a
    diff. `not_read` gets a word about versions beyond the limit."""
    words = frozenset(name.encode() for name in wanted)
    found: dict[str, list[RemovedName]] = {}
    for change, old, new in _versions(history, _code_changes(history, is_code) if words else [], not_read):
        for line in removed_lines(old, new, words):
            for name in wanted.intersection(defined_in(line)):
                known = found.setdefault(name, [])
                if len(known) < _CANDIDATES:
                    known.append(RemovedName(name, change, line))
    return found


def _code_changes(history: History, is_code: Callable[[str], bool]) -> list[CommittedChange]:
    code = {path for path in {change.path for change in history.changes} if is_code(path)}
    return [
        change for change in history.changes if change.old and change.path in code and history.commits[change.at].id
    ]


def _versions(
    history: History, changes: Sequence[CommittedChange], not_read: list[str]
) -> Iterator[tuple[CommittedChange, bytes, bytes]]:
    """Each change with the content before and after; without those of which this clone lacks one, or that are too
    large. A version is read once, and dropped after its last use."""
    uses = Counter(id for change in changes for id in (change.new, change.old) if id)
    contents = history.blobs(uses)
    known: dict[str, bytes | None] = {"": b""}
    left = MOST_BYTES
    for change in changes:
        for id in (change.new, change.old):
            while id not in known:
                read, data = next(contents)
                known[read] = data
                left -= len(data or b"")
        if left < 0:
            not_read.append(f"code removed before {history.commits[change.at].date} (more than {MOST_BYTES:,} bytes)")
            return
        old, new = known[change.old], known[change.new]
        if old is not None and new is not None:
            yield change, old, new
        for id in filter(None, (change.new, change.old)):
            uses[id] -= 1
            if not uses[id]:
                known[id] = b""


class DocumentHistory:
    """Which text a document had right after some commit."""

    def __init__(self, history: History, documents: Callable[[str], bool]) -> None:
        self._history = history
        self._changes: dict[str, list[CommittedChange]] = {}
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


ByCommit = Mapping[int, Sequence[CommittedChange]]


def by_commit(changes: Sequence[CommittedChange]) -> ByCommit:
    """The files that each commit changed, by the index of the commit."""
    return {at: list(same) for at, same in groupby(changes, key=attrgetter("at"))}


def where_it_went(
    history: History,
    changes: ByCommit,
    removed: Mapping[str, RemovedFile],
    path: str,
    exists: Callable[[str], bool],
) -> str | None:
    """Where a deleted file lies today, if commits moved it."""
    at: str | None = path
    for _ in range(_HOPS):
        gone = removed.get(at) if at else None
        at = _target(history, changes, gone) if gone else None
        if at is None or exists(at):
            return at
    return None


_HOPS = 4


def _target(history: History, changes: ByCommit, gone: RemovedFile) -> str | None:
    """The same content under another name in the same commit; else what git takes for the new name."""
    same = [c.path for c in changes[gone.change.at] if not c.old and c.new == gone.change.old]
    return same[0] if len(same) == 1 else history.moved(history.commits[gone.change.at], gone.path)
