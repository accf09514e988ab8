"""Makes a change set of the working tree, a diff or files, and finds the commit that it is made for."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, NamedTuple, Protocol

from cairn.core.model.change import ChangeSet, FileEdit
from cairn.core.ports.application import HasForge, HasVcs
from cairn.core.ports.vcs import Vcs
from cairn.errors import Conflict, EnvironmentProblem, UsageError

_HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_ESCAPES = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"a": b"\a", b"b": b"\b", b"f": b"\f", b"v": b"\v"}
_ESCAPED = re.compile(rb"\\([0-3][0-7]{2}|.)", re.S)
_NO_NEWLINE = b"\\"


class Hunk(NamedTuple):
    start: int
    """Line of the old file, from 1; where nothing was, the line after which to insert."""
    old: tuple[bytes, ...]
    """Lines with their newlines."""
    new: tuple[bytes, ...]


class FileDiff(NamedTuple):
    old: str | None
    """None when the file is new."""
    new: str | None
    """None when the file goes."""
    hunks: tuple[Hunk, ...]


class _Lines:
    """The lines of a diff, with a place in them."""

    def __init__(self, data: bytes) -> None:
        self._lines = _split(data)
        self.at = 0

    def peek(self) -> bytes | None:
        return self._lines[self.at] if self.at < len(self._lines) else None

    def before(self) -> bytes:
        """The line before the one that was just taken."""
        return self._lines[self.at - 2]

    def take(self) -> bytes:
        line = self.peek()
        if line is None:
            raise self.broken("ends in the middle of a hunk")
        self.at += 1
        return line

    def broken(self, what: str) -> UsageError:
        return UsageError(f"line {self.at + 1} of the diff: it {what}; make it anew with `git diff`.", line=self.at + 1)


def _split(data: bytes) -> list[bytes]:
    """By `\\n` alone: a carriage return belongs to its line."""
    parts = data.split(b"\n")
    return [part + b"\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def parse_diff(data: bytes) -> list[FileDiff]:
    """The files of a diff in their order; `UsageError` names the line that cannot be right."""
    lines = _Lines(data)
    files: list[FileDiff] = []
    while (line := lines.peek()) is not None:
        if line.startswith(b"diff --git "):
            files += _git_file(lines)
        elif line.startswith(b"--- "):
            files.append(_plain_file(lines))
        elif line.startswith((b"@@ -", b"Binary files ")):
            raise lines.broken("has a change without the name of its file")
        else:
            lines.at += 1
    if not files and data.strip():
        raise UsageError("This is no unified diff: no file is named in it; make one with `git diff`.")
    return files


def _git_file(lines: _Lines) -> Iterator[FileDiff]:
    """One file as git writes it: names may stand only in the extended header (a rename, an empty file)."""
    header = lines.take()
    facts: dict[bytes, bytes] = {}
    while (line := lines.peek()) is not None and not line.startswith((b"diff --git ", b"--- ", b"@@ -")):
        if line.startswith((b"Binary files ", b"GIT binary patch")):
            raise lines.broken("changes a file that is not text, which cannot be read from a diff")
        for word in (b"rename from ", b"rename to ", b"copy from ", b"copy to ", b"new file ", b"deleted file "):
            if line.startswith(word):
                facts[word.strip()] = line[len(word) :].rstrip(b"\r\n")
        lines.at += 1
    if line is not None and line.startswith(b"--- "):
        plain = _plain_file(lines)
        yield from _renamed(plain, facts)
    elif line is not None and line.startswith(b"@@ -"):
        raise lines.broken("has a hunk before the names of its file")
    else:
        yield from _without_hunks(header, facts)


def _renamed(plain: FileDiff, facts: dict[bytes, bytes]) -> Iterator[FileDiff]:
    if b"copy from" in facts:
        raise UsageError("The diff copies a file; make it anew with `git diff --no-renames`.")
    yield plain


def _without_hunks(header: bytes, facts: dict[bytes, bytes]) -> Iterator[FileDiff]:
    if b"copy from" in facts:
        raise UsageError("The diff copies a file; make it anew with `git diff --no-renames`.")
    if b"rename from" in facts and b"rename to" in facts:
        yield FileDiff(_unquoted(facts[b"rename from"]), _unquoted(facts[b"rename to"]), ())
    elif b"new file" in facts or b"deleted file" in facts:
        name = _common_name(header)
        yield FileDiff(None, name, ()) if b"new file" in facts else FileDiff(name, None, ())


def _common_name(header: bytes) -> str:
    """Of `diff --git a/NAME b/NAME`, where both names are the same."""
    rest = header.removeprefix(b"diff --git ").rstrip(b"\r\n")
    half = rest[: len(rest) // 2]
    name = _name(half)
    if name is None:
        raise UsageError("The diff names no file; make it anew with `git diff`.")
    return name


def _plain_file(lines: _Lines) -> FileDiff:
    old = _name(lines.take()[4:])
    if not (lines.peek() or b"").startswith(b"+++ "):
        raise lines.broken("has no line `+++` after `---`")
    new = _name(lines.take()[4:])
    if old is None and new is None:
        raise lines.broken("names no file")
    hunks: list[Hunk] = []
    while (line := lines.peek()) is not None and line.startswith(b"@@ -"):
        hunks.append(_hunk(lines))
    return FileDiff(old, new, tuple(hunks))


def _name(raw: bytes) -> str | None:
    """Without the `a/` or `b/` that git puts in front, and without a time behind a tab."""
    raw = raw.rstrip(b"\r\n")
    quoted = raw.startswith(b'"')
    name = _unquoted(raw if quoted else raw.split(b"\t", 1)[0])
    if name == "/dev/null":
        return None
    return name[2:] if name.startswith(("a/", "b/")) else name


def _unquoted(raw: bytes) -> str:
    if not (len(raw) >= 2 and raw.startswith(b'"') and raw.endswith(b'"')):
        return raw.decode("utf-8", "surrogateescape")
    return _ESCAPED.sub(_character, raw[1:-1]).decode("utf-8", "surrogateescape")


def _character(found: re.Match[bytes]) -> bytes:
    code = found[1]
    return bytes([int(code, 8)]) if len(code) == 3 else _ESCAPES.get(code, code)


def _hunk(lines: _Lines) -> Hunk:
    head = _HUNK.match(lines.peek() or b"")
    if head is None:
        raise lines.broken("has a hunk header that cannot be read")
    lines.at += 1
    left, right = _length(head[2]), _length(head[4])
    old: list[bytes] = []
    new: list[bytes] = []
    while len(old) < left or len(new) < right or _ends_open(lines):
        _take_line(lines, old, new, left, right)
    return Hunk(int(head[1]), tuple(old), tuple(new))


def _length(digits: bytes | None) -> int:
    return 1 if digits is None else int(digits)


def _ends_open(lines: _Lines) -> bool:
    return (lines.peek() or b"").startswith(_NO_NEWLINE)


def _take_line(lines: _Lines, old: list[bytes], new: list[bytes], left: int, right: int) -> None:
    line = lines.take()
    mark, text = line[:1], line[1:]
    if mark == _NO_NEWLINE:
        _drop_newline(lines.before()[:1], old, new)
        return
    if line in (b"\n", b"\r\n"):  # some tools cut blanks at the end of a line, and with them the mark of an empty one
        mark, text = b" ", line
    if mark not in b" -+" or (mark in b" -" and len(old) >= left) or (mark in b" +" and len(new) >= right):
        lines.at -= 1
        raise lines.broken("has a hunk that is not as long as it says")
    if mark in b" -":
        old.append(text)
    if mark in b" +":
        new.append(text)


def _drop_newline(mark: bytes, old: list[bytes], new: list[bytes]) -> None:
    for side, marks in ((old, b" -"), (new, b" +")):
        if mark in marks and side:
            side[-1] = side[-1].removesuffix(b"\n")


# --- putting it on top ----------------------------------------------------------------------------------------------


def edits_of(data: bytes, read: Callable[[str], bytes | None]) -> tuple[FileEdit, ...]:
    """The files as a diff wants them, made from those that `read` gives; `Conflict` where it does not fit."""
    found: dict[str, FileEdit] = {}
    for file in parse_diff(data):
        source = file.old if file.old is not None else file.new
        assert source is not None
        known = found[source].content if source in found else read(source)
        if file.old is not None and known is None:
            raise Conflict(f"The diff changes {source}, which is not there.", path=source)
        if file.old is None and known is not None:
            raise Conflict(f"The diff makes {source}, which is there already.", path=source)
        content = _patched(source, known or b"", file.hunks)
        if file.old is not None and file.old != file.new:
            found[file.old] = FileEdit(file.old, None)
        if file.new is not None:
            found[file.new] = FileEdit(file.new, content)
    return tuple(found[path] for path in sorted(found))


def _patched(path: str, content: bytes, hunks: tuple[Hunk, ...]) -> bytes:
    lines, result, at = _split(content), list[bytes](), 0
    for hunk in hunks:
        start = hunk.start - 1 if hunk.old else hunk.start
        if start < at or tuple(lines[start : start + len(hunk.old)]) != hunk.old:
            raise Conflict(f"The diff does not fit {path} at line {hunk.start}; make it anew.", path=path)
        result += lines[at:start]
        result += hunk.new
        at = start + len(hunk.old)
    return b"".join([*result, *lines[at:]])


PERSON = "person"
"""Origin of what somebody made by hand."""


class ReadNow(Protocol):
    def __call__(self, path: str, /) -> bytes | None:
        """A file of the working tree; None when it is not there."""
        ...


def from_worktree(
    vcs: Vcs, read: ReadNow, *, base: str, wanted: Callable[[str], bool] = lambda _: True, **facts: Any
) -> ChangeSet:
    """What the working tree holds that the base does not, of the files that are wanted."""
    paths = [change.path for change in vcs.changed(base) if wanted(change.path)]
    old = vcs.show([(base, path) for path in paths])
    now = [(path, before, read(path)) for path, before in zip(paths, old, strict=True)]
    return _change(base, (FileEdit(path, content) for path, before, content in now if content != before), facts)


def from_diff(diff: bytes, read_base: Callable[[str], bytes | None], *, base: str, **facts: Any) -> ChangeSet:
    """What a unified diff does to the files at the base."""
    return _change(base, edits_of(diff, read_base), facts)


def from_files(files: Mapping[str, bytes | None], *, base: str, **facts: Any) -> ChangeSet:
    """These files, as they should be; None takes one away."""
    return _change(base, (FileEdit(path, content) for path, content in files.items()), facts)


def _change(base: str, edits: Iterable[FileEdit], facts: Mapping[str, Any]) -> ChangeSet:
    known = tuple(sorted(edits, key=lambda edit: edit.path))
    subject = known[0].path if len(known) == 1 else "the working tree"
    title = f"Change {subject}" if len(known) == 1 else f"Change {len(known)} files"
    return ChangeSet(**{"origin": PERSON, "subject": subject, "title": title, **facts, "base": base, "edits": known})


class _Ports(HasForge, HasVcs, Protocol):
    pass


def base_commit(ports: _Ports) -> str:
    """The commit that changes are made for. For a forge elsewhere it is the one that was last fetched from there: a
    branch here may lag behind, or hold what nobody pushed."""
    name = ports.forge.base_branch()
    if ports.forge.name == "local":
        return ports.vcs.resolve(f"refs/heads/{name}")
    for ref in (f"refs/remotes/origin/{name}", f"refs/heads/{name}"):
        with suppress(UsageError):
            return ports.vcs.resolve(ref)
    raise EnvironmentProblem(f"The base branch `{name}` is not in this clone; run `git fetch origin {name}`.")
