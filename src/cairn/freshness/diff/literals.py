"""Finds literals that a change replaced, with the names of their values, and how documents write such a value."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from cairn.core.scope import is_hidden
from cairn.freshness.diff.definition import ChangedFile
from cairn.freshness.diff.vanished import is_product
from cairn.lib.code.definitions import declares_flag, is_comment

_LITERAL = re.compile(
    r"""\"(?:[^"\\\n]|\\.){0,200}\"|'(?:[^'\\\n]|\\.){0,200}'"""
    r"""|(?<![\w.$-])\d[\d_]*(?:\s*(?:\*|<<)\s*\d[\d_]*)+(?![\w.])"""
    r"""|(?<![\w.$-])-?\d[\d_]*(?:\.\d+)?(?:[eE]-?\d+)?[a-zA-Z%]{0,3}(?![\w.])"""
    r"""|\b(?:true|false|True|False|null|None|nil)\b"""
)
_OWNER = re.compile(
    r"(?<![A-Za-z_$])([A-Za-z_$][\w$-]{0,200}+)[\"']?\s{0,80}+(?::(?:[^=:,{}\[\]<>\n]|\[[^=\]\n]{0,80}\]|<[^=>\n]{0,80}>){0,80})?"
    r"(?:\?\?=|\|\|=|:=|=>|=|:|\?\?|\|\||\bor\b)\s*+(?:\(\s*+)?$"
)
_KEYED = re.compile(
    r"""\(\s*(?:[&*]?[\w.]+,\s*)?["']([A-Za-z][\w.-]+)["'],\s*(?:["']\w?["'],\s*)?$|[\s(]:([a-z]\w+),\s*$"""
)
"""`set("name", 5)`, `set :name, 5`, `IntVarP(&n, "name", "n", 5`: what stands behind the name is its value."""
_DEFAULT = re.compile(r"(?i)^_*default[_-]?(?=\w{3})|[_-]?default$")
_WORD = re.compile(r"""["'][A-Za-z][\w-]*["']""")
"""A string that is as likely another name."""
_FIRST = re.compile(
    r"\s*(?:(?:export|const|let|var|val|pub|public|private|protected|static|final|readonly|override|internal|def|self\.|this\.|"
    r"local|int|long|float|double|bool|boolean|string|String|uint\w*|int\d+|usize|size_t|auto|define|#define|set)\s+|[@$]|self\.|this\.)*"
    r"[\"']?([A-Za-z_][\w-]*)[\"']?(?:\s*+(?:\?\s*+)?:[^=\n]{0,80})?(?:\s*+(?::=|=>|=|:)\s*+\S|\s++\d)"
)
_QUOTED = re.compile(r"""["'](?:-\w,\s*)?(--)?([A-Za-z][\w-]++)[^"'\n]*+["']""")
_ABOVE = 4
_LONGEST = 400
_ONLY_A_ROLE = frozenset(
    (
        "default",
        "default_value",
        "defaultvalue",
        "value",
        "const",
        "initial",
        "fallback",
        "def",
        "return",
        "if",
        "default-value",
        "default_value_t",
        "default_value_os_t",
    )
)
"""Words that say what a literal is for, not whose it is."""


class LiteralChange(NamedTuple):
    names: tuple[str, ...]
    """What the literal belongs to, the nearest first."""
    old: str
    new: str
    """As the code writes them, without quotes."""
    path: str
    old_line: int
    line: int
    old_text: str
    text: str
    around: frozenset[str] = frozenset()
    """Words of the lines that it is inside of, and of its path: `redis` for `redis=Namespace(timeout=Option(5))`."""
    inside: frozenset[str] = frozenset()
    """The names in the lines that it is inside of: `Client` for a member of that class."""

    @property
    def is_bare_value(self) -> bool:
        """Whether the literal is all that a name is set to, as in `level = "info"`: then it is one of the values that
        the name may have, and what it says is no name that the code lost."""
        value = rf"(?:[:=]|\?\?|\|\||\bor\b)\s*\(?\s*[\"']{re.escape(self.old)}[\"']"
        return not _CONSTANT.fullmatch(self.old) and re.search(value, self.old_text) is not None


_CONSTANT = re.compile(r"[A-Z][A-Z0-9]*_[A-Z0-9_]+")
"""A text that is a name, such as that of a variable of the environment."""
_MARKUP = (".html", ".htm", ".hbs", ".vue", ".svelte", ".css", ".scss", ".less", ".xml", ".svg", ".po", ".pot")


def has_values(path: str) -> bool:
    """What markup has are no settings."""
    return not path.endswith(_MARKUP) and is_product(path) and not is_hidden(path)


def literals_of(file: ChangedFile) -> Iterable[LiteralChange]:
    return literal_changes(file.path, file.old, file.new) if file.old and file.new else ()


def literal_changes(path: str, old: bytes, new: bytes) -> Iterator[LiteralChange]:
    before, after = _decoded(old), _decoded(new)
    same = _same_lines(before, after)
    added, removed = _only_in(after, before, same), _only_in(before, after, same)
    shapes: Mapping[str, list[int]] = defaultdict(list)
    for at in added:
        shapes[_shape(after[at])].append(at)
    shapes = {shape: rows for shape, rows in shapes.items() if len(rows) <= _ROWS}
    for at in removed:
        line = before[at]
        if len(line) > _LONGEST or is_comment(line.encode()):
            continue
        alike = shapes.get(_shape(line), [])
        if alike:
            yield from _changed(path, before, at, after, _nearest(at, alike))


_ROWS = 50
"""Changed lines of one shape; more are rows of data, and no document states the value of each."""


def _decoded(data: bytes) -> list[str]:
    return data.decode("utf-8", "replace").split("\n")


def _same_lines(before: Sequence[str], after: Sequence[str]) -> tuple[int, int]:
    """How many lines are the same at the beginning and at the end: of two lines with one text, the one between these
    has changed."""
    most = min(len(before), len(after))
    start = next((at for at in range(most) if before[at] != after[at]), most)
    end = next((at for at in range(most - start) if before[-1 - at] != after[-1 - at]), most - start)
    return start, end


def _only_in(lines: Sequence[str], others: Sequence[str], same: tuple[int, int]) -> list[int]:
    start, end = same
    left = Counter(others[start : len(others) - end])
    found = []
    for at, line in enumerate(lines[start : len(lines) - end], start):
        if left[line] > 0:
            left[line] -= 1
        elif line.strip():
            found.append(at)
    return found


def _nearest(at: int, candidates: list[int]) -> int:
    found = min(candidates, key=lambda other: abs(other - at))
    candidates.remove(found)
    return found


def _shape(line: str) -> str:
    return _LITERAL.sub("\0", line[:_LONGEST])


def _changed(path: str, before: Sequence[str], at: int, after: Sequence[str], to: int) -> Iterator[LiteralChange]:
    line, other = before[at], after[to]
    pairs = list(zip(_LITERAL.finditer(line), _LITERAL.finditer(other), strict=False))
    for old, new in pairs:
        if _bare(old[0]) == _bare(new[0]) or _in_brackets(line[: old.start()]):
            continue
        if names := names_of(before, at, old.start()):
            above = list(_openers(before, at))
            around = frozenset(word.lower() for text in (path, *above) for word in PART.findall(text) if len(word) > 1)
            inside = frozenset(name for text in above for name in re.findall(r"[A-Za-z_]\w*", text))
            values = _bare(old[0]), _bare(new[0])
            names += _with_its_table(names, path, before, at)
            yield LiteralChange(names, *values, path, at + 1, to + 1, line.strip(), other.strip(), around, inside)


def _openers(lines: Sequence[str], at: int) -> Iterator[str]:
    """The lines above that are indented less and less."""
    indent = _indent(lines[at])
    for line in reversed(lines[max(0, at - _LONGEST) : at]):
        if line.strip() and _indent(line) < indent:
            yield line[:_OPENING]
            indent = _indent(line)


def _with_its_table(names: Sequence[str], path: str, lines: Sequence[str], at: int) -> tuple[str, ...]:
    """`server.port` for the key `port` below `server:` or `[server]`."""
    table = table_of(lines, at, path.rpartition(".")[2]) if path.endswith(_TABLES) else ""
    return (f"{table}.{names[0]}",) if table and names else ()


def table_of(lines: Sequence[str], at: int, language: str) -> str:
    """The table or the key that a line of data belongs to."""
    if language in ("toml", "ini"):
        found = next((named for line in reversed(lines[:at]) if (named := _SECTION.match(line))), None)
    else:
        found = next((named for line in _openers(lines, at) if (named := _TABLE.match(line))), None)
    return found[1] if found else ""


_TABLES = (".yaml", ".yml", ".json", ".toml")
_SECTION = re.compile(r"\s*\[([\w.-]+)\]\s*$")
_TABLE = re.compile(r"""\s*["']?([A-Za-z][\w-]*)["']?\s*:\s*(?:\{\s*)?$""")

_OPENING = 100
PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
"""The words of a name."""


def _in_brackets(before: str) -> bool:
    """Whether a list, an index or the like is open: one of many values is nobody's. An attribute of Rust is none."""
    return before.count("[") - before.count("#[") > before.count("]")


def values_in(line: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each literal of a line of code, and what it belongs to."""
    for found in _LITERAL.finditer(line[:_LONGEST]):
        if not _in_brackets(line[: found.start()]):
            yield _bare(found[0]), names_of([line], 0, found.start())


def _bare(literal: str) -> str:
    if literal[:1] in "\"'":
        return literal[1:-1]
    return str(_computed(literal)) if re.search(r"\*|<<", literal) else literal


def _computed(product: str) -> int:
    """`10 * 1024` and `1 << 20`, from left to right."""
    first, *rest = re.split(r"(?:(?<!\s)\s++)?(\*|<<)\s*", product)
    value = int(first)
    for sign, number in zip(rest[::2], rest[1::2], strict=True):
        value = value * int(number) if sign == "*" else value << min(int(number), _WIDEST)
    return value


_WIDEST = 64


def names_of(lines: Sequence[str], at: int, start: int) -> tuple[str, ...]:
    """The name right before the literal, the name that the line begins with, and the flag or key that it belongs to."""
    line = lines[at]
    owner = _OWNER.search(line[:start])
    found = [owner[1]] if owner else []
    if (keyed := _KEYED.search(line[:start])) and not _WORD.match(line, start):
        found.append(keyed[1] or keyed[2])
    if (first := _FIRST.match(line)) and first.end(1) <= start and not _is_of_an_entry(line, first, start, owner):
        found.append(first[1])
    if declares_flag([line.encode()], 0):
        found += [f"{dashes}{name}" for dashes, name in _QUOTED.findall(line[:start])]
    if found and all(name.lower() in _ONLY_A_ROLE for name in found):
        found += _below(lines, at) or _above(lines, at)
    found = [name for name in found if name.lower() not in _ONLY_A_ROLE]
    found += [bare for name in found if (bare := _DEFAULT.sub("", name)) != name]
    return tuple(dict.fromkeys(name for name in found if name.lower() not in _ONLY_A_ROLE and len(name) > 1))


def _is_of_an_entry(line: str, first: re.Match[str], start: int, owner: re.Match[str] | None) -> bool:
    """Whether the literal has a name of its own and is one of several, so that it is not that of the whole line:
    `{ max: 100, port: 8000 }`, but not `Duration(seconds=5)`."""
    if owner is None or owner[1].lower() in _ONLY_A_ROLE:
        return False
    before = _CLOSED.sub("", line[first.end(1) : start])
    opened = max(before.rfind(bracket) for bracket in "({[")
    if "," in before or before[opened : opened + 1] == "{":
        return True
    return opened >= 0 and _NEXT.match(_CLOSED.sub("", line[start:])) is not None


_CLOSED = re.compile(
    r"""\"(?:[^"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|\([^()\n]*\)|\[[^\[\]\n]*\]|\{[^{}\n]*\}|<[^<>=\n]*>"""
)
"""Strings and pairs of brackets."""
_NEXT = re.compile(r"[^(){}\[\],]*,\s*[^\s)}\]]")


def written_name(name: str, names: Sequence[str]) -> str:
    """The name as the code has it: `DEFAULT_PORT` for `PORT`."""
    return next((whole for whole in names if whole != name and _DEFAULT.sub("", whole) == name), name)


def _below(lines: Sequence[str], at: int) -> list[str]:
    """The field of Rust that an attribute at this line belongs to."""
    opened = any(line.lstrip().startswith("#[") for line in lines[max(0, at - _ABOVE) : at + 1])
    fields = (_RUST_FIELD.match(line) for line in lines[at + 1 : at + 1 + _ABOVE])
    return next(([field[1]] for field in fields if field), []) if opened else []


_RUST_FIELD = re.compile(r"\s*(?:pub(?:\([^)\n]*\))?\s+)?([a-z]\w*)\s*:\s*[\w&]")


def _above(lines: Sequence[str], at: int) -> list[str]:
    """The flag or key of the call or table that is open at this line."""
    indent = _indent(lines[at])
    for above in range(at - 1, max(-1, at - 1 - _ABOVE), -1):
        line = lines[above]
        if not line.strip():
            continue
        if (quoted := _QUOTED.search(line)) and (quoted[1] or "-" in quoted[2] or _indent(line) < indent):
            return [f"{quoted[1] or ''}{quoted[2]}"]
        if _indent(line) < indent and (first := _FIRST.match(line)):
            return [first[1]]
    return []


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


_NUMBER = re.compile(r"(-?\d[\d_]*)(?:\.(\d+))?([a-zA-Z%]{0,3})")
_VERSION = re.compile(r"v?\d+(?:\.\d+){1,3}")
_ONES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = {20: "twenty", 30: "thirty", 40: "forty", 50: "fifty", 60: "sixty", 70: "seventy", 80: "eighty", 90: "ninety"}
KEYWORDS = frozenset(("true", "false", "null", "none", "nil"))
_MILLISECONDS = re.compile(r"(?i)milli|[a-z]Ms\b|_ms\b|\bms\b")
_TIME = ((86_400, "days?"), (3_600, "hours?|hrs?|h"), (60, "minutes?|mins?"), (1, "seconds?|secs?|s"))
"""Seconds of a unit, and how it is written."""
_SIZE = ((1024**3, "GiB|GB|G|gigabytes?"), (1024**2, "MiB|MB|M|megabytes?"), (1024, "KiB|KB|kB|K|kilobytes?"))
_SMALLEST = 60


def is_number(value: str) -> bool:
    return _NUMBER.fullmatch(value) is not None or _VERSION.fullmatch(value) is not None


def written_value(value: str, code: str = "") -> re.Pattern[str]:
    """How a document may write a value. Text counts only where it is written as code. `code` is the line that has it,
    which may name its unit."""
    if found := _NUMBER.fullmatch(value):
        return re.compile("|".join(_as_number(found, code)), re.IGNORECASE)
    if _VERSION.fullmatch(value):
        return re.compile(rf"(?<![\w.-])v?{re.escape(value.removeprefix('v'))}(?![\w-]|\.\d)")
    if value.lower() in KEYWORDS:
        return re.compile(rf"(?<![\w.-])(?i:{re.escape(value)})(?![\w-])")
    return re.compile(
        rf"""(?<=[`"'*|]){re.escape(value)}(?=[`"'*|])|(?<=[=:]\s){re.escape(value)}(?![\w.-])|(?<==){re.escape(value)}(?![\w.-])"""
    )


def words_of(text: str) -> frozenset[str]:
    """The words and numbers of a text, for `may_state`."""
    return frozenset(_STATED_WORD.findall(text.lower()))


def may_state(value: str, code: str, words: frozenset[str]) -> bool:
    """Whether a text with these words can match the pattern of a value. Quicker than the pattern, which decides."""
    return any(some <= words for some in _hints(value, code))


_STATED_WORD = re.compile(r"[a-z]+|\d+")
_THOUSAND = 1000


def _hints(value: str, code: str) -> Iterator[set[str]]:
    """Sets of words, all words of one of which a text must have."""
    found = _NUMBER.fullmatch(value)
    if found is None:
        yield set(_STATED_WORD.findall(value.lower()))
        return
    whole = found[1].replace("_", "").lstrip("-")
    if int(whole) >= _THOUSAND:
        yield set(f"{int(whole):,}".split(","))
    for number in (int(whole), *(count for count, _ in _in_other_units(int(whole), code))):
        yield {str(number)}
        if word := in_words(number):
            yield set(_STATED_WORD.findall(word))


def _as_number(found: re.Match[str], code: str) -> Iterator[str]:
    whole, part, unit = found[1].replace("_", ""), (found[2] or "").rstrip("0"), found[3]
    grouped = rf"{int(whole):,}".replace(",", "[,_ ]?") if whole.lstrip("-").isdigit() else re.escape(whole)
    digits = grouped + (rf"\.{part}0*" if part else r"(?:\.0+)?")
    ends = rf"(?:{unit})?" if unit else r"(?:[a-zA-Z%]{1,3})?"
    yield rf"(?<![\w.,/-])(?:{digits}{ends})(?![\w-]|[.,/]\d)"
    if part or not whole.isdigit():
        return
    if int(whole) > 1 and (word := in_words(int(whole))):
        yield rf"\b{word}\b"
    if not unit:
        yield from (_counted(count, name) for count, name in _in_other_units(int(whole), code))


def in_words(number: int) -> str:
    """A pattern; empty for numbers that people write in digits."""
    if number < len(_ONES):
        return _ONES[number]
    if number in (100, 1000):
        return "hundred" if number == 100 else "thousand"
    ten, one = number // 10 * 10, number % 10
    return f"{_TENS[ten]}[- ]{_ONES[one]}" if ten in _TENS and one else _TENS.get(number, "")


def _in_other_units(number: int, code: str) -> Iterator[tuple[int, str]]:
    """`300` as "5 minutes", `5000` milliseconds as "5 seconds", `1048576` as "1 MB"."""
    milliseconds = _MILLISECONDS.search(code) is not None
    if number >= (1000 if milliseconds else _SMALLEST):
        scale = 1000 if milliseconds else 1
        for seconds, unit in _TIME:
            if number % (seconds * scale) == 0 and (milliseconds or seconds > 1):
                yield number // (seconds * scale), unit
    for size, unit in _SIZE:
        if number % size == 0 and number:
            yield number // size, unit


def _counted(count: int, unit: str) -> str:
    word = in_words(count)
    return rf"(?<![\w.,/-])(?:{count:d}{f'|{word}' if word else ''})[ -]?(?:{unit})(?![\w-])"


UNIT = (
    r"milliseconds?|msecs?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|months?|years?|%|per ?cent"
)
_AFTER = re.compile(rf"[`*\"']*[ -]?({UNIT})(?!\w)")
_UNITS = {
    r"milliseconds?|msecs?|ms": _MILLISECONDS,
    r"seconds?|secs?|s": re.compile(r"(?i)sec"),
    r"minutes?|mins?|m": re.compile(r"(?i)minute|mins\b"),
    r"hours?|hrs?|h": re.compile(r"(?i)hour|hrs"),
    r"days?|d": re.compile(r"(?i)day"),
    r"weeks?": re.compile(r"(?i)week"),
    r"months?": re.compile(r"(?i)month"),
    r"years?": re.compile(r"(?i)year"),
    r"%|per ?cent": re.compile(r"(?i)percent|pct|%"),
}
"""How documents write a unit, and how code names it."""
_SECONDS = r"seconds?|secs?|s"
_ENDS_WITH_LETTERS = re.compile(r"(?<![a-zA-Z%])[a-zA-Z%]++$")


def unit_of(found: re.Match[str]) -> str:
    """The unit that a document gives a value, as one of the patterns above; empty if it gives none."""
    inside = _ENDS_WITH_LETTERS.search(found[0])
    behind = _AFTER.match(found.string, found.end())
    written = [one for one in (inside and inside[0], behind and behind[1]) if one]
    return next((unit for one in written for unit in _UNITS if re.fullmatch(unit, one)), "")


def is_converted(found: re.Match[str], value: str) -> bool:
    """Whether a document states the value in another unit than the code, such as five minutes for 300: nothing else in
    its sentence has that number by chance."""
    whole = _NUMBER.fullmatch(value)
    digits = re.match(r"\d[\d_, ]*", found[0])
    if whole is None or whole[2]:
        return False
    number = abs(int(whole[1].replace("_", "")))
    if digits:
        return int(re.sub(r"[_, ]", "", digits[0])) != number
    return found[0][:1].isalpha() and re.fullmatch(in_words(number), found[0], re.IGNORECASE) is None


def contradicts(found: re.Match[str], value: str, code: str) -> bool:
    """Whether a document gives a value a unit that the code does not. A number without a unit may be one of seconds."""
    unit = unit_of(found)
    if not unit or is_converted(found, value):
        return False
    own = _ENDS_WITH_LETTERS.search(value)
    named = [one for one, names in _UNITS.items() if names.search(code) or (own and re.fullmatch(one, own[0]))]
    return unit not in named if named else unit != _SECONDS
