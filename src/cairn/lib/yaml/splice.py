"""Finds where each value of a YAML text stands, and changes one by replacing a few of its characters."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from cairn.lib.yaml.write import (
    Manner,
    block_lines,
    child_column,
    fits_inline,
    flow_pair,
    folded_lines,
    inline,
    item_lines,
    literal_header,
    pair_lines,
    text_lines,
)

Style = Literal["", "'", '"', "|", ">", "empty"]

_COLON = re.compile(r"[ \t]*:")
_DASH = re.compile(r"(?:[ \t]*+(?:#[^\n]*+\n|\r?\n))*+[ \t]*+-")


@dataclass(slots=True)
class YamlPiece:
    """One value. Positions are offsets of the text; `end` is the one after its last own character."""

    kind: Literal["scalar", "map", "list"]
    start: int
    end: int
    after: int
    """Behind the colon or dash that it belongs to; of an item in brackets its own start."""
    column: int
    flow: bool
    """Written in brackets, or inside of them."""
    style: Style = ""
    keys: list[str] = field(default_factory=list)
    marks: list[int] = field(default_factory=list)
    """Where each child begins, with its key or dash."""
    items: list["YamlPiece"] = field(default_factory=list)

    @property
    def in_block(self) -> bool:
        """A collection of lines, not of brackets."""
        return self.kind != "scalar" and not self.flow

    def child(self, step: str | int) -> "YamlPiece":
        return self.items[self.place(step)]

    def place(self, step: str | int) -> int:
        return self.keys.index(step) if isinstance(step, str) else step


def pieces(text: str) -> YamlPiece | None:
    """The document, or None when there is nothing in it but comments. The text is known to be good YAML.

    The composer does not take a tab before a comment, which is good YAML: then it gets a blank in its place. What it
    cannot make sense of even so is a ValueError."""
    from ruamel.yaml import YAML  # slow to import, and only editing needs it
    from ruamel.yaml.error import YAMLError

    for attempt in (text, text.replace("\t", " ")):
        try:
            node = YAML(typ="safe", pure=True).compose(attempt)
        except (YAMLError, RecursionError):
            continue
        return None if node is None else _piece(node, attempt, 0, flow=False)
    raise ValueError("the composer refuses what the reader took")


def describes(piece: YamlPiece | None, value: Any) -> bool:
    """Whether the pieces are those of this value; two parsers that disagree must not be believed."""
    if piece is None:
        return not value
    if isinstance(value, dict):
        if piece.kind != "map" or sorted(piece.keys) != sorted(value):
            return False
        return all(describes(item, value[key]) for key, item in zip(piece.keys, piece.items, strict=True))
    if isinstance(value, list):
        return piece.kind == "list" and len(piece.items) == len(value) and all(map(describes, piece.items, value))
    return piece.kind == "scalar"


def _piece(node: Any, text: str, after: int, *, flow: bool) -> YamlPiece:
    start, end = node.start_mark.index, node.end_mark.index
    if not isinstance(node.value, list):
        return _scalar(node, text, after, flow)
    flow = flow or bool(node.flow_style)
    is_map = isinstance(node.value[0], tuple) if node.value else text[start] == "{"
    piece = YamlPiece("map" if is_map else "list", start, end, after, node.start_mark.column, flow)
    if is_map:
        _add_pairs(piece, node, text)
    else:
        _add_items(piece, node, text)
    if not flow:
        piece.end = piece.items[-1].end
    return piece


def _scalar(node: Any, text: str, after: int, flow: bool) -> YamlPiece:
    start, end, column = node.start_mark.index, node.end_mark.index, node.start_mark.column
    style: Style = node.style or ""
    if not style and not text[start:end].strip():
        return YamlPiece("scalar", after, after, after, column, flow, "empty")
    if style in ("|", ">"):
        end = _block_end(text, start, end)
    return YamlPiece("scalar", start, end, after, column, flow, style)


def _block_end(text: str, start: int, end: int) -> int:
    """Blank lines at the end belong to a block that keeps them; to others they are only the gap to what follows."""
    header = text[start : start + 3]
    block = text[start:end]
    if "+" in header:
        return start + len(block.removesuffix("\n").removesuffix("\r"))
    return start + len(block.rstrip("\r\n"))


def _add_pairs(piece: YamlPiece, node: Any, text: str) -> None:
    for key, value in node.value:
        behind = key.end_mark.index
        colon = _COLON.match(text, behind)
        piece.keys.append(str(key.value))
        piece.marks.append(key.start_mark.index)
        piece.items.append(_piece(value, text, colon.end() if colon else behind, flow=piece.flow))


def _add_items(piece: YamlPiece, node: Any, text: str) -> None:
    position = piece.start
    for value in node.value:
        dash = None if piece.flow else _DASH.match(text, position)
        after = dash.end() if dash else value.start_mark.index
        piece.marks.append(after - 1 if dash else after)
        piece.items.append(_piece(value, text, after, flow=piece.flow))
        position = piece.items[-1].end


class Splice(NamedTuple):
    """Replace the characters from `start` up to `end`."""

    start: int
    end: int
    text: str

    def apply(self, source: str) -> str:
        return source[: self.start] + self.text + source[self.end :]


class YamlPage(NamedTuple):
    """What the functions below look at."""

    source: str
    """Ends with a line break."""
    newline: str
    manner: Manner

    def line_end(self, position: int) -> int:
        """Of the line that a position is on, before its line break."""
        end = self.source.find("\n", position)
        end = len(self.source) if end < 0 else end
        return end - 1 if end > position and self.source[end - 1] == "\r" else end

    def line_start(self, position: int) -> int:
        return self.source.rfind("\n", 0, position) + 1

    def joined(self, lines: list[str]) -> str:
        return self.newline.join(lines)


def manner_of(piece: YamlPiece | None) -> Manner:
    """How the file indents what it has; two spaces where it shows nothing."""
    steps: list[int] = []
    dashes: list[int] = []
    stack = [piece] if piece else []
    while stack:
        parent = stack.pop()
        for child in parent.items:
            stack.append(child)
            if parent.kind == "map" and not parent.flow and child.in_block:
                (steps if child.kind == "map" else dashes).append(child.column - parent.column)
    return Manner(_first_positive(steps), dashes[-1] if dashes else 2)


def _first_positive(steps: list[int]) -> int:
    return next((step for step in reversed(steps) if step > 0), 2)


# --- replace --------------------------------------------------------------------------------------------------------


def replace(page: YamlPage, parent: YamlPiece, piece: YamlPiece, value: Any) -> Iterator[Splice]:
    """`piece` is a child of `parent` and is to be `value`, which is no collection of the same kind as it is now."""
    if not piece.flow or (piece.kind != "scalar" and not parent.flow):
        yield from _in_lines(page, parent, piece, value)
    style = piece.style if piece.style in ("'", '"') else ""
    yield from (_on_the_line(page, piece, inline(value, flow=parent.flow, style=quote)) for quote in (style, "", '"'))


def _on_the_line(page: YamlPage, piece: YamlPiece, text: str) -> Splice:
    if piece.style == "empty":
        return Splice(piece.start, piece.start, _colon(page, piece) + text)
    if piece.in_block:
        remark = _remark(page, piece.after, piece.start)
        return Splice(piece.after, piece.end, f" {text}{remark}")
    if piece.style in ("|", ">"):
        _, remark = _header(page, piece)
        return Splice(piece.start, piece.end, text + remark)
    return Splice(piece.start, piece.end, text)


def _colon(page: YamlPage, piece: YamlPiece) -> str:
    """A key in brackets may stand without its colon."""
    return " " if page.source[piece.start - 1] in ":-" else ": "


def _in_lines(page: YamlPage, parent: YamlPiece, piece: YamlPiece, value: Any) -> Iterator[Splice]:
    """As a block of text or as a block of items, below the key or beside the dash."""
    column = parent.column
    inner = column + (page.manner.step if parent.kind == "map" else 2)
    if piece.style == ">" and isinstance(value, str):
        yield from (_as_text(page, piece, ">-", lines) for lines in folded_lines(value, inner))
    if piece.style == "|" and isinstance(value, str) and "\n" not in value and value.strip() == value != "":
        yield _as_text(page, piece, "|-", text_lines(value, inner))
    if header := literal_header(value):
        yield _as_text(page, piece, header, text_lines(value, inner))
    if isinstance(value, dict | list) and not fits_inline(value):
        yield _as_items(page, parent, piece, value)


def _as_text(page: YamlPage, piece: YamlPiece, header: str, lines: list[str]) -> Splice:
    block = page.newline + page.joined(lines)
    if piece.style in ("|", ">"):
        _, remark = _header(page, piece)
        return Splice(piece.start, piece.end, header + remark + block)
    if piece.in_block:
        remark = _remark(page, piece.after, piece.start)
        return Splice(piece.after, piece.end, f" {header}{remark}{block}")
    end = page.line_end(piece.end)
    before = _colon(page, piece) if piece.style == "empty" else ""
    remark = page.source[piece.end : end].rstrip(" \t")
    return Splice(piece.start, end, before + header + remark + block)


def _as_items(page: YamlPage, parent: YamlPiece, piece: YamlPiece, value: Any) -> Splice:
    end = piece.end if piece.in_block or piece.style in ("|", ">") else page.line_end(piece.end)
    remark = _remark_of(page, piece)
    if parent.kind == "list" and not remark:
        first, *rest = block_lines(value, parent.column + 2, page.manner)
        return Splice(piece.after, end, " " + page.joined([first[parent.column + 2 :], *rest]))
    column = parent.column + 2 if parent.kind == "list" else child_column(value, parent.column, page.manner)
    return Splice(piece.after, end, remark + page.newline + page.joined(block_lines(value, column, page.manner)))


def _remark_of(page: YamlPage, piece: YamlPiece) -> str:
    if piece.in_block:
        return _remark(page, piece.after, piece.start)
    if piece.style in ("|", ">"):
        return _header(page, piece)[1]
    return page.source[piece.end : page.line_end(piece.end)].rstrip(" \t")


def _remark(page: YamlPage, start: int, end: int) -> str:
    """The comment behind a colon or dash, with the blanks before it."""
    text = page.source[start : min(end, page.line_end(start))].rstrip(" \t\r\n")
    return text if text.lstrip(" \t").startswith("#") else ""


def _header(page: YamlPage, piece: YamlPiece) -> tuple[str, str]:
    """`|-` and what is written behind it on the line."""
    line = page.source[piece.start : page.line_end(piece.start)]
    found = re.match(r"[|>][-+\d]*", line)
    split = found.end() if found else 1
    return line[:split], line[split:].rstrip(" \t")


# --- insert ---------------------------------------------------------------------------------------------------------


def insert_key(page: YamlPage, piece: YamlPiece | None, key: str, value: Any, after: int) -> Iterator[Splice]:
    """A new pair behind the one at place `after`; None is a document of comments, or of nothing."""
    if piece is None:
        start = len(page.source) if page.source.strip() else 0
        for lines in (pair_lines(key, value, 0, page.manner), _one_line_pair(key, value, 0)):
            yield Splice(start, len(page.source), page.joined(lines) + page.newline)
    elif piece.flow:
        yield from _into_brackets(page, piece, flow_pair(key, value), after + 1)
    else:
        end = page.line_end(piece.items[after].end)
        for lines in (pair_lines(key, value, piece.column, page.manner), _one_line_pair(key, value, piece.column)):
            yield Splice(end, end, page.newline + page.joined(lines))


def _one_line_pair(key: str, value: Any, column: int) -> list[str]:
    return [f"{' ' * column}{inline(key)}: {inline(value)}"]


def insert_item(page: YamlPage, parent: YamlPiece | None, piece: YamlPiece, index: int, value: Any) -> Iterator[Splice]:
    """A new item before the one at `index`, or behind the last. `parent` is what the list itself is in."""
    if piece.flow:
        if not piece.items and parent is not None and not parent.flow and isinstance(value, dict | list):
            yield from _in_lines(page, parent, piece, [value])
        yield from _into_brackets(page, piece, inline(value, flow=True), index)
        return
    for lines in (item_lines(value, piece.column, page.manner), [f"{' ' * piece.column}- {inline(value)}"]):
        if index < len(piece.items):
            at = piece.marks[index]
            text = page.joined(lines)[piece.column :] + page.newline + " " * piece.column
            yield Splice(at, at, text)
        else:
            end = page.line_end(piece.items[-1].end)
            yield Splice(end, end, page.newline + page.joined(lines))


def _into_brackets(page: YamlPage, piece: YamlPiece, text: str, index: int) -> Iterator[Splice]:
    if not piece.items:
        yield Splice(piece.start + 1, piece.start + 1, text)
        return
    if index < len(piece.items):
        yield Splice(piece.marks[index], piece.marks[index], f"{text}, ")
        return
    last = piece.items[-1].end
    if page.source.find("\n", piece.start, piece.marks[-1]) >= 0:
        yield from _on_a_new_line(page, piece, text)
    yield Splice(last, last, f", {text}")


def _on_a_new_line(page: YamlPage, piece: YamlPiece, text: str) -> Iterator[Splice]:
    """Where the items of a pair of brackets have lines of their own, comments behind them stay where they are."""
    last = piece.items[-1].end
    end = page.line_end(last)
    rest = page.source[last:end]
    start = page.line_start(piece.marks[-1])
    indent = page.source[start : piece.marks[-1]]
    if indent.strip():
        return
    if rest.lstrip(" \t").startswith(","):
        yield Splice(end, end, f"{page.newline}{indent}{text},")
    if not rest.strip() or rest.lstrip(" \t").startswith("#"):
        yield Splice(last, end, f",{rest}{page.newline}{indent}{text}")
    yield Splice(last, last, f",{page.newline}{indent}{text}")


# --- remove ---------------------------------------------------------------------------------------------------------


def remove(page: YamlPage, parent: YamlPiece | None, piece: YamlPiece, place: int) -> Iterator[Splice]:
    """Take away the child at `place`. A collection that is empty then is written as `{}` or `[]`."""
    if len(piece.items) == 1:
        yield from _empty(page, parent, piece)
    elif piece.flow:
        yield _out_of_brackets(piece, place)
    else:
        yield _out_of_lines(page, piece, place)


def _empty(page: YamlPage, parent: YamlPiece | None, piece: YamlPiece) -> Iterator[Splice]:
    if parent is None and not piece.flow:
        yield _out_of_lines(page, piece, 0)
    elif piece.flow:
        yield Splice(piece.start + 1, piece.end - 1, "")
    else:
        yield _on_the_line(page, piece, "{}" if piece.kind == "map" else "[]")


def _out_of_brackets(piece: YamlPiece, place: int) -> Splice:
    if place + 1 < len(piece.items):
        return Splice(piece.marks[place], piece.marks[place + 1], "")
    return Splice(piece.items[place - 1].end, piece.items[place].end, "")


def _out_of_lines(page: YamlPage, piece: YamlPiece, place: int) -> Splice:
    mark = piece.marks[place]
    start = page.line_start(mark)
    if page.source[start:mark].strip(" "):  # behind a dash: the next one takes its place
        return Splice(mark, piece.marks[place + 1] if place + 1 < len(piece.items) else piece.items[place].end, "")
    end = page.source.find("\n", page.line_end(piece.items[place].end))
    return Splice(start, len(page.source) if end < 0 else end + 1, "")
