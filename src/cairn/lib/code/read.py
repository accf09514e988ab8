"""Any file to its outline: which language it is, who reads that, and what happens when that fails.

Nothing is ever raised: a file that its language's reader refuses is read as text, and the outline says why.
"""

import re
from contextlib import suppress
from typing import Final

from cairn.lib.code.model import Outline, Probe, text_outline

LONGEST_LINE: Final = 5_000
"""Bytes. A longer line was hardly written by hand."""
_BLANKS: Final = re.compile(rb"(?<!\s)\s{500}")

MAX_BYTES: Final = 2_000_000
"""Above this a file was hardly written by hand, and is read as text."""

DATA: Final = {
    "json": "json", "jsonc": "json", "webmanifest": "json", "geojson": "json",
    "yaml": "yaml", "yml": "yaml", "toml": "toml", "ini": "ini", "cfg": "ini", "env": "env",
}  # fmt: skip
GRAMMARS: Final = {
    "js": "javascript", "mjs": "javascript", "cjs": "javascript", "jsx": "javascript",
    "ts": "typescript", "mts": "typescript", "cts": "typescript", "tsx": "tsx",
    "go": "go", "rs": "rust", "java": "java", "c": "c", "h": "c",
    "cc": "cpp", "cpp": "cpp", "cxx": "cpp", "hpp": "cpp", "hh": "cpp", "hxx": "cpp",
    "cs": "csharp", "rb": "ruby", "rake": "ruby", "gemspec": "ruby", "php": "php", "kt": "kotlin", "kts": "kotlin",
    "swift": "swift", "sh": "bash", "bash": "bash",
}  # fmt: skip
NAMES: Final = {
    "makefile": "make", "gnumakefile": "make", "justfile": "just", ".justfile": "just",
    ".env": "env", ".env.example": "env", ".env.sample": "env", "pipfile": "toml", "cargo.lock": "toml",
    "poetry.lock": "toml", "uv.lock": "toml", "composer.lock": "json", ".babelrc": "json", ".eslintrc": "json",
    ".prettierrc": "yaml", ".clang-format": "yaml", ".editorconfig": "ini", ".flake8": "ini", ".pylintrc": "ini",
    ".coveragerc": "ini", "rakefile": "ruby", "gemfile": "ruby", ".bashrc": "bash", ".bash_profile": "bash",
}  # fmt: skip
_INTERPRETERS: Final = {"node": "javascript", "ruby": "ruby", "php": "php", "bash": "bash", "sh": "bash"}
_SHEBANG: Final = re.compile(rb"^#![ \t]*\S*?/?(?:env[ \t]+(?:-S[ \t]+)?)?([A-Za-z]+)[0-9.]*(?:[ \t\r\n]|$)")

_CPLUSPLUS: Final = re.compile(rb"^[ \t]*(?:namespace\b|template[ \t]*<|class[ \t]+\w|using[ \t]+\w)", re.MULTILINE)
"""Headers of C++ are often called like those of C."""


def outline(path: str, data: bytes, probe: Probe | None = None) -> Outline:
    """What a file defines. `path` is put into the symbols and says what language it is; nothing is opened. Without a
    probe, what could keep a parser busy for ever is read as text."""
    language = language_of(path, data)
    if language == "text":
        return text_outline(path, data)
    if len(data) > MAX_BYTES:
        return text_outline(path, data, f"It is larger than {MAX_BYTES // 1_000_000} MB, so it was read as text.")
    try:
        if probe and _is_unusual(data) and not probe(lambda: _attempt(path, data, language)):
            return text_outline(path, data, f"Reading it as {_called(language)} took too long, so it was read as text.")
        return _read(path, data, language, probe)
    except Exception as problem:  # whatever a reader does not expect: one file never stops the others
        return text_outline(path, data, _note(language, problem))


def _attempt(path: str, data: bytes, language: str) -> None:
    with suppress(Exception):
        _read(path, data, language, None)


def _is_unusual(data: bytes) -> bool:
    """Whether a file has the form of one that keeps a reader busy: a pattern may take a time that grows with the square
    of a line or of a stretch of blanks. Such a file is tried out first."""
    return _BLANKS.search(data) is not None or max(map(len, data.split(b"\n"))) > LONGEST_LINE


def language_of(path: str, data: bytes = b"") -> str:
    """By the file's name, else by its first line; `text` when neither says."""
    name = path.rpartition("/")[2].lower()
    suffix = name.rpartition(".")[2] if "." in name else ""
    if name in NAMES:
        return NAMES[name]
    if suffix in ("py", "pyi", "pyw"):
        return "python"
    if suffix in ("mk", "mak"):
        return "make"
    if suffix == "h" and _CPLUSPLUS.search(data):
        return "cpp"
    if known := DATA.get(suffix) or GRAMMARS.get(suffix):
        return known
    return "text" if suffix else _interpreter(data)


def _interpreter(data: bytes) -> str:
    found = _SHEBANG.match(data[:200])
    if found is None:
        return "text"
    word = found[1].decode("ascii")
    return "python" if word.startswith(("python", "pypy")) else _INTERPRETERS.get(word, "text")


def _read(path: str, data: bytes, language: str, probe: Probe | None) -> Outline:
    """Readers are imported when a file needs them: most commands never read code."""
    if language == "python":
        from cairn.lib.code.python import python_outline

        return python_outline(path, data)
    if language in ("make", "just"):
        from cairn.lib.code.data import just_outline, make_outline

        return make_outline(path, data) if language == "make" else just_outline(path, data)
    if language in DATA.values():
        from cairn.lib.code.data import data_outline

        return data_outline(path, data, language)
    from cairn.lib.code.grammar import grammar_outline

    return grammar_outline(path, data, language, probe)


_CALLED: Final = {
    "python": "Python", "json": "JSON", "yaml": "YAML", "toml": "TOML", "ini": "INI", "env": "a list of variables",
}  # fmt: skip


def _title(language: str) -> str:
    from cairn.lib.code.languages import LANGUAGES

    return LANGUAGES[language].title if language in LANGUAGES else language


def _called(language: str) -> str:
    return _CALLED.get(language) or _title(language)


def _note(language: str, problem: BaseException) -> str:
    called = _called(language)
    if isinstance(problem, RecursionError | MemoryError):
        return f"It is nested too deeply to be read as {called}, so it was read as text."
    if isinstance(problem, SyntaxError) and problem.lineno:
        return f"Line {problem.lineno} is not valid {called}, so it was read as text."
    return f"It could not be read as {called}, so it was read as text."
