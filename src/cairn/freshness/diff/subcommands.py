"""Doubts about flags of subcommands: one no longer takes a flag that others still have."""

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from cairn.freshness.diff.doubt import Doubt, Reason
from cairn.freshness.diff.pages import Pages
from cairn.freshness.diff.vanished import ChangedFile, Grep, declares, flags_declared, is_product
from cairn.freshness.states import State

_FOLDER = re.compile(r"(?i)(?:^|/)(?:sub)?(?:cmds?|commands?)(?:/|$)")
_AFFIX = re.compile(r"(?i)^(?:cmd|command)[_-]|[_-]?(?:cmd|command)$")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


class _LostFlag(NamedTuple):
    flag: str
    command: str
    file: ChangedFile


def subcommand_doubts(files: Sequence[ChangedFile], pages: Pages, grep: Grep, code: State) -> Iterator[Doubt]:
    """Lines that pass such a flag to its command, or list it in the section of the command."""
    lost = list(_lost(files))
    having = pages.having({one.flag for one in lost})
    for one in lost:
        documents = having.get(one.flag, ())
        if documents and _is_left_to_others(one, grep, code):
            for path in documents:
                page = pages.page(path)
                for found in page.occurrences(one.flag):
                    headings = page.outline.headings_above(found.line)
                    if _passes(found.text, headings, one, pages) and not page.is_about_the_past(found.line):
                        yield _doubt(path, found.line, found.text, one)


def command_of(path: str) -> str | None:
    """`list-all` for `cmd/list_all.go` and `Command/ListAllCommand.php`; None for a file that is no subcommand."""
    folder, name = posixpath.split(path)
    stem = _AFFIX.sub("", name.partition(".")[0])
    if not stem or not _FOLDER.search(folder):
        return None
    return _HUMP.sub("-", stem).replace("_", "-").lower()


def _lost(files: Iterable[ChangedFile]) -> Iterator[_LostFlag]:
    """Flags that a file of a subcommand declared, and does not name any more; not those that another file got."""
    commands = [file for file in files if file.old and file.new and is_product(file.path) and command_of(file.path)]
    if not commands:
        return
    gained = set[bytes]().union(*(flags_declared(file.new or b"") - flags_declared(file.old or b"") for file in files))
    for file in commands:
        for flag in sorted(flags_declared(file.old or b"") - gained):
            if flag.removeprefix(b"--") not in (file.new or b""):
                yield _LostFlag(flag.decode("ascii", "replace"), command_of(file.path) or "", file)


def _is_left_to_others(one: _LostFlag, grep: Grep, code: State) -> bool:
    """Whether all code that still declares the flag belongs to other subcommands. A base class or a helper could give
    it to this one."""
    has = declares(one.flag)
    paths = {path for path, line in grep([one.flag, one.flag.removeprefix("--")]) if is_product(path) and has(line)}
    folder = posixpath.dirname(one.file.path)
    if not paths or any(posixpath.dirname(path) != folder for path in paths):
        return False
    return all(_is_command(path, data) for path, data in code.read(sorted(paths)).items())


def _is_command(path: str, data: bytes) -> bool:
    command = command_of(path)
    return command is not None and re.search(rf"[\"'`]{re.escape(command)}[\s\"'`]".encode(), data) is not None


def _passes(line: str, headings: Sequence[str], one: _LostFlag, pages: Pages) -> bool:
    """Whether the line runs the command with the flag, or stands in its section and runs no other one."""
    runs = [
        match[2] for match in re.finditer(r"(?:^|[\s`$(])([\w.-]+)\s+([a-z][\w-]+)", line) if match[1] in pages.programs
    ]
    if runs:
        return runs == [one.command]
    title = re.sub(r"[`*]", "", headings[0]).strip().lower() if headings else ""
    return title.rpartition(" ")[2] == one.command and len(title.split()) <= _TITLE


_TITLE = 2
"""Words of the heading of a command: its name, maybe behind that of the program."""


def _doubt(path: str, line: int, text: str, one: _LostFlag) -> Doubt:
    file = one.file
    old = (file.old or b"").decode("utf-8", "replace").split("\n")
    bare = re.compile(rf"(?<![\w-]){re.escape(one.flag.removeprefix('--'))}(?![\w-])")
    at = next((number for number, row in enumerate(old, 1) if bare.search(row)), 0)
    return Doubt(
        path, line, text, one.flag, Reason.ARGUMENT, f"`{one.command}` no longer takes `{one.flag}`.", file.path, None,
        old[at - 1].strip() if at else "", "", True, at, "Update or remove this sentence.",
    )  # fmt: skip
