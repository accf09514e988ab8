"""Names that a document writes as code: what looks like a function, a flag, a file, a key, a target.

Only the looks are judged here; whether there is such a thing is for `anchors`. What is too common to mean anything,
such as `name`, `True` or `dict.get`, is left out at once.
"""

import builtins
import re
from collections.abc import Iterator
from functools import cache
from typing import Literal, NamedTuple

from cairn.kernel.text.mask import code_ranges
from cairn.kernel.text.sentences import Lines, Sentence, sentences

MentionKind = Literal["name", "call", "flag", "path", "key", "target", "script"]

_NAME = r"[A-Za-z_$][\w$]*"
_DOTTED = re.compile(rf"@?({_NAME}(?:(?:\.|::|#){_NAME})*)(\(\))?")
_CALL = re.compile(
    rf"(?:await |new |raise |return |def |async def |func |fn |function )?@?({_NAME}(?:(?:\.|::){_NAME})*)\("
)
_DECLARED = re.compile(rf"(?:class|struct|interface|trait|enum|type) ({_NAME})\b")
_ASSIGNED = re.compile(rf"({_NAME}(?:\.{_NAME})*)\s*(?:=|:=|: )\s*\S")
_KEY = re.compile(r"[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*|\[\d+\])+")
_FLAG = re.compile(r"--[A-Za-z][\w-]+")
_PATH = re.compile(r"(?:\./)?((?:[\w@+.-]+/)*[\w@+.-]+/?)(?:(?:::|#)([\w.]+)|:\d+(?:-\d+)?)?")
_IMPORT = re.compile(r"\s*(?:>>> )?from ([\w.]+) import \(?([\w, ]+)")
_IN_CODE = re.compile(rf"(?<![\w.@])({_NAME}(?:\.{_NAME})*)\(")
_SUFFIX = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,5}$")
_PROMPT = re.compile(r"^\s*(?:[$%>#]\s+|>>> )?")
_WORD = re.compile(r"[^\s'\"`;|&()<>,]+")
_WRAPPERS = frozenset({"sudo", "uv", "uvx", "run", "poetry", "pipenv", "npx", "exec", "time", "env", "pipx", "hatch"})
_EVERYBODYS = frozenset(
    {"setup.py", "setup.cfg", "pyproject.toml", "requirements.txt", "tox.ini", "package.json", "package-lock.json"}
    | {
        "Cargo.toml",
        "go.mod",
        "README.md",
        "CHANGELOG.md",
        "LICENSE",
        "Dockerfile",
        "index.html",
        "index.js",
        "main.py",
    }
    | {"conftest.py", "__init__.py", "__main__.py", ".gitignore", ".env", "settings.json", "config.json", "config.toml"}
)
"""Alone between backticks they are as often the reader's own files."""
_FILE_NAMES = frozenset({"Makefile", "Dockerfile", "justfile", "Justfile", "GNUmakefile", "CODEOWNERS", "Procfile"})


LONGEST = 300
"""Characters of a piece of code that is looked at; nobody reads longer ones as a name."""


class Mention(NamedTuple):
    kind: MentionKind
    text: str
    """What to look up: `connect`, `Client.connect`, `--verbose`, `src/app.py`, `project.version`, `test`."""
    part: str
    """Of a path: the symbol behind `#` or `::`. Of a flag: the program it was given to. Else empty."""
    written: str
    """As it stands in the document, without the backticks."""
    line: int
    sentence: Sentence

    @property
    def last(self) -> str:
        """The part that must occur literally wherever this is defined."""
        return self.text.rpartition(".")[2] if self.kind in ("name", "call") else self.text


def mentions(body: str, first_line: int = 1) -> list[Mention]:
    """In order of their place."""
    if "`" not in body and "~~~" not in body:
        return []
    lines, all_sentences = Lines(body, first_line), sentences(body, first_line)
    found = [m for sentence in all_sentences if sentence.fence is not None for m in _in_fence(sentence)]
    prose = [sentence for sentence in all_sentences if sentence.fence is None]
    at = 0
    for start, end in code_ranges(body):
        while at < len(prose) and prose[at].end <= start:
            at += 1
        if at < len(prose) and prose[at].start <= start:
            found += _in_span(body[start:end], lines.at(start), prose[at])
    return sorted(found, key=lambda mention: (mention.line, mention.sentence.start))


# --- inline code ----------------------------------------------------------------------------------------------------


def _in_span(code: str, line: int, sentence: Sentence) -> Iterator[Mention]:
    text = " ".join(code.strip("`").split())
    if not text or len(text) > LONGEST:
        return
    for kind, name, part in _readings(text):
        yield Mention(kind, name, part, text, line, sentence)


def _readings(text: str) -> Iterator[tuple[MentionKind, str, str]]:
    """Every way to understand a piece of inline code; at most one of them will turn out to be something."""
    if found := _DOTTED.fullmatch(text):
        yield from _dotted(found[1], called=bool(found[2]))
    elif found := _CALL.match(text):
        yield from _dotted(found[1], called=True)
    elif (found := _DECLARED.match(text)) or (found := _ASSIGNED.match(text)):
        yield from _dotted(found[1], called=False)
    elif text.startswith("-") or " " in text:
        yield from _command(text)
    if _KEY.fullmatch(text):
        yield "key", text, ""
    if (found := _PATH.fullmatch(text)) and _is_path(found[1]) and text not in _EVERYBODYS:
        yield "path", found[1], found[2] or ""


def _dotted(name: str, *, called: bool) -> Iterator[tuple[MentionKind, str, str]]:
    text = name.replace("::", ".").replace("#", ".").removeprefix("self.").removeprefix("cls.")
    if is_telling(text, called=called):
        yield ("call" if called else "name"), text, ""


def _is_path(text: str) -> bool:
    name = text.rstrip("/").rpartition("/")[2]
    return name in _FILE_NAMES or bool(_SUFFIX.search(name)) or ("/" in text and not text.startswith("/"))


def _command(text: str) -> Iterator[tuple[MentionKind, str, str]]:
    """Flags, files and targets of a line that somebody could type."""
    words = _WORD.findall(_PROMPT.sub("", text, count=1))
    program = _program(words)
    if program in ("make", "just"):
        yield from (("target", word, program) for word in words[1:] if re.fullmatch(r"[A-Za-z][\w-]*", word))
    elif program in ("npm", "yarn", "pnpm", "bun") and "run" in words[:-1]:
        yield "script", words[words.index("run") + 1], program
    for word in words:
        if found := _FLAG.match(word):
            yield "flag", found[0], program
        elif (path := _PATH.fullmatch(word)) and _is_path(path[1]):
            yield "path", path[1], path[2] or ""


def _program(words: list[str]) -> str:
    """What is run: `tool` of `$ uv run tool …` and of `python -m tool …`; empty for flags on their own."""
    for at, word in enumerate(words):
        if word.startswith("-"):
            return ""
        if word in _WRAPPERS or re.fullmatch(r"[A-Z_]+=.*", word):
            continue
        if re.fullmatch(r"python[\d.]*", word) and words[at + 1 : at + 2] == ["-m"]:
            return words[at + 2].partition(".")[0] if len(words) > at + 2 else ""
        return word
    return ""


# --- fenced code ----------------------------------------------------------------------------------------------------


def _in_fence(sentence: Sentence) -> Iterator[Mention]:
    if len(sentence.text) > LONGEST:
        return
    if sentence.fence == "shell" or (not sentence.fence and sentence.text.startswith("$ ")):
        readings = _command(sentence.text)
    elif sentence.fence in ("python", "py", "pycon", "python3"):
        readings = _in_python(sentence.text)
    else:
        return
    for kind, name, part in readings:
        yield Mention(kind, name, part, sentence.text, sentence.line, sentence)


def _in_python(text: str) -> Iterator[tuple[MentionKind, str, str]]:
    if found := _IMPORT.match(text):
        for name in found[2].split(","):
            if name.split():
                yield "name", f"{found[1].strip('.')}.{name.split()[0]}", ""
    elif not text.lstrip(">. ").startswith(("#", "def ", "class ", "async def ")):
        for found in _IN_CODE.finditer(text):
            if is_telling(found[1], called=True):
                yield "call", found[1], ""


# --- what says too little -------------------------------------------------------------------------------------------


def is_telling(text: str, *, called: bool) -> bool:
    """Whether a name has enough to it that meeting it in the code is no accident."""
    head, _, rest = text.partition(".")
    last = text.rpartition(".")[2]
    if last in _special() or (rest and head in _foreign_modules()):
        return False
    if rest:
        return len(last) > 1
    if text in _common():
        return False
    if called:
        return len(text) > 2 and text not in _common_methods()
    return len(text) > 3 and _has_structure(text)


def _has_structure(text: str) -> bool:
    """`max_size`, `MaxSize`, `maxSize`, `Client`; not `size`, `HTTP`, `_size`."""
    inner = text.strip("_")
    if "_" in inner:
        return True
    return not inner.isupper() and any(letter.isupper() for letter in inner)


@cache
def _foreign_modules() -> frozenset[str]:
    import sys

    return frozenset(sys.stdlib_module_names) | {"np", "pd", "plt", "tf", "torch", "numpy", "pandas", "pytest", "self"}


@cache
def _special() -> frozenset[str]:
    """Names with a meaning to Python itself, such as `__init__` and `__eq__`: every class may have them."""
    kinds: tuple[type, ...] = (object, int, float, str, list, dict, set, type, Exception, type(_common), type(re))
    more = "__all__ __version__ __author__ __slots__ __post_init__ __main__ __file__ __enter__ __exit__ __aenter__"
    return frozenset(name for kind in kinds for name in dir(kind) if name.startswith("__")) | frozenset(more.split())


@cache
def _common() -> frozenset[str]:
    """Names that everybody has."""
    words = (
        "Any Callable ClassVar Counter Decimal Dict Enum Exception Final Generic Iterable Iterator List Literal"
        " Mapping NamedTuple Optional OrderedDict Path Protocol Sequence Thread Tuple Type TypeVar TypedDict Union"
        " dataclass datetime defaultdict main setup test tests true false null None undefined Object Array String"
        " Number Boolean Promise Error Date Math README LICENSE CHANGELOG GitHub Python JavaScript TypeScript Docker"
        " Linux Windows Markdown PyPI Django Flask Redis PostgreSQL Postgres MySQL SQLite"
    )
    return frozenset(words.split()) | frozenset(dir(builtins))


@cache
def _common_methods() -> frozenset[str]:
    kinds: tuple[type, ...] = (str, bytes, int, float, list, dict, set, tuple)
    return frozenset(name for kind in kinds for name in dir(kind)) | {"run", "get", "set", "init", "new", "close"}
