"""YAML as data only: maps, lists, strings, numbers, booleans and null, and a clear refusal of everything else."""

import re
from math import isfinite
from typing import Any, Final, Literal, NamedTuple

MAX_CHARACTERS: Final = 1_048_576
MAX_DEPTH: Final = 128
"""The parser's own limit."""
MANY_BRACKETS: Final = 1_000
"""From here on the nesting is looked at first: the parser's time grows with the square of it."""

DANGEROUS_KEYS: Final = frozenset({"__proto__", "constructor", "prototype"})


class YamlProblem(ValueError):
    """A text that is not YAML, or more than we take. `line` and `column` count from 1, within the text."""

    def __init__(self, reason: str, message: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.line = line
        self.column = column


def load_yaml(text: str) -> object:
    """The value of a YAML document."""
    if len(text) > MAX_CHARACTERS:
        raise YamlProblem("too-large", f"This YAML is longer than {MAX_CHARACTERS:,} characters; make it shorter.")
    if len(text) > MANY_BRACKETS and text.count("[") + text.count("{") > MANY_BRACKETS:
        _refuse_marks(text)
    import ryaml

    try:
        value: object = ryaml.loads(text)  # type: ignore[attr-defined]
    except ValueError as error:
        raise _explained(error, text) from None
    if ("*" in text or "&" in text or "!" in text) and _MAYBE_MARK.search(text):
        _refuse_marks(text)
    _check(value, text)
    return value


def strip_dangerous_keys(value: Any) -> Any:
    """The same value without keys that would poison an object of JavaScript."""
    if isinstance(value, dict):
        return {key: strip_dangerous_keys(item) for key, item in value.items() if key not in DANGEROUS_KEYS}
    if isinstance(value, list):
        return [strip_dangerous_keys(item) for item in value]
    return value


# --- what the parser lets through -----------------------------------------------------------------------------------

_MAYBE_MARK = re.compile(r"(?:^|[\s\ufeff,\[\]{}:?\"'-])(?:[&*]\S|!)")
_LONG_NUMBER = re.compile(r"(?<![\w.+-])[-+]?\d{20,}(?![\w.])")
_NOT_FINITE = re.compile(r"(?<![\w.])[-+]?\.(?:inf|Inf|INF|nan|NaN|NAN)(?!\w)")
_BEYOND_INTEGERS = 2.0**64

_MARK_MESSAGES: dict["MarkKind", tuple[str, str]] = {
    "anchor": ("alias", "YAML anchors (`&name`) are not supported; write the value out, or quote the text."),
    "alias": ("alias", "YAML aliases (`*name`) are not supported; write the value out, or quote the text."),
    "tag": ("tag", "YAML tags (`!name`) are not supported; write the plain value, or quote the text."),
    "too-deep": ("too-deep", f"This YAML is nested more than {MAX_DEPTH} levels deep; make it flatter."),
}


def _first_mark(text: str) -> "YamlMark | None":
    """Hardly any text looks as if it had one, so what can tell is loaded late."""

    return find_mark(text, MAX_DEPTH)


def _refuse_marks(text: str) -> None:
    mark = _first_mark(text)
    if mark is None:
        return
    reason, message = _MARK_MESSAGES[mark.kind]
    raise YamlProblem(reason, message, *_place(text, mark.offset))


def _check(value: object, text: str) -> None:
    """Refuses keys that are no strings and numbers that JSON has no way to write."""
    if type(value) is dict:
        for key, item in value.items():
            if type(key) is not str:
                raise _key_problem(key, text)
            if type(item) is not str:
                _check(item, text)
    elif type(value) is list:
        for item in value:
            if type(item) is not str:
                _check(item, text)
    elif type(value) is float:
        _check_float(value, text)


def _check_float(value: float, text: str) -> None:
    if not isfinite(value):
        message = "Infinity and not-a-number are not supported; write a finite number, or quote the text."
        raise YamlProblem("not-finite", message, *_only_place(_NOT_FINITE, text))
    # An integer too long even for the parser's own refusal comes back as a float.
    if abs(value) >= _BEYOND_INTEGERS and _LONG_NUMBER.search(text):
        raise YamlProblem("number-range", _TOO_LONG_A_NUMBER, *_only_place(_LONG_NUMBER, text))


def _key_problem(key: object, text: str) -> YamlProblem:
    shown = "null" if key is None else str(key).lower()
    place = _only_place(re.compile(rf"(?:^|(?<=[\s{{,]))(?:{re.escape(shown)})(?=[ \t]*:)"), text)
    return YamlProblem("key-not-string", f"The key `{shown}` is not a string; put it in quotes.", *place)


def _place(text: str, offset: int) -> tuple[int, int]:
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def _only_place(pattern: re.Pattern[str], text: str) -> tuple[int | None, int | None]:
    """Where the pattern is found, if that is one place only: no place is better than a wrong one."""
    found = [match.start() for match, _ in zip(pattern.finditer(text), range(2), strict=False)]
    return _place(text, found[0]) if len(found) == 1 else (None, None)


# --- what the parser refuses ----------------------------------------------------------------------------------------

_TOO_LONG_A_NUMBER = "This number has too many digits to be kept exactly; put it in quotes."
_AT = re.compile(r" at line (\d+) column (\d+)")
_AT_POSITION = re.compile(r" at position (\d+)")
_DUPLICATE = re.compile(r'duplicate entry with (?:key "(.*)"|key (\S+)|(null) key)', re.DOTALL)


def _explained(error: ValueError, text: str) -> YamlProblem:
    said = str(error)
    line, column = _place_said(said, text)
    if found := _DUPLICATE.search(said):
        key = found[1] or found[2] or found[3] or ""
        line, column = _second_place(key, text)
        return YamlProblem("duplicate-key", f"The key `{key}` is there twice; keep one of the two.", line, column)
    if "recursion limit" in said:
        reason, message = _MARK_MESSAGES["too-deep"]
        return YamlProblem(reason, message, line, column)
    if "repetition limit" in said or "unknown anchor" in said:
        reason, message = _MARK_MESSAGES["alias"]
        mark = _first_mark(text)
        place = _place(text, mark.offset) if mark else (line, column)
        return YamlProblem(reason, message, *place)
    if "invalid type: integer" in said:
        return YamlProblem("number-range", _TOO_LONG_A_NUMBER, line, column)
    if "unhashable" in said:
        return YamlProblem("key-not-string", "A list or a map cannot be a key; use a string.")
    if isinstance(error, UnicodeEncodeError):
        said = "it has half of a surrogate pair"
    return YamlProblem("syntax", f"This is not valid YAML: {_cleaned(said)}.", line, column)


def _cleaned(said: str) -> str:
    """The parser's own words without the places, which are told separately."""
    return _AT_POSITION.sub("", _AT.sub("", said)).strip().rstrip(".")


def _place_said(said: str, text: str) -> tuple[int | None, int | None]:
    if found := _AT.search(said):
        # At the end of the text the parser names the line after the last one.
        return min(int(found[1]), text.count("\n", 0, -1) + 1), int(found[2])
    if found := _AT_POSITION.search(said):
        before = text.encode("utf-8", "replace")[: int(found[1])].decode("utf-8", "replace")
        return _place(text, len(before))
    return None, None


def _second_place(key: str, text: str) -> tuple[int | None, int | None]:
    """Where a key is written for the second time, if it is written twice only."""
    pattern = re.compile(rf"^[ \t-]*([\"']?){re.escape(key)}\1(?=[ \t]*:(?:\s|$))", re.MULTILINE)
    found = [match.end() - len(key) for match, _ in zip(pattern.finditer(text), range(3), strict=False)]
    if len(found) != 2:
        return None, None
    line, _ = _place(text, found[1])
    return line, None


MarkKind = Literal["anchor", "alias", "tag", "too-deep"]


class YamlMark(NamedTuple):
    kind: MarkKind
    offset: int


_KINDS: dict[str, MarkKind] = {"&": "anchor", "*": "alias", "!": "tag"}

# Line breaks of the parser other than "\n". Each is replaced by one character, so that offsets stay what they were.
_BREAKS = str.maketrans("\r\x85\u2028\u2029", "\n\n\n\n")

_GAP = re.compile(r"[ \t\n\ufeff]*+(?:#[^\n]*+[ \t\n\ufeff]*+)*+")
_SINGLE_QUOTED = re.compile(r"'(?:[^']++|'')*+'")
_DOUBLE_QUOTED = re.compile(r'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_PLAIN_IN_BLOCK = re.compile(r"(?:[^:#\s]++|:(?=\S)|#|[ \t]++(?=[^\s#]))++")
_PLAIN_IN_FLOW = re.compile(r"(?:[^:#\s,\[\]{}]++|:(?=[^\s,\[\]{}])|#|[ \t]++(?=[^\s#]))++")
_LINE_END = re.compile(r"[ \t]*+\n\s*+")
_BLOCK_HEADER = re.compile(r"[|>][-+]?([1-9])?[-+]?[^\n]*+\n?")
_BLANK_LINES = re.compile(r"(?: *+\n)*+")
_SPACES = re.compile(r" *+")


def find_mark(text: str, max_depth: int) -> YamlMark | None:
    """The first anchor, alias or tag, or the first bracket nested deeper than `max_depth`."""
    walk = _Walk(text.replace("\r\n", " \n").translate(_BREAKS), max_depth)
    while walk.to_next_token():
        if mark := walk.step():
            return mark
    return None


class _Walk:
    """A position in the text, and as much context as is needed to know what the next character means."""

    __slots__ = ("depth", "indents", "key", "line_start", "max_depth", "position", "text")

    def __init__(self, text: str, max_depth: int) -> None:
        self.text = text
        self.max_depth = max_depth
        self.position = 0
        self.line_start = 0
        self.depth = 0
        self.indents: list[int] = []
        self.key: tuple[int, int] | None = None
        """(start of line, column) of the token before, which may turn out to be a key."""

    def to_next_token(self) -> bool:
        gap = _GAP.match(self.text, self.position)
        self.advance(gap.end() if gap else self.position)
        return self.position < len(self.text)

    def advance(self, end: int) -> None:
        newline = self.text.rfind("\n", self.position, end)
        if newline >= 0:
            self.line_start = newline + 1
        self.position = end

    def step(self) -> YamlMark | None:
        char = self.text[self.position]
        column = self.position - self.line_start
        if not self.depth:
            while self.indents and self.indents[-1] > column:
                self.indents.pop()
        if kind := _KINDS.get(char):
            return YamlMark(kind, self.position)
        if char in "[]{},":
            return self.bracket(char)
        if char in "\"'":
            self.quoted(_DOUBLE_QUOTED if char == '"' else _SINGLE_QUOTED, column)
        elif char in "|>" and not self.depth:
            self.block_scalar()
        elif column == 0 and self.whole_line(char):
            pass
        elif char in "-?:" and (self.blank_at(self.position + 1) or (self.depth and char != "-")):
            self.indicator(char, column)
        else:
            self.plain(column)
        return None

    def blank_at(self, position: int) -> bool:
        return self.text[position : position + 1] in ("", " ", "\t", "\n")

    def bracket(self, char: str) -> YamlMark | None:
        if char in "[{":
            self.depth += 1
            if self.depth > self.max_depth:
                return YamlMark("too-deep", self.position)
        elif char != "," and self.depth:
            self.depth -= 1
        self.position += 1
        return None

    def quoted(self, pattern: re.Pattern[str], column: int) -> None:
        self.key = (self.line_start, column)
        found = pattern.match(self.text, self.position)
        self.advance(found.end() if found else len(self.text))

    def whole_line(self, char: str) -> bool:
        """Steps over a directive or the start or end of a document."""
        if char == "%":
            end = self.text.find("\n", self.position)
            self.advance(len(self.text) if end < 0 else end)
            return True
        if self.document_mark_at(self.position):
            self.indents.clear()
            self.position += 3
            return True
        return False

    def document_mark_at(self, position: int) -> bool:
        return self.text.startswith(("---", "..."), position) and self.blank_at(position + 3)

    def indicator(self, char: str, column: int) -> None:
        if char == ":" and self.key and self.key[0] == self.line_start:
            column = self.key[1]
        if not self.depth and (not self.indents or self.indents[-1] < column):
            self.indents.append(column)
        self.key = None
        self.position += 1

    def plain(self, column: int) -> None:
        """A string without quotes, which goes on over lines that are indented more than what it belongs to."""
        self.key = (self.line_start, column)
        pattern = _PLAIN_IN_FLOW if self.depth else _PLAIN_IN_BLOCK
        piece = pattern.match(self.text, self.position)
        # A character that starts no token at all is stepped over: the parser has refused it, or will.
        self.advance(piece.end() if piece else self.position + 1)
        while piece and (end := _LINE_END.match(self.text, self.position)):
            start = end.end()
            column = start - self.text.rfind("\n", self.position, start) - 1
            if not self.goes_on_at(start, column):
                return
            piece = pattern.match(self.text, start)
            if piece:
                self.key = None
                self.advance(piece.end())

    def goes_on_at(self, position: int, column: int) -> bool:
        if column == 0 and self.document_mark_at(position):
            return False
        if not self.depth and column <= self.parent_indent():
            return False
        return self.text[position : position + 1] not in ("", "#")

    def parent_indent(self) -> int:
        return self.indents[-1] if self.indents else -1

    def block_scalar(self) -> None:
        header = _BLOCK_HEADER.match(self.text, self.position)
        position = header.end() if header else len(self.text)
        digit = header[1] if header else None
        parent = self.parent_indent()
        indent = max(parent, 0) + int(digit) if digit else self.detected_indent(position, parent)
        inside = " " * indent
        self.key = None
        while True:
            blank = _BLANK_LINES.match(self.text, position)
            position = blank.end() if blank else position
            if not self.text.startswith(inside, position):
                break
            end = self.text.find("\n", position)
            position = len(self.text) if end < 0 else end + 1
            if end < 0:
                break
        self.advance(position)

    def detected_indent(self, position: int, parent: int) -> int:
        """The widest indentation up to and with the first line of text, and more than the parent's."""
        blank = _BLANK_LINES.match(self.text, position)
        first = blank.end() if blank else position
        spaces = _SPACES.match(self.text, first)
        widths = [len(line) for line in self.text[position:first].split("\n")]
        return max(spaces.end() - first if spaces else 0, parent + 1, 1, *widths)
