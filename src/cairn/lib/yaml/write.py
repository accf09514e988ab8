"""Values as YAML text: plain where that is safe, quoted where it is not, on one line or in lines of their own."""

import json
import re
from collections.abc import Iterator, Mapping
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
