"""Doubts about commands: a document runs a subcommand, a flag or a task that the change removed."""

import json
import posixpath
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cairn.core.repository.deletion_history import OldVersion
from cairn.freshness.diff.definition import ChangedFile, MovedOutParts, bounded
from cairn.freshness.diff.doubt import StaleReason, StaleSentence
from cairn.freshness.diff.pages import SurveyedPages
from cairn.freshness.diff.vanished import Grep, declares, flags_declared, is_product
from cairn.freshness.states import RepositoryState
from cairn.lib.code.definitions import is_comment

if TYPE_CHECKING:
    from cairn.freshness.diff.command_parsers import CommandParser, ParserFlag
    from cairn.freshness.diff.occurrence import WrittenPage

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
_DECLARING = ("ommand", "Use:", "add_parser(", ".group(")
"""One of which each line has that these patterns match."""
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


def command_doubts(files: Sequence[ChangedFile], pages: SurveyedPages, grep: Grep) -> Iterator[StaleSentence]:
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
        if not any(word in line for word in _DECLARING):
            continue
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
    code, departed = [file for file in files if is_product(file.path)], MovedOutParts(files)
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
    before, after = OldVersion(file.old or b""), OldVersion(file.new or b"")
    text = before.lines[command.at].decode("utf-8", "replace").strip()
    word = after.successors(before).of(command.word, text) or after.in_place_of(before, command.at, command.word)
    new = (one for one in commands_in(file.new or b"") if one.name not in old)
    return next((one for one in new if one.word == word), None)


def _runs(name: str, line: str, programs: frozenset[str], parents: frozenset[str]) -> Iterator[re.Match[str]]:
    """Where a line runs it: behind the name of a program of ours, maybe with another subcommand between."""
    for found in re.finditer(rf"(?<![\w./-])([\w.-]+)((?:\s+[a-z][\w-]*)?)\s+{re.escape(name)}(?![\w./=:-])", line):
        between = found[2].strip()
        if found[1].lower() in programs and not found[1].istitle() and (not between or between in parents):
            yield found


def _doubt(path: str, number: int, line: str, one: _LostCommand) -> StaleSentence:
    old = (one.file.old or b"").decode("utf-8", "replace").split("\n")
    new, to = (one.file.new or b"").decode("utf-8", "replace").split("\n"), one.successor
    did = f"renamed to `{to.name}`" if to else f"removed from {one.file.path}"
    return StaleSentence(
        path, number, line, one.command.name, StaleReason.RENAMED if to else StaleReason.REMOVED,
        f"The command `{one.command.name}` no longer exists: {did}.", one.file.path, to.at + 1 if to else None,
        old[one.command.at].strip(), new[to.at].strip() if to else "", True, one.command.at + 1,
        f"Write `{to.name}`." if to else "Update or remove this sentence.",
    )  # fmt: skip


_NAME = r"""["'`]([A-Za-z][\w.-]*)["'`\s]"""
_DECLARED = re.compile(
    rf"""\bprog(?:_name)?\s*=\s*{_NAME}|\bscriptName\(\s*{_NAME}|\bprogram\s*\.name\(\s*{_NAME}|^\s*\.name\(\s*{_NAME}"""
    rf"""|#\[(?:command|clap)\([^\]\n#]*?\bname\s*=\s*{_NAME}"""
)
_ROOT = re.compile(rf"\bUse:\s*{_NAME}|\b(?:Command|App)::new\(\s*{_NAME}")
"""Subcommands are declared in the same way; the program is what its main file declares first."""
_MAIN = re.compile(r"(?:main|root|cli|args|app|cmd|opts?)\.(?:go|rs)")
_WORDS = ("prog", "prog_name", "scriptName", "name", "Use", "Command", "App", "command", "clap")


def declared_programs(grep: Grep) -> frozenset[str]:
    """`kite` for `Use: "kite"` in `main.go`, `prog="kite"`, `#[command(name = "kite")]`."""
    return frozenset(name.lower() for name in _declared(grep(_WORDS)))


def _declared(lines: Iterable[tuple[str, str]]) -> Iterator[str]:
    seen: set[str] = set()
    for path, line in lines:
        if ('"' in line or "'" in line or "`" in line) and is_product(path):
            yield from filter(None, (name for found in _DECLARED.finditer(line) for name in found.groups()))
            if path not in seen and _MAIN.fullmatch(posixpath.basename(path)) and (root := _ROOT.search(line)):
                seen.add(path)
                yield root[1] or root[2]


TaskNames = Callable[[str], Iterable[str]]
"""The tasks that the text of a file defines."""


def _scripts(text: str) -> Iterable[str]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return ()
    scripts = found.get("scripts") if isinstance(found, dict) else None
    return scripts.keys() if isinstance(scripts, dict) else ()


_TARGET = re.compile(r"^([A-Za-z][\w.-]*(?:[ \t]+[A-Za-z][\w.-]*)*)[ \t]*::?(?![=:])", re.MULTILINE)
_RECIPE = re.compile(r"^@?([A-Za-z][\w-]*+)(?:[ \t]++[^:=\n]*+)?:(?!=)", re.MULTILINE)
_RAKE = re.compile(r"^[ \t]*task[ (]+[:\"']?([a-z]\w*)", re.MULTILINE)


def _targets(text: str) -> Iterable[str]:
    return (name for found in _TARGET.finditer(text) for name in found[1].split())


class TaskProgram(NamedTuple):
    """A program that runs tasks, and where they are defined."""

    files: re.Pattern[str]
    """Names of files that define tasks, or that may: what stands in one of them afterwards is not gone."""
    names: TaskNames
    call: str
    """How a line runs a task, up to its name."""


_OF_COMPOSER = re.compile(
    "about|archive|audit|browse|bump|check-platform-reqs|config|create-project|depends|diagnose|exec|fund|global|init|install"
    "|licenses|list|outdated|prohibits|reinstall|remove|require|run|search|show|status|suggests|update|validate|why"
)
"""Commands that the program has by itself."""
_OPTIONS = r"(?:\s+(?:-[\w-]+|\w+=\S*))*\s+"
RUNNERS = (
    TaskProgram(
        re.compile(r"(?:GNU)?[Mm]akefile[\w.-]*|.*\.(?:mk|mak|cmake)(?:\.in)?|CMakeLists\.txt|configure[\w.]*"),
        _targets,
        rf"g?make{_OPTIONS}",
    ),
    TaskProgram(re.compile(r"package\.json"), _scripts, r"(?:npm\s+run(?:-script)?|pnpm\s+run)\s+(?:-[\w-]+\s+)*"),
    TaskProgram(
        re.compile(r"package\.json"),
        lambda text: (name for name in _scripts(text) if ":" in name),
        r"(?:yarn|pnpm|bun)\s+(?:run\s+)?",
    ),
    TaskProgram(
        re.compile(r"composer\.json"),
        lambda text: (name for name in _scripts(text) if not _OF_COMPOSER.fullmatch(name)),
        r"composer\s+(?:run(?:-script)?\s+)?(?:-[\w-]+\s+)*",
    ),
    TaskProgram(re.compile(r"\.?[Jj]ustfile|.*\.just"), lambda text: _RECIPE.findall(text), rf"just{_OPTIONS}"),
    TaskProgram(re.compile(r"[Rr]akefile|.*\.rake|.*\.gemspec"), lambda text: _RAKE.findall(text), r"rake\s+(?:\w+:)*"),
)
"""`yarn name` also runs programs of packages; no program has a colon in its name."""


_USUAL = frozenset(["all", "build", "check", "clean", "install", "run", "start", "test"])
"""Tasks that any project has: where this one has no tasks left, a document may mean those of its reader."""


class _LostTask(NamedTuple):
    name: str
    file: ChangedFile
    runner: TaskProgram


def task_doubts(files: Sequence[ChangedFile], pages: SurveyedPages, code: RepositoryState) -> Iterator[StaleSentence]:
    """Lines that run a task which no file defines any more."""
    lost = [one for runner in RUNNERS for one in _lost_tasks(files, runner, code)]
    having = pages.having({_first(one.name) for one in lost})
    for one in lost:
        call = re.compile(rf"(?:^|[`$>;&|(])\s*{one.runner.call}{re.escape(one.name)}(?![\w:./=-])")
        for path in having.get(_first(one.name), ()):
            page = pages.page(path)
            for number, line in page.lines_with((one.name,)):
                runs = any(page.is_code(number, found) for found in call.finditer(line))
                if runs and not page.is_about_the_past(number) and not _is_shown(one, page):
                    yield _task_doubt(path, number, line, one)


def _is_shown(one: _LostTask, page: "WrittenPage") -> bool:
    """Whether a code block of the page has the script of a manifest: then it is one of the reader's project."""
    key = re.compile(rf'"{re.escape(one.name)}"\s*:')
    return one.file.path.endswith(".json") and any(
        key.search(line) for block in page.outline.blocks for line in block.lines
    )


def _first(name: str) -> str:
    """The word to look pages up by."""
    return re.split(r"[:.]", name)[0]


def _lost_tasks(files: Iterable[ChangedFile], runner: TaskProgram, code: RepositoryState) -> Iterator[_LostTask]:
    lost: dict[str, ChangedFile] = {}
    for file in files:
        if file.old and is_product(file.path) and runner.files.fullmatch(posixpath.basename(file.path)):
            gone = {*runner.names(_text(file.old))} - {*runner.names(_text(file.new or b""))}
            lost |= dict.fromkeys(gone, file)
    if not lost:
        return
    left = _definers(runner, code)
    for name, file in sorted(lost.items()):
        if not _task_stands(name, runner, left) and (left or name not in _USUAL):
            yield _LostTask(name, file, runner)


def _definers(runner: TaskProgram, code: RepositoryState) -> Collection[str]:
    paths = [path for path in code.facts() if runner.files.fullmatch(posixpath.basename(path))]
    return [_text(data) for data in code.read(sorted(paths)).values()]


def _task_stands(name: str, runner: TaskProgram, texts: Iterable[str]) -> bool:
    """Whether some file still defines it, or may: tasks are made of variables and patterns, too, so that any place that
    has the name counts."""
    word = bounded(name)
    return any(word.search(text) or (runner.names is _targets and _matches(name, text)) for text in texts)


def _matches(name: str, text: str) -> bool:
    """Whether a rule for a pattern such as `test-%` fits."""
    patterns = re.findall(r"^([\w.-]*%[\w.-]*)[ \t]*:", text, re.MULTILINE)
    return any(re.fullmatch(re.escape(one).replace("%", ".+"), name) for one in patterns)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _task_doubt(path: str, number: int, line: str, one: _LostTask) -> StaleSentence:
    old = _text(one.file.old or b"").split("\n")
    at = next((row for row, text in enumerate(old, 1) if bounded(one.name).search(text)), 0)
    return StaleSentence(
        path, number, line, one.name, StaleReason.REMOVED,
        f"The task `{one.name}` no longer exists: removed from {one.file.path}.", one.file.path, None,
        old[at - 1].strip() if at else "", "", True, at, "Update or remove this sentence.",
    )  # fmt: skip


_FOLDER = re.compile(r"(?i)(?:^|/)(?:sub)?(?:cmds?|commands?)(?:/|$)")
_AFFIX = re.compile(r"(?i)^(?:cmd|command)[_-]|[_-]?(?:cmd|command)$")


class _LostFlag(NamedTuple):
    flag: str
    command: str
    file: ChangedFile


def subcommand_doubts(
    files: Sequence[ChangedFile], pages: SurveyedPages, grep: Grep, code: RepositoryState
) -> Iterator[StaleSentence]:
    """Lines that pass such a flag to its command, or list it in the section of the command."""
    lost = list(_lost_flags(files))
    having = pages.having({one.flag for one in lost})
    for one in lost:
        documents = having.get(one.flag, ())
        if documents and _is_left_to_others(one, grep, code):
            for path in documents:
                page = pages.page(path)
                for found in page.occurrences(one.flag):
                    headings = page.outline.headings_above(found.line)
                    if _passes(found.text, headings, one, pages) and not page.is_about_the_past(found.line):
                        yield _flag_doubt(path, found.line, found.text, one)


def command_of(path: str) -> str | None:
    """`list-all` for `cmd/list_all.go` and `Command/ListAllCommand.php`; None for a file that is no subcommand."""
    folder, name = posixpath.split(path)
    stem = _AFFIX.sub("", name.partition(".")[0])
    if not stem or not _FOLDER.search(folder):
        return None
    return _HUMP.sub("-", stem).replace("_", "-").lower()


def _lost_flags(files: Iterable[ChangedFile]) -> Iterator[_LostFlag]:
    """Flags that a file of a subcommand declared, and does not name any more; not those that another file got."""
    commands = [file for file in files if file.old and file.new and is_product(file.path) and command_of(file.path)]
    if not commands:
        return
    gained = set[bytes]().union(*(flags_declared(file.new or b"") - flags_declared(file.old or b"") for file in files))
    for file in commands:
        for flag in sorted(flags_declared(file.old or b"") - gained):
            if flag.removeprefix(b"--") not in (file.new or b""):
                yield _LostFlag(flag.decode("ascii", "replace"), command_of(file.path) or "", file)


def _is_left_to_others(one: _LostFlag, grep: Grep, code: RepositoryState) -> bool:
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


def _passes(line: str, headings: Sequence[str], one: _LostFlag, pages: SurveyedPages) -> bool:
    """Whether the line runs the command with the flag, or stands in its section and runs no other one."""
    runs = list(_runs_of(line, pages.programs))
    if runs:
        return [name for name, _ in runs] == [one.command] or _is_passed(one, runs)
    title = re.sub(r"[`*]", "", headings[0]).strip().lower() if headings else ""
    return title.rpartition(" ")[2] == one.command and len(title.split()) <= _TITLE


def _runs_of(line: str, programs: Collection[str]) -> Iterator[tuple[str, str]]:
    """The subcommands that a line runs, each with what it is given."""
    found = [match for match in _RUN.finditer(line) if match[1] in programs]
    ends = [*(match.start() for match in found[1:]), len(line)]
    for run, end in zip(found, ends, strict=False):
        yield run[2], _END.split(line[run.end() : end], maxsplit=1)[0]


_RUN = re.compile(r"(?:^|[\s`$(])([\w.-]+)\s+([a-z][\w-]+)")
_END = re.compile(r"`|&&|\|\||[|;]")


def _is_passed(one: _LostFlag, runs: Iterable[tuple[str, str]]) -> bool:
    form = re.compile(
        rf"(?<![\w-]){re.escape(one.flag)}" + (r"(?![\w-])" if one.flag[:2] == "--" else r"(?![a-zA-Z-])")
    )
    return any(name == one.command and form.search(given) for name, given in runs)


_TITLE = 2
"""Words of the heading of a command: its name, maybe behind that of the program."""


def _flag_doubt(path: str, line: int, text: str, one: _LostFlag) -> StaleSentence:
    file = one.file
    old = (file.old or b"").decode("utf-8", "replace").split("\n")
    bare = re.compile(rf"(?<![\w-]){re.escape(one.flag.removeprefix('--'))}(?![\w-])")
    at = next((number for number, row in enumerate(old, 1) if bare.search(row)), 0)
    return StaleSentence(
        path, line, text, one.flag, StaleReason.ARGUMENT, f"`{one.command}` no longer takes `{one.flag}`.",
        file.path, None, old[at - 1].strip() if at else "", "", True, at, "Update or remove this sentence.",
    )  # fmt: skip


def parser_doubts(
    files: Sequence[ChangedFile], pages: SurveyedPages, grep: Grep, code: RepositoryState
) -> Iterator[StaleSentence]:
    """Lines that pass a flag which the parser of their command no longer takes, or leave out one that it requires."""
    from cairn.freshness.diff.command_parsers import command_parsers

    for file in files:
        if file.old and file.new and file.path.endswith(".py") and is_product(file.path):
            before, after = command_parsers(file.old), command_parsers(file.new)
            for name in before.keys() & after.keys() - {""}:
                if not after[name].is_open:
                    own = after[name].forms | (after[""].forms if "" in after else frozenset())
                    for form in sorted(before[name].forms - own):
                        if not any(kept.startswith(form) for kept in own):
                            yield from _of_lost_form(_LostFlag(form, name, file), pages, grep, code)
                    yield from _of_required(_newly_required(before[name], after[name]), name, file, pages)


def _of_lost_form(one: _LostFlag, pages: SurveyedPages, grep: Grep, code: RepositoryState) -> Iterator[StaleSentence]:
    """A flag that no parser has is gone as a name; of one that others have, each place must be known."""
    documents = pages.having({one.command}).get(one.command, ())
    if not documents or (one.flag.startswith("--") and not _is_left_to_parsers(one, grep, code)):
        return
    for path in documents:
        page = pages.page(path)
        for number, line in page.lines_with((one.flag,)):
            runs = list(_runs_of(line, pages.programs))
            if _is_passed(one, runs) and page.is_command(number, one.flag) and not page.is_about_the_past(number):
                yield _flag_doubt(path, number, line, one)


def _is_left_to_parsers(one: _LostFlag, grep: Grep, code: RepositoryState) -> bool:
    """Whether every declaration of the flag that is left belongs to a parser of another subcommand."""
    from cairn.freshness.diff.command_parsers import command_parsers

    has = declares(one.flag)
    paths = {path for path, line in grep([one.flag, one.flag.removeprefix("--")]) if is_product(path) and has(line)}
    for data in code.read(sorted(paths)).values():
        flags = [flag for name, parser in command_parsers(data).items() if name for flag in parser.flags]
        for number, line in enumerate(_text(data).split("\n"), 1):
            if has(line) and not any(number in flag.lines and one.flag in flag.forms for flag in flags):
                return False
    return bool(paths)


def _newly_required(before: "CommandParser", after: "CommandParser") -> list["ParserFlag"]:
    optional = [flag for flag in after.flags if flag.is_required]
    known = [flag.forms for flag in before.flags if flag.is_required]
    return [flag for flag in optional if not any(flag.forms & forms for forms in known)]


def _of_required(
    flags: Iterable["ParserFlag"], command: str, file: ChangedFile, pages: SurveyedPages
) -> Iterator[StaleSentence]:
    for flag in flags:
        form = max(flag.forms, key=len)
        for path in pages.having({command}).get(command, ()):
            page = pages.page(path)
            for number, line in page.lines_with((command,)):
                run = next(_runs_of(page.command_at(number), pages.programs), None)
                if run and run[0] == command and not _may_have(flag, run[1]) and not page.is_about_the_past(number):
                    text = _text(file.new or b"").split("\n")[flag.lines.start - 1].strip()
                    message = f"`{command}` requires `{form}` now."
                    yield StaleSentence(
                        path, number, line, command, StaleReason.ARGUMENT, message, file.path,
                        flag.lines.start, "", text, True, 0, f"Pass `{form}`.",
                    )  # fmt: skip


def _may_have(flag: "ParserFlag", given: str) -> bool:
    """Whether a command has the flag, asks for help, or leaves something to the reader."""
    return (
        any(form in given for form in flag.forms)
        or re.search(r"(?:^|\s)-(?:h|-help)\b|[\[<{$…]|\.\.\.", given) is not None
    )
