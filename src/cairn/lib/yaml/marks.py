"""Where a YAML text uses an anchor, an alias or a tag, which the parser would expand without a word.

Such marks cannot be found with a pattern: `*` may stand in a quoted string, in a comment, in a block of text or at the
start of a continued line. So this walks over the tokens, and no further than the first mark.
"""

import re
from typing import Literal, NamedTuple

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
