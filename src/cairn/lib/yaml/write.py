"""Values as YAML text: plain where that is safe, quoted where it is not; and in one way only, for hashes."""

import json
import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from math import inf, isfinite
from typing import Any, NamedTuple

from cairn.lib.yaml.parse import YamlProblem, load_yaml

WIDTH = 100
"""Where folded text is broken; what stands there already is not touched."""


class Manner(NamedTuple):
    """How a file is indented."""

    step: int = 2
    """Of a mapping in a mapping."""
    dash: int = 2
    """Of a list in a mapping; 0 when dashes stand below the key."""


# --- scalars --------------------------------------------------------------------------------------------------------

# Words and numbers that some reader of YAML, if not ours, takes for something else than text.
_OTHERWISE = re.compile(
    r"(?i)y|n|yes|no|on|off|true|false|null|~|[-+]?\d[\d_]*|[-+]?[\d_]*\.[\d_]*(?:e[-+]?\d+)?|[-+]?\d[\d_.]*e[-+]?\d+"
    r"|[-+]?\d+(?::[0-5]?\d)+(?:\.\d*)?|[-+]?0[xob][\da-f_]+|[-+]?\.(?:inf|nan)"
)
_BAD_START = frozenset("-?:,[]{}#&*!|>'\"%@`=<~ \t")
_BREAKS_PLAIN = re.compile(r":(?=\s|$)|\s#|[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]|\s$")
_BREAKS_FLOW = re.compile(r"[,\[\]{}]|:(?=[,\[\]{}]|$)")
_ESCAPED = re.compile(r"[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_NO_SINGLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def scalar(value: Any, *, flow: bool = False, style: str = "") -> str:
    """One line for a text, a number, a boolean or nothing. `style` is the quote that stood there before, if any."""
    if not isinstance(value, str):
        return json.dumps(value)
    if style == "'" and not _NO_SINGLE.search(value):
        return _single(value)
    if style == '"':
        return _double(value)
    if is_plain(value, flow=flow):
        return value
    if not _NO_SINGLE.search(value) and ('"' in value or "\\" in value):
        return _single(value)
    return _double(value)


def is_plain(text: str, *, flow: bool = False) -> bool:
    """Whether a text may stand without quotes and every reader sees the same text."""
    if not text or text[0] in _BAD_START or _OTHERWISE.fullmatch(text) or _BREAKS_PLAIN.search(text):
        return False
    if flow and _BREAKS_FLOW.search(text):
        return False
    try:
        return load_yaml(f"k: {text}") == {"k": text}
    except YamlProblem:
        return False


def _single(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _double(text: str) -> str:
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(text, ensure_ascii=False))


# --- on one line ----------------------------------------------------------------------------------------------------


def inline(value: Any, *, flow: bool = False, style: str = "") -> str:
    """Any value on one line; collections in brackets."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(flow_pair(key, item) for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(inline(item, flow=True) for item in value) + "]"
    return scalar(value, flow=flow, style=style)


def flow_pair(key: str, value: Any) -> str:
    return f"{scalar(key, flow=True)}: {inline(value, flow=True)}"


# --- in lines of its own --------------------------------------------------------------------------------------------


def fits_inline(value: Any) -> bool:
    """Whether a value needs no line of its own in a block: scalars without line breaks, empty collections."""
    return not value if isinstance(value, Mapping | list | tuple) else not literal_header(value)


def pair_lines(key: str, value: Any, column: int, manner: Manner) -> list[str]:
    """`key: value` at a column, with as many lines as it takes."""
    head = f"{' ' * column}{scalar(key)}:"
    if fits_inline(value):
        return [f"{head} {inline(value)}"]
    if header := literal_header(value):
        return [f"{head} {header}", *text_lines(value, column + manner.step)]
    return [head, *block_lines(value, child_column(value, column, manner), manner)]


def item_lines(value: Any, column: int, manner: Manner) -> list[str]:
    """`- value` at a column."""
    head = f"{' ' * column}-"
    if fits_inline(value):
        return [f"{head} {inline(value)}"]
    if header := literal_header(value):
        return [f"{head} {header}", *text_lines(value, column + 2)]
    first, *rest = block_lines(value, column + 2, manner)
    return [f"{head} {first[column + 2 :]}", *rest]


def block_lines(value: Any, column: int, manner: Manner) -> list[str]:
    """A collection that is not empty."""
    if isinstance(value, Mapping):
        return [line for key, item in value.items() for line in pair_lines(key, item, column, manner)]
    return [line for item in value for line in item_lines(item, column, manner)]


def child_column(value: Any, column: int, manner: Manner) -> int:
    """Where the lines of a collection start that belongs to a key at `column`."""
    return column + (manner.step if isinstance(value, Mapping) else manner.dash)


def mapping_text(value: Mapping[str, Any], manner: Manner | None = None) -> str:
    """A whole document, with a line break at its end."""
    return "".join(f"{line}\n" for line in block_lines(value, 0, manner or Manner()))


# --- text over several lines ----------------------------------------------------------------------------------------

_NO_LITERAL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def literal_header(value: Any) -> str | None:
    """`|`, `|-` or `|+` for a text of several lines that a literal block can hold; None for everything else."""
    if not isinstance(value, str) or "\n" not in value or not value.strip("\n") or _NO_LITERAL.search(value):
        return None
    first = value.lstrip("\n")
    if value[0] == "\n" or first[0] in " \t":
        return None
    ending = len(value) - len(value.rstrip("\n"))
    return ("|-", "|", "|+")[min(ending, 2)]


def text_lines(value: str, column: int) -> list[str]:
    """The lines of a literal block. Under `|+` all blank lines at the end count."""
    lines = value.removesuffix("\n").split("\n")
    return [f"{' ' * column}{line}" if line else "" for line in lines]


def folded_lines(value: str, column: int) -> Iterator[list[str]]:
    """Ways to fold a text of one line: broken between words, then not broken at all."""
    if "\n" in value or not value.strip() or value[0] in " \t" or _NO_LITERAL.search(value):
        return
    pad = " " * column
    if "  " not in value and "\t" not in value and not value.endswith(" "):
        yield [pad + line for line in _wrapped(value, max(WIDTH - column, 20))]
    yield [pad + value]


def _wrapped(text: str, width: int) -> list[str]:
    lines = [""]
    for word in text.split(" "):
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}" if lines[-1] else word
    return lines


def frontmatter_hash(mapping: Mapping[str, Any], raw: str | None) -> bytes:
    """The digest of the canonical text, or of the raw text where parsing gave nothing."""
    text = raw if raw and not mapping else canonical_yaml(mapping)
    return sha256(text.encode("utf-8", "surrogatepass")).digest()


def canonical_yaml(mapping: Mapping[str, Any]) -> str:
    if not mapping:
        return "{}\n"
    return "".join([_pair(key, mapping[key], 0) + "\n" for key in _sorted_keys(mapping)])


def _sorted_keys(mapping: Mapping[str, Any]) -> list[str]:
    """JavaScript compares UTF-16 code units: 😀 comes before U+FF01."""
    keys = sorted(mapping)
    if "".join(keys).isascii():
        return keys
    return sorted(keys, key=lambda key: key.encode("utf-16-be", "surrogatepass"))


# --- structure ------------------------------------------------------------------------------------------------------


def _pair(key: str, value: Any, level: int) -> str:
    """`key: value`, without the indentation of its own first line."""
    shown = _key(key)
    if len(shown) > 512 and _is_long(shown):
        return f"? {shown}\n{'  ' * level}: {_node(value, level + 1, compact=True)}"
    text = _node(value, level + 1, compact=False)
    return f"{shown}:{text}" if text[0] == "\n" else f"{shown}: {text}"


def _is_long(key: str) -> bool:
    """More than YAML takes for a simple key, counted in UTF-16 code units."""
    return len(key.encode("utf-16-le", "surrogatepass")) > 2 * 1024


def _node(value: Any, level: int, *, compact: bool) -> str:
    """A value. What is not compact and needs lines of its own starts with a line break."""
    if isinstance(value, str):
        return _string(value, level)
    if isinstance(value, Mapping):
        if not value:
            return "{}"
        return _block([_pair(key, value[key], level) for key in _sorted_keys(value)], level, compact)
    if isinstance(value, list | tuple):
        if not value:
            return "[]"
        return _block([f"- {_node(item, level + 1, compact=True)}" for item in value], level, compact)
    return _scalar(value)


def _block(items: list[str], level: int, compact: bool) -> str:
    start = "\n" + "  " * level
    text = start.join(items)
    return text if compact else start + text


def _scalar(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return _number(value)
    return _string(str(value), 1)


_SAFE_INTEGER = 2**53


def _number(value: int | float) -> str:
    """As JavaScript writes a number, which for it is always a double."""
    if isinstance(value, int) and -_SAFE_INTEGER <= value <= _SAFE_INTEGER:
        return str(value)
    number = _canonical_double(value)
    if not isfinite(number):
        return ".nan" if number != number else "-.inf" if number < 0 else ".inf"
    if number == 0:
        return "-0.0" if str(number).startswith("-") else "0"
    sign = "-" if number < 0 else ""
    digits, point = _digits(abs(number))
    if point < -5 or point > 21:
        return sign + _exponential(digits, point - 1, number.is_integer())
    if point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    if point >= len(digits):
        return sign + digits + "0" * (point - len(digits))
    return f"{sign}{digits[:point]}.{digits[point:]}"


def _canonical_double(value: int | float) -> float:
    try:
        return float(value)
    except OverflowError:
        return inf if value > 0 else -inf


def _digits(number: float) -> tuple[str, int]:
    """The shortest digits that give the number back, and where the decimal point stands in them."""
    mantissa, _, exponent = repr(number).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    return digits.rstrip("0"), point


def _exponential(digits: str, exponent: int, integer: bool) -> str:
    if len(digits) > 1:
        mantissa = f"{digits[0]}.{digits[1:]}"
    else:
        # YAML wants a point in a float; a whole number does without.
        mantissa = digits if integer else f"{digits}."
    return f"{mantissa}e{'+' if exponent > 0 else '-'}{abs(exponent)}"


# --- strings --------------------------------------------------------------------------------------------------------

_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
_NEVER_FIRST = frozenset("-?:,[]{}#&*!|=>'\"%@` ")
_WORDS = frozenset({"~", "null", "Null", "NULL", "true", "True", "TRUE", "false", "False", "FALSE", "<<"})
# What is printable would be shorter to say, but takes ten times as long to compile.
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\xa0\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
_UNPRINTABLE_BUT_NEWLINE = re.compile("[\x00-\t\x0b-\x1f\x7f-\xa0\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")

_NUMBER = re.compile(
    r"""[-+]?(?:0b[01_]*[01]|0x[0-9A-Fa-f_]*[0-9A-Fa-f]|0o[0-7_]*[0-7])
    |   (?:[-+]?[0-9][0-9_]*(?:\.[0-9_]*)?|\.[0-9_]+)(?:[eE][-+]?[0-9]+)?(?<!_)
    |   [-+]?\.(?:inf|Inf|INF) | \.(?:nan|NaN|NAN)""",
    re.VERBOSE,
)
_DATE = re.compile(
    r"""[0-9]{4}-[0-9]{2}-[0-9]{2}
    |   [0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?
        (?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?""",
    re.VERBOSE,
)


def _is_plain(text: str) -> bool:
    """Can surely do without quotes. The usual text: printable ASCII that starts with a letter."""
    return (
        text[0] in _LETTERS
        and text.isascii()
        and text.isprintable()
        and ": " not in text
        and " #" not in text
        and text[-1] not in ": "
        and text not in _WORDS
    )


def _string(text: str, level: int) -> str:
    if not text:
        return "''"
    if _is_plain(text):
        return text
    if _UNPRINTABLE_BUT_NEWLINE.search(text):
        return _double_quoted(text)
    if "\n" in text:
        return _literal(text, level)
    return text if _goes_plain(text) else _single_quoted(text)


def _key(text: str) -> str:
    """Like any string, but on one line."""
    if not text:
        return "''"
    if _is_plain(text):
        return text
    if _UNPRINTABLE.search(text):
        return _double_quoted(text)
    return text if _goes_plain(text) else _single_quoted(text)


def _goes_plain(text: str) -> bool:
    """Of printable text on one line: no quotes are needed."""
    return (
        text[0] not in _NEVER_FIRST
        and text[-1] not in ": "
        and ": " not in text
        and " #" not in text
        and text not in _WORDS
        and not _NUMBER.fullmatch(text)
        and not _DATE.fullmatch(text)
    )


def _single_quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _literal(text: str, level: int) -> str:
    """The lines as they are, behind a bar."""
    indicator = "2" if text.lstrip("\n").startswith(" ") else ""
    if not text.endswith("\n"):
        chomp = "-"
    else:
        chomp = "+" if text == "\n" or text.endswith("\n\n") else ""
    indent = "  " * level
    lines = [indent + line if line else "" for line in text.split("\n")]
    shown = "\n".join(lines)
    return f"|{indicator}{chomp}\n{shown[:-1] if shown.endswith(chr(10)) else shown}"


_ESCAPES = {
    '"': '\\"',
    "\\": "\\\\",
    "\0": "\\0",
    "\a": "\\a",
    "\b": "\\b",
    "\t": "\\t",
    "\n": "\\n",
    "\v": "\\v",
    "\f": "\\f",
    "\r": "\\r",
    "\x1b": "\\e",
    "\x85": "\\N",
    "\xa0": "\\_",
    "\u2028": "\\L",
    "\u2029": "\\P",
}
_TO_ESCAPE = re.compile(_UNPRINTABLE.pattern + r'|["\\]')


def _double_quoted(text: str) -> str:
    return '"' + _TO_ESCAPE.sub(_escape, text) + '"'


def _escape(found: re.Match[str]) -> str:
    char = found[0]
    code = ord(char)
    return _ESCAPES.get(char) or (f"\\x{code:02X}" if code <= 0xFF else f"\\u{code:04X}")
