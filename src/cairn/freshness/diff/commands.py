"""Doubts about subcommands: a line runs one that the program no longer has."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from cairn.core.repository.definitions import is_comment
from cairn.core.repository.version import Version
from cairn.freshness.diff.definition import bounded
from cairn.freshness.diff.doubt import Doubt, Reason
from cairn.freshness.diff.pages import Pages
from cairn.freshness.diff.strength import Departed
from cairn.freshness.diff.vanished import ChangedFile, Grep, is_product

_NAMED = re.compile(
    r"""\bUse:\s*"([a-z][\w-]*)|\badd_parser\(\s*["']([a-z][\w-]*)["']|\.(?:sub)?command\(\s*["'`]([a-z][\w-]*)"""
    r"""|\bCommand::new\(\s*"([a-z][\w-]*)"|@\w[\w.]*\.(?:command|group)\((?:name\s*=\s*)?["']([a-z][\w-]*)["']"""
)
"""Cobra, argparse, commander and yargs, clap's builder, click and typer."""
_DECORATED = re.compile(r"\s*@\w[\w.]*\.(?:command|group)\((?!\s*(?:name\s*=\s*)?[\"'])")
_FUNCTION = re.compile(r"\s*(?:async\s+)?def\s+([a-z]\w*)")
_DERIVED = re.compile(r"\bderive\([^)]*\bSubcommand\b")
_VARIANT = re.compile(r"\s*([A-Z]\w*)\s*(?:[,({]|$)")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_NEAR = 6
"""Lines between a decorator and its function."""


class _Command(NamedTuple):
    name: str
    word: str
    """As the code has it: `FetchAll` for `fetch-all`."""
    at: int
    """The index of its line."""


class _LostCommand(NamedTuple):
    command: _Command
    file: ChangedFile
    successor: _Command | None


def command_doubts(files: Sequence[ChangedFile], pages: Pages, grep: Grep) -> Iterator[Doubt]:
    lost = list(_lost(files, grep))
    having = pages.having({one.command.name for one in lost})
    parents = frozenset(command.name for file in files if file.old for command in commands_in(file.old))
    for one in lost:
        for path in having.get(one.command.name, ()):
            page = pages.page(path)
            for number, line in page.lines_with((one.command.name,)):
                found = next(_runs(one.command.name, line, pages.programs, parents), None)
                if found and page.is_code(number, found) and not page.is_about_the_past(number):
                    yield _doubt(path, number, line, one)


def commands_in(data: bytes) -> Iterator[_Command]:
    """The subcommands that a file declares."""
    lines = data.decode("utf-8", "replace").split("\n")
    for at, line in enumerate(lines):
        if is_comment(line.encode()) and not line.lstrip().startswith("#["):
            continue
        for found in _NAMED.finditer(line):
            name = next(filter(None, found.groups()))
            yield _Command(name, name, at)
        if _DECORATED.match(line):
            functions = enumerate(lines[at + 1 : at + 1 + _NEAR], at + 1)
            below = next(((row, named[1]) for row, text in functions if (named := _FUNCTION.match(text))), None)
            if below:
                yield _Command(below[1].replace("_", "-"), below[1], below[0])
        if _DERIVED.search(line):
            yield from _variants(lines, at)


def _variants(lines: Sequence[str], at: int) -> Iterator[_Command]:
    """The variants of the enumeration below, by the indentation of the first one."""
    start = next((row for row in range(at, min(at + _NEAR, len(lines))) if "enum " in lines[row]), len(lines))
    indent = None
    for row in range(start + 1, len(lines)):
        if lines[row].startswith("}"):
            return
        found = _VARIANT.match(lines[row])
        if found and (indent is None or found.start(1) == indent):
            indent = found.start(1)
            yield _Command(_HUMP.sub("-", found[1]).lower(), found[1], row)


def _lost(files: Sequence[ChangedFile], grep: Grep) -> Iterator[_LostCommand]:
    code, departed = [file for file in files if is_product(file.path)], Departed(files)
    kept = {command.name for file in code if file.new for command in commands_in(file.new)}
    for file in code:
        old = {command.name: command for command in commands_in(file.old)} if file.old else {}
        for name, command in old.items():
            if name not in kept and not departed.has(file.path) and not _stands(command, grep):
                yield _LostCommand(command, file, _successor(command, file, old))


def _stands(command: _Command, grep: Grep) -> bool:
    """Whether the code still has it: as a whole string, such as an alias, or as the name that it is derived from."""
    quoted = re.compile(rf"""["'`]{re.escape(command.name)}["'`\s]""")
    word = bounded(command.word) if command.word != command.name else quoted
    lines = (line for path, line in grep(sorted({command.name, command.word})) if is_product(path))
    return any((quoted.search(line) or word.search(line)) and not is_comment(line.encode()) for line in lines)


def _successor(command: _Command, file: ChangedFile, old: Iterable[str]) -> _Command | None:
    """What the same line declares now."""
    before, after = Version(file.old or b""), Version(file.new or b"")
    text = before.lines[command.at].decode("utf-8", "replace").strip()
    word = after.successors(before).of(command.word, text) or after.in_place_of(before, command.at, command.word)
    new = (one for one in commands_in(file.new or b"") if one.name not in old)
    return next((one for one in new if one.word == word), None)


def _runs(name: str, line: str, programs: frozenset[str], parents: frozenset[str]) -> Iterator[re.Match[str]]:
    """Where a line runs it: behind the name of a program of ours, maybe with another subcommand between."""
    for found in re.finditer(rf"(?<![\w./-])([\w.-]+)((?:\s+[a-z][\w-]*)?)\s+{re.escape(name)}(?![\w./=:-])", line):
        between = found[2].strip()
        if found[1].lower() in programs and (not between or between in parents):
            yield found


def _doubt(path: str, number: int, line: str, one: _LostCommand) -> Doubt:
    old = (one.file.old or b"").decode("utf-8", "replace").split("\n")
    new, to = (one.file.new or b"").decode("utf-8", "replace").split("\n"), one.successor
    did = f"renamed to `{to.name}`" if to else f"removed from {one.file.path}"
    return Doubt(
        path, number, line, one.command.name, Reason.RENAMED if to else Reason.REMOVED,
        f"The command `{one.command.name}` no longer exists: {did}.", one.file.path, to.at + 1 if to else None,
        old[one.command.at].strip(), new[to.at].strip() if to else "", True, one.command.at + 1,
        f"Write `{to.name}`." if to else "Update or remove this sentence.",
    )  # fmt: skip
