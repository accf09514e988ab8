"""Finds the names that a line of code defines, in any common language and without a parser.

Old versions of files are read by the thousand, so `defined_in` looks at single lines and may take a line for a
definition that is none. `is_definition` looks again, at the whole file, before anything is reported.
"""

import re

_KEYWORD = (
    rb"def|class|function|func|fn|const|let|var|val|type|struct|enum|union|interface|trait|module|macro|static|define|"
    rb"defp|defmodule|defmacro|protocol|object|record|namespace|sub|typedef|impl|export|default|async|abstract|mut|final|declare|typealias"
)
_DEFINED = re.compile(
    rb"(?<![\w-])(?:(?:"
    + _KEYWORD
    + rb")\s+)+(?:\([^)]*\)\s*)?(?:self\.|(?:[A-Z]\w*+(?:\.|::|\\))++)?([A-Za-z_]\w{2,})"
    rb"|^\s*(?:export\s+|public\s+|self\.|this\.|@)?([A-Za-z_]\w{2,})\s*(?::[^=:]+)?=(?!=)"
    rb"""|^\s*["']?([A-Za-z_][\w-]{2,})["']?\??\s*:(?:\s|$)"""
    rb"""|["'`](--[a-z][a-z0-9]+(?:-[a-z0-9]+)*)["'`=/, ]"""
    rb"""|["']([A-Z][A-Z0-9]*_[A-Z0-9_]+)["']"""
    rb"|^\s*(?:(?:async|static|public|private|protected|internal|final|override|virtual|abstract|inline|pub)\s+)*"
    rb"(?:[\w<>\[\],.?*&:]+\s+)?[*&]?([A-Za-z_]\w{2,})\s*\([^;]*\)\s*(?:const\s*)?(?:[:\-][^{;]*)?\{"
)
_STATEMENT = frozenset(
    b"if for while switch catch return else elif match with when until unless foreach do try new throw".split()
)
_LOCAL_KEYWORD = re.compile(rb"^\s+(?:const|let|var|val)\s")
_ASSIGNED = re.compile(rb"^\s*[A-Za-z_]\w*\s*(?::[^=:]+)?=(?!=)")
_KEY = re.compile(rb"""^\s*(["']?)[A-Za-z_][\w-]*\1\??\s*:(?:\s|$)""")
_CALLABLE = re.compile(rb"^\s*(?:[\w@]+\s+)*?(?:def|function|func|fn|fun|sub|constructor|defp|macro)\b")
_TYPE = re.compile(rb"^\s*(?:[\w@]+\s+)*?(?:class|struct|enum|interface|trait|object|type|record|namespace|module)\b")
_COMMENT = re.compile(rb"^\s*(?://|/\*|\*|--\s|#(?!\s*(?:define|\[)))")
_TYPE_NAME = re.compile(
    rb"(?<![\w-])(?:class|struct|enum|interface|trait|object|type|record|namespace|module|impl|protocol|extension|actor|defmodule)"
    rb"\s+(?:<[^>]*>\s*)?(?:\w+\s+for\s+)?((?:[A-Z]\w*+(?:\.|::|\\))*+[A-Z]\w*+)"
)
_QUOTED_FLAG = re.compile(rb"""["'`]--[a-z]""")
_DECLARES = re.compile(
    rb"add_argument|add_option|option\s*(?:\(|:[a-z])|Option(?:<[^>\n]{0,100}>)?\s{0,4}\(|[Ff]lags?\b|\barg\s*\(|\bArg\b|\bLong\s*\(|long\s*=|Parameter\s*\(|parser|opts?\b"
)
"""What declares a flag of a command line; a flag that is only passed to another program stands without it."""
_NEAR = 3
_LONGEST = 400
_FAR = 400


def defined_in(line: bytes) -> list[str]:
    """The names that a line may define, each once."""
    names = (name for groups in _DEFINED.findall(line[:_LONGEST]) for name in groups if name and name not in _STATEMENT)
    return [name.decode() for name in dict.fromkeys(names)]


def defined_by_keyword(line: bytes) -> list[str]:
    """The names that a line defines for sure: by a keyword, or by an assignment."""
    names = (name for groups in _DEFINED.findall(line[:_LONGEST]) for name in groups[:2] if name)
    return [name.decode() for name in dict.fromkeys(names)]


def declared_in(line: bytes) -> list[str]:
    """The names that a line defines by a keyword."""
    names = (groups[0] for groups in _DEFINED.findall(line[:_LONGEST]) if groups[0])
    return [name.decode() for name in dict.fromkeys(names)]


def is_definition(lines: list[bytes], at: int, *, in_docstring: bool) -> bool:
    """Whether the line at this index defines something that others can name: not a local variable, not an argument of a
    call, not a key of a literal inside code."""
    line = lines[at]
    if _QUOTED_FLAG.search(line):
        return declares_flag(lines, at)
    if _LOCAL_KEYWORD.match(line) or is_comment(line) or in_docstring:
        return False
    if not _ASSIGNED.match(line) and not _KEY.match(line):
        return True
    opener = open_bracket(lines, at)
    if opener is not None:
        return _CALLABLE.match(lines[opener]) is not None or _TYPE.match(lines[opener]) is not None
    return not _in_function(lines, at)


_MATCHED_FLAG = re.compile(
    rb"""["']?--[a-z][\w-]*["']?\s*(?:\)\s|=>|:\s*$)|(?:\bcase\s+|={2,3}\s*)["']--[a-z]|["']--[a-z][\w-]*["']\s+in\b"""
)
"""A branch for the flag, in a program that reads its arguments by itself."""


def declares_flag(lines: list[bytes], at: int) -> bool:
    """Whether a flag at this line is one of this program, not one that is passed to another."""
    if _MATCHED_FLAG.search(lines[at]):
        return True
    return any(_DECLARES.search(above) for above in lines[max(0, at - _NEAR) : at + 1])


_FLAG_NAME = re.compile(rb"""["']([a-z][a-z0-9]+(?:-[a-z0-9]+)*)["']""")
_FLAG_ALONE = re.compile(rb"""\s*["']([a-z][a-z0-9]+(?:-[a-z0-9]+)*)["'],?\s*""")
_FLAG_NAMED = re.compile(rb"""\s*(?:[Nn]ame|[Ll]ong|argumentName)\s*[:=]\s*["']([a-z][a-z0-9]+(?:-[a-z0-9]+)*)[,"']""")
"""An entry of a literal that declares a flag: `cli.StringFlag{`, and `Name: "dry-run, n",` below."""
_LONG = re.compile(
    rb"#\[(?:arg|clap|structopt)\([^\]\n]{0,400}\blong\b(?!\s*=)[^\]\n]{0,400}\]\s*"
    rb"(?:(?:///[^\n]*|#\[[^\]\n]*\])\s*)*(?:pub(?:\([\w ]+\))?\s+)?([a-z]\w*)\s*:"
)


def flags_in(data: bytes) -> set[bytes]:
    """Flags that are declared without their dashes: `IntVar(&n, "workers", 4, …)`, a field with `#[arg(long)]`."""
    found = {b"--" + field.replace(b"_", b"-") for field in _LONG.findall(data)} if b"long" in data else set()
    lines = data.split(b"\n") if any(hint in data for hint in _HINTS) else []
    for at, line in enumerate(lines):
        if (b'"' in line or b"'" in line) and _DECLARES.search(line):
            found.update(b"--" + name for name in _FLAG_NAME.findall(line[:_LONGEST]))
        elif (alone := _FLAG_ALONE.fullmatch(line)) and declares_flag(lines, at):
            found.add(b"--" + alone[1])
        elif (named := _FLAG_NAMED.match(line)) and declares_flag(lines, at):
            found.add(b"--" + named[1])
        if b"ption :" in line or b"switch :" in line:
            found.update(b"--" + name.replace(b"_", b"-") for name in _SYMBOL_FLAG.findall(line))
    return found


_HINTS = (b"lag", b"long", b"Long(", b"ption", b"opt", b"rgument", b"arg(", b"Arg", b"parser", b"switch")
"""A file without any of these declares no flags."""
_SYMBOL_FLAG = re.compile(rb"\b(?:\w*option|switch)\s+:([a-z]\w+)")
"""`class_option :dry_run` of Ruby's Thor."""


def is_comment(line: bytes) -> bool:
    return _COMMENT.match(line) is not None


def is_callable(line: bytes) -> bool:
    """Whether the line opens a function."""
    return _CALLABLE.match(line) is not None


def is_type(line: bytes) -> bool:
    """Whether the line opens a class, a struct or the like."""
    return _TYPE.match(line) is not None


def is_type_named(name: str, line: str) -> bool:
    """Whether the line defines a type of this name."""
    return name in types_in([line.encode()])


def is_keyword(word: bytes) -> bool:
    """Whether a word belongs to a language, and to nobody's code."""
    return word in _STATEMENT or word in _KEYWORDS


_KEYWORDS = frozenset(_KEYWORD.split(b"|"))


def types_in(lines: list[bytes]) -> frozenset[str]:
    """The types that a file defines."""
    found = (name for line in lines for name in _TYPE_NAME.findall(line))
    return frozenset(part.decode() for name in found for part in re.split(rb"\W+", name))


def stands_alone(line: bytes) -> bool:
    """Whether a definition is a function, type, constant, flag or variable of the environment: not a field, a parameter
    or a key."""
    return not line[:1].isspace() or not (_ASSIGNED.match(line) or _KEY.match(line))


def open_bracket(lines: list[bytes], at: int) -> int | None:
    """The line above with the bracket that is still open here. A brace at the end of a line opens a block, not a
    literal, if what stands before it defines a type."""
    depth = 0
    for above in range(at - 1, max(-1, at - _FAR), -1):
        line = lines[above]
        depth += line.count(b")") + line.count(b"]") + line.count(b"}")
        depth -= line.count(b"(") + line.count(b"[") + line.count(b"{")
        if depth < 0:
            return above
    return None


def _in_function(lines: list[bytes], at: int) -> bool:
    """Whether the nearest definition with less indentation is a function."""
    indent = _indent(lines[at])
    for above in reversed(lines[max(0, at - _FAR) : at]):
        own = _indent(above)
        if not above.strip() or own >= indent:
            continue
        indent = own
        if _CALLABLE.match(above):
            return True
        if _TYPE.match(above):
            return False
    return False


def _indent(line: bytes) -> int:
    return len(line) - len(line.lstrip())
