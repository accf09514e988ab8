"""Where each value of a YAML text stands: first and last character, its key, its dash.

The marks of the composer are right for scalars and brackets. For the rest they run on to the next token, over blank
lines and comments, so the end of a block is taken from what is last in it, and the place of an empty value from its
colon or its dash.
"""

import re
from dataclasses import dataclass, field
from typing import Any, Literal

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
