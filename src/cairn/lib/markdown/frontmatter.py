"""A file's bytes into text, and its text into frontmatter and body, with what is wrong about either."""

import re
from math import isfinite
from typing import Any, Literal, NamedTuple

from cairn.lib.yaml.core_schema import core_number, odd_number
from cairn.lib.yaml.parse import DANGEROUS_KEYS, YamlProblem, load_yaml, strip_dangerous_keys

MAX_LINE = 1_000_000
"""Characters; a longer line is worth a note, because no tool shows it well."""

_BOM = "\ufeff"


RECOVERED = "recovered"
"""The hint of a problem that costs nobody anything: hosts read such a value as Cairn does."""


class Problem(NamedTuple):
    """What is wrong with a file. How grave that is, the scan decides."""

    rule: str
    message: str
    line: int
    """Of the file, from 1."""
    hint: str | None = None


class DecodedText(NamedTuple):
    text: str
    problems: tuple[Problem, ...]
    binary: bool = False
    """There is no text in it; `text` is empty."""


class SplitFile(NamedTuple):
    raw: str | None
    """Between the two `---`, or None without frontmatter."""
    body: str
    body_line: int


class ParsedFile(NamedTuple):
    frontmatter: dict[str, Any]
    raw: str | None
    body: str
    body_line: int
    """The line of the file on which the body starts."""
    problems: tuple[Problem, ...]
    partial: bool = False
    """Whether `frontmatter` lacks keys that were refused, or holds text that is not valid YAML. Other readers see no
    frontmatter then, so a hash for them is made of `raw`."""


# --- bytes ----------------------------------------------------------------------------------------------------------


def decode(data: bytes) -> DecodedText:
    """The text of a file, without a byte order mark; what is no UTF-8 is replaced and reported."""
    if b"\0" in data:
        message = "This file has NUL bytes and is no text; it was left out."
        return DecodedText("", (Problem("file-binary", message, _line(data, data.index(b"\0"))),), binary=True)
    problems: tuple[Problem, ...] = ()
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        text = data.decode("utf-8", "replace")
        problems = (_encoding_problem(data, error.start),)
    if text[:1] == _BOM:
        text = text[1:]
        problems = (_bom_problem(text), *problems)
    if len(text) > MAX_LINE:
        problems = (*problems, *_long_line(text))
    return DecodedText(text, problems)


def _line(data: bytes, offset: int) -> int:
    return data.count(b"\n", 0, offset) + 1


def _encoding_problem(data: bytes, offset: int) -> Problem:
    message = "This file is not UTF-8; the bytes that could not be read were replaced, save it as UTF-8."
    return Problem("file-encoding", message, _line(data, offset))


def _bom_problem(text: str) -> Problem:
    """Other tools do not see frontmatter behind a byte order mark; ours does, and says so."""
    rule = "frontmatter-malformed" if text.startswith("---") else "file-encoding"
    message = "This file starts with a byte order mark, which hides frontmatter from many tools; save it without."
    return Problem(rule, message, 1, "byte-order-mark")


def _long_line(text: str) -> tuple[Problem, ...]:
    start, line = 0, 1
    while len(text) - start > MAX_LINE:
        end = text.find("\n", start, start + MAX_LINE + 1)
        if end < 0:
            return (Problem("line-too-long", f"This line has more than {MAX_LINE:,} characters; break it up.", line),)
        start, line = end + 1, line + 1
    return ()


# --- text -----------------------------------------------------------------------------------------------------------


def split(text: str) -> SplitFile:
    r"""Frontmatter and body, as `^---\r?\n([\s\S]*?)\r?\n---\r?\n?([\s\S]*)$` tells them apart.

    One case is added: two lines `---` with nothing between them are empty frontmatter, which the pattern would take
    for text, or for the start of a block that ends at some later rule.
    """
    if not text.startswith(("---\n", "---\r\n")):
        return SplitFile(None, text, 1)
    start = 4 if text[3] == "\n" else 5
    if _is_rule(text, start):
        return _close(text, start, start, start + 3)
    newline = text.find("\n---", start)
    if newline < 0:
        return SplitFile(None, text, 1)
    end = newline - 1 if newline > start and text[newline - 1] == "\r" else newline
    return _close(text, start, end, newline + 4)


def _is_rule(text: str, at: int) -> bool:
    return text.startswith("---", at) and (
        len(text) == at + 3 or text.startswith("\n", at + 3) or text.startswith("\r\n", at + 3)
    )


def _close(text: str, start: int, end: int, position: int) -> SplitFile:
    if text.startswith("\r", position):
        position += 1
    if text.startswith("\n", position):
        position += 1
    return SplitFile(text[start:end], text[position:], text.count("\n", 0, position) + 1)


def parse(text: str, parser: Literal["frontmatter-yaml", "toml"] = "frontmatter-yaml") -> ParsedFile:
    """What a file says about itself, and the rest of it. Whatever is wrong, this returns."""
    if parser == "toml":
        return _parse_toml(text)
    found: tuple[Problem, ...] = ()
    if text[:1] == _BOM:
        text = text[1:]
        found = (_bom_problem(text),)
    raw, body, body_line = split(text)
    if raw is None:
        return ParsedFile({}, None, body, body_line, (*found, *_malformed(text)))
    value, problems = _read(f"{raw}\n")  # a block of text at the very end ends with the line that `---` follows
    return ParsedFile(_safe(value, raw), raw, body, body_line, (*found, *problems), bool(value and problems))


def _read(source: str) -> tuple[dict[str, Any], tuple[Problem, ...]]:
    """Strictly where that works, else key by key."""
    try:
        value = load_yaml(source)
    except YamlProblem as problem:
        return _read_keys(source, problem)
    if type(value) is dict:
        odd = _ODD_NUMBER.search(source) is not None and _holds_odd_number(value)
        return _read_keys(source, None, value) if odd else (value, ())
    return {}, () if value is None else (_not_a_mapping(),)


_ODD_NUMBER = re.compile(r"\d_[\d._]|\d[eE]\+?\d{3}", re.ASCII)


def _holds_odd_number(value: object) -> bool:
    """Whether the parser left a text that js-yaml reads as a number, unless it is in quotes."""
    if isinstance(value, dict):
        return any(map(_holds_odd_number, value)) or any(map(_holds_odd_number, value.values()))
    if isinstance(value, list):
        return any(map(_holds_odd_number, value))
    return isinstance(value, str) and odd_number(value) is not None and core_number(value) is not None


def _read_keys(
    source: str, problem: YamlProblem | None, strict: dict[str, Any] | None = None
) -> tuple[dict[str, Any], tuple[Problem, ...]]:
    """What survives of a text that the strict parser refuses, with one problem for each key that does not."""
    from cairn.lib.yaml.compose import read_keys

    keys = read_keys(source)
    if keys is None or (not keys.value and not keys.problems):
        return strict or {}, () if problem is None else (_parse_problem(problem),)
    return keys.value, tuple(
        Problem("frontmatter-parse-error", said, line + 1, RECOVERED if recovered else None)
        for said, line, recovered in keys.problems
    )


def _safe(value: dict[str, Any], raw: str) -> dict[str, Any]:
    # A backslash may spell a key in a way that the text does not show.
    if "\\" in raw or any(key in raw for key in DANGEROUS_KEYS):
        stripped: dict[str, Any] = strip_dangerous_keys(value)
        return stripped
    return value


def _parse_problem(problem: YamlProblem) -> Problem:
    """Lines of the frontmatter are one less than lines of the file."""
    return Problem("frontmatter-parse-error", problem.message, (problem.line or 0) + 1)


def _not_a_mapping() -> Problem:
    message = "Frontmatter must be a mapping of keys to values, like `title: My page`."
    return Problem("frontmatter-parse-error", message, 2)


# --- frontmatter that was meant to be some --------------------------------------------------------------------------

_INDENTED = re.compile(r"[ \t]+---\r?\n[ \t]*[\w-]+\s*:", re.ASCII)
_BLANK_BEHIND = re.compile(r"---[ \t]+\r?\n[ \t]*[\w-]+\s*:", re.ASCII)
_OPENED = re.compile(r"---\r?\n[ \t]*[\w-]+\s*:", re.ASCII)


def _malformed(text: str) -> tuple[Problem, ...]:
    """Asked only when no frontmatter was found, so an opened block is one that nothing closes."""
    if text.startswith("---"):
        if _OPENED.match(text):
            message = "Frontmatter is opened here but never closed; add a line `---` after it."
            return (Problem("frontmatter-malformed", message, 1, "missing-close"),)
        if _BLANK_BEHIND.match(text):
            message = "There are blanks behind the `---` that opens the frontmatter; take them out."
            return (Problem("frontmatter-malformed", message, 1, "blank-behind"),)
    elif text[:1] in (" ", "\t") and _INDENTED.match(text):
        message = "Frontmatter must not be indented; move the lines `---` and what is between them to the left."
        return (Problem("frontmatter-malformed", message, 1, "paste-with-indent"),)
    return ()


# --- TOML -----------------------------------------------------------------------------------------------------------

_AT_LINE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")


def _parse_toml(text: str) -> ParsedFile:
    """The whole file is frontmatter; there is no body."""
    import tomllib

    found: tuple[Problem, ...] = ()
    if text[:1] == _BOM:
        text = text[1:]
        found = (_bom_problem(text),)
    try:
        value = strip_dangerous_keys(_plain(tomllib.loads(text)))
    except (ValueError, RecursionError) as error:
        return ParsedFile({}, text, "", 1, (*found, _toml_problem(error, text)))
    return ParsedFile(value, text, "", 1, found)


def _plain(value: Any) -> Any:
    """Dates and times as ISO 8601 strings, so that a value is the same whichever language it was written in."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not isfinite(value):
        raise ValueError("infinity and not-a-number are not supported")
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise ValueError("a number has too many digits to be kept exactly")
    return value.isoformat() if hasattr(value, "isoformat") else value


def _toml_problem(error: Exception, text: str) -> Problem:
    if isinstance(error, RecursionError):
        return Problem("frontmatter-parse-error", "This TOML is nested too deeply; make it flatter.", 1)
    said = str(error)
    at = _AT_LINE.search(said)
    line = int(at[1]) if at and at[1] else text.count("\n") + 1 if at else 1
    return Problem("frontmatter-parse-error", f"This is not valid TOML: {_AT_LINE.sub('', said)}.", line)
