"""Names and files that the history of the code had and that are gone, and the old versions that prove it."""

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, groupby
from operator import attrgetter
from typing import NamedTuple

from cairn.core.ports.vcs import CommittedChange, History
from cairn.core.repository.code import with_words
from cairn.core.repository.tree import decoded
from cairn.lib.code.definitions import defined_in, types_in


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


_PART = re.compile(r"[a-z]+|[A-Z][a-z]*")
_KEYWORDS = frozenset(
    ("def", "class", "self", "function", "func", "fn", "const", "let", "var", "async", "export", "public", "void")
)


class _Names(NamedTuple):
    """Names that stand between the same beginning and the same end of a line."""

    all: frozenset[str]
    by_part: Mapping[str, frozenset[str]]


_PLACES = 3
"""Of a name in its line: a variable, the flag that sets it, and the word for it in the help text."""


class Successors:
    """The lines that a commit added to a file. Lines of one shape are looked at once, however many names ask."""

    def __init__(self, added: Iterable[str]) -> None:
        self._added = tuple(dict.fromkeys(added))
        self._shapes: dict[tuple[str, str], _Names] = {}

    def of(self, name: str, line: str) -> str | None:
        """The name that stands in the place of another now, if exactly one added line differs from the removed one in
        nothing else."""
        places = [(line[: found.start()], line[found.end() :]) for found in re.finditer(re.escape(name), line)]
        return next(filter(None, (self._between(name, before, after) for before, after in places[:_PLACES])), None)

    def _between(self, name: str, before: str, after: str) -> str | None:
        if (before, after) not in self._shapes:
            self._shapes[before, after] = self._names(before, after)
        names = self._shapes[before, after]
        found = (names.all if _is_telling(before + after) else _alike(name, names)) - {name}
        return next(iter(found)) if len(found) == 1 else None

    def _names(self, before: str, after: str) -> _Names:
        fitting = (line for line in self._added if line.startswith(before) and line.endswith(after))
        names = {line[len(before) : len(line) - len(after)] for line in fitting}
        known = frozenset(name for name in names if _NAME.fullmatch(name))
        by_part: dict[str, set[str]] = defaultdict(set)
        for name in known:
            for part in _parts(name):
                by_part[part].add(name)
        return _Names(known, {part: frozenset(same) for part, same in by_part.items()})


def _alike(name: str, names: _Names) -> frozenset[str]:
    """Those that share a part with a name: two short lines that differ in unlike names differ by chance."""
    return frozenset().union(*(names.by_part.get(part, frozenset()) for part in _parts(name)))


def _parts(name: str) -> set[str]:
    return {part.lower() for part in _PART.findall(name)}


def _is_telling(rest: str) -> bool:
    """Whether what stands around a name says so much that the line is the same one."""
    return len([word for word in re.findall(r"[^\W\d_]\w+", rest) if word not in _KEYWORDS]) > 1


_PASSED_ON = re.compile(rb"\bimport\s+\*|\bexport\s+\*|\buse\s+[\w:]+::\*")
_NAME = re.compile(r"(?:--)?[A-Za-z_][\w-]{2,}")
_QUOTED_FLAG = re.compile(rb"""["'`]--[a-z]""")
_NOT_RAW = re.compile(rb"""\"(?:[^"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`[^`\n]*+`|//.*""")
"""Strings that end on their line, and comments, whichever begins first."""
_OPENS_COMMENT = re.compile(rb"""[^"'`]*/\*""")
"""A comment begins outside of a string, such as a pattern of paths."""


class OldVersion:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self.lines = data.split(b"\n")
        self._successors: tuple[OldVersion, Successors] | None = None

    def find(self, line: bytes) -> int | None:
        """The index of the first line that reads like this."""
        return self._places.get(line)

    def lines_with(self, texts: Collection[bytes]) -> list[int]:
        """The indexes of the lines that have one of these texts, which no line break divides."""
        return sorted({at for text in texts for at in self._lines_with(text)})

    def _lines_with(self, text: bytes) -> Iterator[int]:
        place = self._data.find(text)
        while place >= 0:
            at = bisect_right(self._starts, place) - 1
            yield at
            place = self._data.find(text, self._starts[at] + len(self.lines[at]))

    @cached_property
    def _starts(self) -> list[int]:
        """Where each line begins."""
        return list(accumulate((len(line) + 1 for line in self.lines[:-1]), initial=0))

    @cached_property
    def _places(self) -> dict[bytes, int]:
        return {line: at for at, line in reversed(list(enumerate(self.lines)))}

    def in_docstring(self, at: int) -> bool:
        return self._quotes[at] % 2 == 1

    @cached_property
    def _quotes(self) -> list[int]:
        """How many triple quotes stand above each line."""
        return list(accumulate((line.count(b'"""') + line.count(b"'''") for line in self.lines), initial=0))

    def in_raw_string(self, at: int) -> bool:
        """Whether the line begins inside of a string between backticks."""
        return self._backticks[at] % 2 == 1

    @cached_property
    def _backticks(self) -> list[int]:
        """How many backticks stand above each line, without those of strings and comments."""
        found = [0]
        for line in self.lines:
            code = line if b"`" not in line or found[-1] % 2 else _NOT_RAW.sub(b"", line)
            found.append(found[-1] + code.count(b"`"))
        return found

    def in_block_comment(self, at: int) -> bool:
        """Whether the line begins between `/*` and `*/`."""
        return self._comments[at]

    @cached_property
    def _comments(self) -> list[bool]:
        inside, found = False, []
        for line in self.lines:
            found.append(inside)
            opened, closed = line.rfind(b"/*"), line.rfind(b"*/")
            if opened >= 0 or closed >= 0:
                inside = opened > closed and (inside or _OPENS_COMMENT.match(line) is not None)
        return found

    @cached_property
    def types(self) -> frozenset[str]:
        return types_in(self.lines)

    @cached_property
    def passes_on(self) -> bool:
        """Whether something that another module defines can be imported from this one."""
        return any(_PASSED_ON.search(line) for line in self.lines)

    @cached_property
    def quotes_flags(self) -> bool:
        return any(_QUOTED_FLAG.search(line) for line in self.lines)

    def has(self, word: str) -> bool:
        """Whether the word stands anywhere in it by itself."""
        data = word.encode()
        return data in self._data and re.search(rb"\b" + re.escape(data) + rb"\b", self._data) is not None

    def in_place_of(self, old: "OldVersion", at: int, name: str) -> str | None:
        """The name in the line between the same two lines, if that differs in nothing else and says something."""
        before, _, after = decoded(old.lines[at]).partition(name)
        if not re.search(r"[\w=:(]", before + after) or not 0 < at < len(old.lines) - 1:
            return None
        around = (old.lines[at - 1], old.lines[at + 1])
        for here in range(1, len(self.lines) - 1):
            if (self.lines[here - 1], self.lines[here + 1]) == around:
                line = decoded(self.lines[here])
                found = line[len(before) : len(line) - len(after)]
                if line == f"{before}{found}{after}" and _NAME.fullmatch(found):
                    return found
        return None

    def successors(self, old: "OldVersion") -> Successors:
        """Among the lines that the version before did not have."""
        if self._successors is None or self._successors[0] is not old:
            known = frozenset(old.lines)
            self._successors = old, Successors(decoded(line).strip() for line in self.lines if line not in known)
        return self._successors[1]
