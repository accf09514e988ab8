"""Finds how a file defined a word, and how much it proves that the word left the code."""

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Literal, NamedTuple, get_args

from cairn.core.repository.code import is_shaped
from cairn.core.repository.deletion_history import OldVersion
from cairn.lib.code.definitions import (
    declares_flag,
    defined_in,
    is_callable,
    is_comment,
    is_definition,
    is_type,
    open_bracket,
    stands_alone,
)


class ChangedFile(NamedTuple):
    path: str
    old: bytes | None
    new: bytes | None


DefinitionKind = Literal["flag", "symbol", "parameter", "attribute", "key", "string", "local", "member", "use"]
_ORDER: dict[str, int] = {kind: at for at, kind in enumerate(get_args(DefinitionKind))}
_STRING = re.compile(r"""\"(?:[^"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\\n]|\\.)*`""")
_DATA = (".json", ".yaml", ".yml", ".toml", ".ini", ".cfg", ".conf", ".properties", ".env", ".jsonc", ".json5")
_MANIFEST = re.compile(
    r"(?:.*/)?(?:package\.json|composer\.json|pyproject\.toml|setup\.(?:py|cfg)|requirements[\w.-]*\.txt|go\.(?:mod|sum)"
    r"|Cargo\.toml|Gemfile|[\w.-]+\.gemspec|mix\.exs|pom\.xml|[\w.-]+\.gradle(?:\.kts)?|Package\.swift|[\w.-]+\.csproj"
    r"|tox\.ini|noxfile\.py|environment\.ya?ml)"
)
_DECLARED = re.compile(
    r"\s*+(?:\[[^\]\n]*+\]\s*+)*+(?:(?:public|private|protected|internal|static|override|virtual|abstract|final|sealed|partial|open|"
    r"readonly|extern|pub(?:\([^)]*\))?|export|default|native|synchronized|required|suspend|inline|const|async|event)\s+)+"
    r"(?:(?:fn|fun|func|function|class|struct|enum|interface|record|trait|val|var|let|type)\s+)?"
    r"(?:[\w<>\[\],.?*&:]++\s++){0,3}?(\w++)\s*+(?:<[^>\n]*+>\s*+)?(?:[(;={:,]|$)"
)
"""A member with a modifier, in languages of the family of C."""
_SYMBOLS = (".rb", ".ex", ".exs", ".rake", ".clj", ".cr")
"""Languages that write `:word` for a string."""
_MOST = 40
"""Lines of a file that are looked at for one word."""


class Definition(NamedTuple):
    word: str
    kind: DefinitionKind
    path: str
    line: int
    text: str
    """The line, without its indentation."""
    alone: bool
    """Whether it was defined by itself, not as a part of something else."""

    @property
    def is_module(self) -> bool:
        """Whether it is the name of a file or folder."""
        return self.text == self.path

    @property
    def rank(self) -> tuple[int, str, int]:
        """The strongest first."""
        return _ORDER[self.kind], self.path, self.line


def dotted_text(was: Definition) -> str:
    """The whole string or key that a word is a part of: `server.fs.strict` for `strict`; empty if it is no part."""
    if was.kind not in ("string", "key"):
        return ""
    return next((one for one in dotted_texts(was.text) if was.word in one.split(".")), "")


def dotted_texts(line: str) -> list[str]:
    """The strings and keys of a line that are names with dots."""
    return [one for groups in _DOTTED.findall(line) for one in groups if one]


_DOTTED = re.compile(r"""["'`]([\w-]++(?:\.[\w-]++)++)["'`]|^\s*([\w-]++(?:\.[\w-]++)++)\s*[:=]""")


def is_manifest(path: str) -> bool:
    """Whether a file lists what the project depends on."""
    return _MANIFEST.fullmatch(path) is not None


def is_distinct(member: Definition) -> bool:
    """Whether a name that the code set somewhere is so much a name that a document means the same one: `max_size`,
    `maxSize`. Names with a capital are mostly types of other people."""
    type_like = member.word[:1].isupper() and not member.word.isupper()
    return is_shaped(member.word) and not type_like and not member.path.endswith(_TEXTS)


_TEXTS = (".txt", ".css", ".scss", ".less", ".html", ".htm", ".svg", ".po", ".pot", ".csv", ".tsv", ".lock")


def bounded(word: str) -> re.Pattern[str]:
    """Where the word stands by itself, and not as a part of another one with hyphens. One hyphen before it may be that
    of a flag, as Go writes it."""
    return re.compile(rf"(?<!\w)(?<!\w-)(?<!--){re.escape(word)}(?!-?\w)")


def find_definition(word: str, path: str, version: OldVersion) -> Definition | None:
    """The strongest definition of a word in a file; None if the file does not have it in code."""
    bare = word.removeprefix("--")
    found = [
        Definition(word, kind, path, at + 1, line.strip(), stands_alone(version.lines[at]))
        for at, line in _lines_with(word, version, bare)
        if (kind := _kind(word, line, at, path, version))
    ]
    return min(found, key=lambda one: one.rank, default=None)


def _lines_with(word: str, version: OldVersion, bare: str) -> Iterator[tuple[int, str]]:
    """A flag may be declared without its dashes."""
    forms = dict.fromkeys((bare, bare.replace("-", "_")))
    lines = version.lines_with([form.encode() for form in forms])
    pattern = re.compile("|".join(bounded(form).pattern for form in dict.fromkeys((word, *forms)))) if lines else _NEVER
    left = _MOST
    for at in lines:
        text = version.lines[at][:_LONGEST].decode("utf-8", "replace")
        if left and pattern.search(text):
            left -= 1
            yield at, text


_NEVER = re.compile(r"(?!)")
_LONGEST = 1_000


_RAW = (".go", ".js", ".ts", ".mjs", ".cjs", ".jsx", ".tsx")
"""Languages whose strings between backticks go over several lines."""
_OWN_FLAG = re.compile(
    r"""\.on\s{0,9}\(?\s{0,9}["']-|\w\s{0,9}(?::[^=\n]{0,40})?=\s{0,9}\[?\s{0,9}["']--[a-z][\w-]{0,80}["']\s{0,9}\]?\s{0,9}[;,]?\s{0,9}$"""
)
_ENVIRONMENT = re.compile(r"\b(?:process\.env|import\.meta\.env|Bun\.env)\.(\w+)")
_SHELL = (".sh", ".bash", ".zsh", ".fish", ".ksh")
_INPUT = re.compile(r"""\$\{([A-Z](?=\w*_\w)\w++):?[-=?+]|-[nz] "?\$\{?([A-Z](?=\w*_\w)\w++)""")
"""A variable of a script that may be set outside of it."""
_ENTRY = r"""\s*["']?{word}["']?\s*:\s*[\[{{]"""
"""A key of an object that something is said about: an option of a schema, a command of a table."""
_MACRO = re.compile(r"\s*#\s*(?:if|ifdef|ifndef|elif|define|undef)\b")
_MACROS = (".h", ".hh", ".hpp", ".hxx", ".c", ".cc", ".cpp", ".cxx", ".ino", ".m", ".mm", ".cu")
_C_LIKE = (*_MACROS, ".java", ".cs", ".d")
_COMMENTED = (*_C_LIKE, ".swift", ".kt", ".kts", ".scala", ".php", ".go", ".rs", ".js", ".ts", ".jsx", ".tsx")
"""Languages with comments between `/*` and `*/`."""
_MEMBER = (
    r"\s*(?!(?:return|else|throw|new|delete|case|goto|await|yield)\b)"
    r"[\w:<>,~\[\]]+(?:[\s*&]+[\w:<>,~]+){{0,4}}?[\s*&]+{word}\s*\((?!\s*(?:new\b|\*this\b|[\"&\d]))"
)
"""A function with its type before it, not a variable that is made with a value: `Cloud::Ptr ground(new Cloud);`."""


def _kind(word: str, line: str, at: int, path: str, version: OldVersion) -> DefinitionKind | None:
    if path.endswith(_MACROS) and _MACRO.match(line):
        return "symbol"
    if path.endswith(_COMMENTED) and version.in_block_comment(at):
        return None
    if path.endswith(_C_LIKE) and re.match(_MEMBER.format(word=re.escape(word)), line):
        return "symbol"
    if is_comment(version.lines[at]) or version.in_docstring(at) or (path.endswith(_RAW) and version.in_raw_string(at)):
        return None
    if path.lower().endswith(_DATA) or is_manifest(path):
        return _kind_in_data(word, line, path)
    if word.startswith("--"):
        return "flag" if declares_flag(version.lines, at) or _OWN_FLAG.search(line) else None
    if word in defined_in(version.lines[at]) and is_definition(version.lines, at, in_docstring=False):
        return "symbol" if stands_alone(version.lines[at]) else "attribute"
    return _kind_inside(word, line, at, path, version)


def _kind_inside(word: str, line: str, at: int, path: str, version: OldVersion) -> DefinitionKind | None:
    """Of a word that does not open the line."""
    quoted = re.escape(word)
    if is_quoted(word, line) or (path.endswith(_SYMBOLS) and re.search(rf"(?<!\w):{quoted}\b", line)):
        return "flag" if declares_flag(version.lines, at) else "string"
    if any(name == word for name in _ENVIRONMENT.findall(line)):
        return "string"
    if path.endswith(_SHELL) and any(word in names for names in _INPUT.findall(line)):
        return "string"
    if path.endswith(_RAW) and re.match(_ENTRY.format(word=quoted), line):
        return "attribute"
    if found := _DECLARED.match(line):
        if found[1] == word:
            return "symbol"
        return "use" if word[:1].isupper() else _kind_in_declaration(word, line, found.end())
    if is_callable(version.lines[at]) or _in_signature(version, at):
        return "use" if word[:1].isupper() else "parameter"
    opener = open_bracket(version.lines, at)
    if opener is not None and (is_type(version.lines[opener]) or _is_entry(word, line, version.lines[opener], path)):
        return "attribute"
    if re.search(_LOCAL.format(word=quoted), line):
        return "local"
    return "member" if re.search(_MEMBER_SET.format(word=quoted), line) else "use"


_MEMBER_SET = (
    r"""(?:^|[{{,(\[\s])["'\[]?{word}["'\]]?\s*(?::(?![:=])|=>)|(?:\.|->|::){word}\s*[|+?]*=(?![=~>])|\$\{{?{word}\b"""
)
"""A key of a literal, a member that is set, or a variable of a script: a name that the code uses and may own."""
_LOCAL = (
    r"^\s*(?:(?:const|let|var|val|mut|auto|my|local|final)\s+)*\$?{word}\s*(?::[^=]+)?(?::=|=(?![=>]))"
    r"|\b(?:const|let|var|val|mut|auto)\s+[^=]*\b{word}\b[^=]*=|\bfor\b.*\b{word}\b.*\b(?:in|of)\b|\bas\s+{word}\b"
    r"|\b{word}\b[\w\s,)]*=>|\b{word},[\w\s,]*:?=|,\s*{word}\s*:?="
)
"""A name that a line gives to something for itself."""


def _kind_in_declaration(word: str, line: str, end: int) -> DefinitionKind:
    """Of a word in a line that declares another one: a parameter of it, or a part of its value."""
    if "(" not in line:
        return "attribute"
    if not (line[:end].endswith("(") or _FUNCTION.match(line[end:])):
        return "use"
    return "parameter" if any("(" in line[: at.start()] for at in bounded(word).finditer(line)) else "use"


_FUNCTION = re.compile(r"\s*(?:async\s*)?(?:\(|function\b)")


def _is_entry(word: str, line: str, opener: bytes, path: str) -> bool:
    """Whether a macro of Rust declares it: `create_config! { max_width: usize, 100, "Maximum width"; }`."""
    return path.endswith(".rs") and bool(_MACRO_CALL.match(opener) and re.match(rf"\s*{re.escape(word)}\s*:", line))


_MACRO_CALL = re.compile(rb"\s*(?:\w+::)*\w+!\s*(?:\w+\s*)?[({]\s*$")


def is_quoted(word: str, line: str) -> bool:
    """Whether the word is a whole string, a part of a dotted one, or what one begins with (`name=`, `@name:`), not a
    quotation inside of one."""
    return any(word in _parts(found[0][1:-1]) for found in _STRING.finditer(line))


def _parts(text: str) -> list[str]:
    """`mesh`, `peer-id` and the whole for `mesh.peer-id`; nothing for a text with spaces."""
    name = re.split(r"[:=]", text.removeprefix("@"), maxsplit=1)[0]
    return [text, *(name.split(".") if not re.search(r"[^\w.-]", name) else ())]


def _in_signature(version: OldVersion, at: int) -> bool:
    """Whether the line is one of the parameters of a function that opens above."""
    depth = 0
    for above in range(at - 1, max(-1, at - _FAR), -1):
        line = version.lines[above]
        depth += line.count(b")") - line.count(b"(")
        if depth < 0:
            return is_callable(line)
    return False


_FAR = 60
_KEY = (
    r"""(?:^|[{{,.])\s*(?:export\s+|-\s+)?["']?(?:[\w.-]+\.)?{word}["']?\s*[:=]"""
    r"""|^\s*\[+["']?(?:[\w.-]+\.)?{word}["']?(?:\.[\w.-]+)?\]"""
)
_OWN_NAME = (
    r"""(?:  )?(?:\t)?["']?name["']?\s*[:=]\s*["'](?:@[\w.-]+/)?{word}["']\s*,?\s*$"""
    r"""|\s*include\b.*["']:?{word}["']"""
)
"""What a manifest calls the project itself, or includes as a part of it."""
_PINNED = re.compile(
    r"""[:=]\s*+(?:\{\s*+)?(?:version\s*+=\s*+)?["']?\s*+(?:[~^<>=!*]|v?\d+\.|workspace:|latest|link:|file:|npm:|git)"""
)


def _kind_in_data(word: str, line: str, path: str) -> DefinitionKind | None:
    """A dependency of a manifest is the name of something else."""
    pinned = _PINNED.search(line) is not None
    if is_manifest(path) and re.match(_OWN_NAME.format(word=re.escape(word)), line):
        return "key"
    if re.search(_KEY.format(word=re.escape(word)), line):
        return None if pinned and is_manifest(path) else "key"
    if is_manifest(path):
        return None
    if not re.search(r"[_-]|[a-z][A-Z]|[A-Z]{2}", word):
        return None
    return (
        "string"
        if re.search(rf"""["']{re.escape(word)}["']|[:=]\s*{re.escape(word)}\s*$|-\s+{re.escape(word)}\s*$""", line)
        else None
    )


class MovedOutParts:
    """Parts of a project that left it as a whole: they have a repository of their own, and are still to be had."""

    def __init__(self, files: Iterable[ChangedFile], moved: Mapping[str, str] = MappingProxyType({})) -> None:
        every = list(files)
        self._moved = moved
        self._files = [file for file in every if is_manifest(file.path)]
        self._gone = {file.path for file in every if file.new is None}

    def is_gone(self, path: str) -> bool:
        """Whether the change deleted a file."""
        return path in self._gone

    def has(self, path: str) -> bool:
        """Whether the part that a file belonged to was published by itself, or is a dependency now."""
        if path not in self._gone or path in self._moved:
            return False
        folder, name = posixpath.split(path.lower())
        parts = {posixpath.basename(folder), posixpath.splitext(name)[0]}
        return any(path.startswith(folder) for folder in self._packages) or any(
            part in dependency for part in parts if len(part) >= _TELLING for dependency in self._gained
        )

    @cached_property
    def _packages(self) -> tuple[str, ...]:
        """Folders whose manifest is gone, with a slash at their end; the root is none. Where another manifest is new, a
        package may have moved; and where some of its files stand elsewhere now, it did."""
        if any(file.old is None for file in self._files):
            return ()
        gone = (file.path for file in self._files if file.new is None)
        folders = (f"{folder}/" for path in gone if (folder := posixpath.dirname(path)))
        return tuple(folder for folder in folders if not any(path.startswith(folder) for path in self._moved))

    @cached_property
    def _gained(self) -> list[frozenset[str]]:
        """The words of each dependency that is new, without those that the manifest had before."""
        return [words for file in self._files if file.old and file.new for words in _new_names(file.old, file.new)]


_TELLING = 4
_RUN = re.compile(rb"[\w.@/-]++")
_TWO_WORDS = re.compile(rb"[a-z]\w{0,60}[-/.][\w.-]")


def _new_names(old: bytes, new: bytes) -> Iterator[frozenset[str]]:
    """Names of several words on the lines that are new; words that the old manifest has say nothing about a part."""
    known = set(old.split(b"\n"))
    had = set(re.findall(r"[a-z0-9]+", old.decode("utf-8", "replace").lower()))
    for line in new.split(b"\n"):
        if line not in known:
            for name in filter(_TWO_WORDS.search, _RUN.findall(line)):
                yield frozenset(re.findall(r"[a-z0-9]+", name.decode("utf-8", "replace").lower())) - had
