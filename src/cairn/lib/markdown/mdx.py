"""Reads an MDX page: Markdown in which imports, exports, JSX tags and expressions are not prose."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

from cairn.lib.document.parts import PageLink, PageOutline, PageTarget
from cairn.lib.markdown.blocks import Lines, Range, without
from cairn.lib.markdown.frontmatter import split
from cairn.lib.markdown.outline import MarkdownParts, MarkdownPiece, in_code_points, markdown_pieces

_FENCE = re.compile(r"[ \t]*(?:[-*+][ \t]+|\d+[.)][ \t]+|>[ \t]?)*(`{3,}|~{3,})([^\n]*)")
_ESM = re.compile(r"(?:import|export)(?=[ {*\t])")
_OPENERS, _CLOSERS = frozenset("({["), frozenset(")}]")
_SPECIAL = re.compile(r"[<{`\\]")
_TICKS = re.compile(r"`+")
_TAG = re.compile(r"<(/?)([A-Za-z][\w.:-]*)?")
_IN_TAG = re.compile(r"""[<>{"']""")
_HEADING_ID = re.compile(r"\{(?:#[^\s{}]+|/\*\s*#[^\s{}]+\s*\*/)\}")
_ATTRIBUTE = re.compile(r"""(?<![\w-])(href|to|src|id)\s*=\s*(?:"([^"]*)"|'([^']*)'|\{\s*["'`]([^"'`$]*)["'`]\s*\})""")
_CODE_INDENT = 4
_DEEPEST = 4
"""How often the text is read again because of indentation inside of indentation."""
_VOID = ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr")


class JsxTag(NamedTuple):
    start: int
    end: int
    name: str
    depth: int
    """-1 for a closing tag, 1 for an opening one, 0 for one that is both."""


def mdx_outline(path: str, text: str) -> PageOutline:
    parts = split(text)
    body, offset = parts.body, len(text) - len(parts.body)
    masked, tags = _masked(body)
    lines = Lines(body, parts.body_line)
    dedents = _dedents(body, masked, tags)
    found = MarkdownParts(masked, lines, offset)
    found.read(_pieces(masked, dedents))
    for tag in tags:
        _read_attributes(body, tag, lines, offset, found)
    found.links.sort(key=lambda link: link.start)
    return found.outline(path, "mdx", [""] * (parts.body_line - 1))


def without_jsx(body: str) -> str:
    """The body with imports, exports, tags and expressions blanked out."""
    return _masked(body)[0]


def _masked(body: str) -> tuple[str, list[JsxTag]]:
    code, modules = _opaque(body)
    ranges, tags = _jsx(body, sorted([*code, *modules]))
    return without(body, sorted([*modules, *ranges])), tags


def _read_attributes(body: str, tag: JsxTag, lines: Lines, offset: int, found: MarkdownParts) -> None:
    for attribute in _ATTRIBUTE.finditer(body, tag.start, tag.end):
        name, value = attribute[1], attribute[2] or attribute[3] or attribute[4] or ""
        start, end = attribute.span()
        line = lines.at(start)
        if name == "id":
            found.targets.append(PageTarget(value, value, line))
        elif value:
            found.links.append(PageLink(value, line, name == "src", "html", start + offset, end + offset))


# --- code and modules -------------------------------------------------------------------------------------------------


def _opaque(body: str) -> tuple[list[Range], list[Range]]:
    """Ranges of fenced code, and of imports and exports."""
    code: list[Range] = []
    modules: list[Range] = []
    starts = [0, *(found.end() for found in re.finditer("\n", body))]
    ends = [*starts[1:], len(body)]
    index, blank = 0, True
    while index < len(starts):
        start, end = starts[index], ends[index]
        fence = _FENCE.match(body, start, end)
        if fence and not (fence[1][0] == "`" and "`" in fence[2]):
            last = _fence_end(body, starts, ends, index, fence[1])
            code.append((start, ends[last]))
            index, blank = last + 1, False
        elif blank and _ESM.match(body, start, end):
            last = _module_end(body, starts, ends, index)
            modules.append((start, ends[last]))
            index = last + 1
        else:
            blank = not body[start:end].strip()
            index += 1
    return code, modules


def _fence_end(body: str, starts: list[int], ends: list[int], index: int, fence: str) -> int:
    for last in range(index + 1, len(starts)):
        line = body[starts[last] : ends[last]].strip()
        if line.startswith(fence) and not line.strip(fence[0]):
            return last
    return len(starts) - 1


def _module_end(body: str, starts: list[int], ends: list[int], index: int) -> int:
    """The last line of an import or export: all brackets closed, or the line before a blank one."""
    depth = 0
    first_blank = None
    for last in range(index, len(starts)):
        line = body[starts[last] : ends[last]]
        depth += sum((char in _OPENERS) - (char in _CLOSERS) for char in line)
        if not line.strip():
            if depth <= 0:
                return last
            first_blank = last if first_blank is None else first_blank
    return len(starts) - 1 if depth <= 0 or first_blank is None else first_blank


# --- tags and expressions ---------------------------------------------------------------------------------------------


def _jsx(body: str, opaque: list[Range]) -> tuple[list[Range], list[JsxTag]]:
    """Ranges of tags and expressions, in order and apart from each other, and the tags."""
    hidden = without(body, opaque)
    closed = _braces(hidden)
    last_comment_end = hidden.rfind("-->")
    ranges: list[Range] = []
    tags: list[JsxTag] = []
    position = 0
    while special := _SPECIAL.search(hidden, position):
        at = special.start()
        position = at + 1
        if special[0] == "\\":
            position = at + 2
        elif special[0] == "`":
            position = _span_end(hidden, at)
        elif special[0] == "{":
            if at in closed and not _HEADING_ID.match(hidden, at):
                position = closed[at] + 1
                ranges.append((at, position))
        elif hidden.startswith("<!--", at):
            end = hidden.find("-->", at) if at < last_comment_end else -1
            position = end + 3 if end >= 0 else at + 4
            ranges.append((at, position))
        elif tag := _tag(hidden, at, closed):
            position = tag.end
            ranges.append((tag.start, tag.end))
            tags.append(tag)
    return ranges, tags


def _braces(text: str) -> dict[int, int]:
    """Where each brace is closed."""
    closed: dict[int, int] = {}
    stack: list[int] = []
    for found in re.finditer(r"[{}]", text):
        if found[0] == "{":
            stack.append(found.start())
        elif stack:
            closed[stack.pop()] = found.start()
    return closed


def _span_end(text: str, at: int) -> int:
    """Behind inline code; a run without a partner in its paragraph is only itself."""
    run = _TICKS.match(text, at)
    after = run.end() if run else at + 1
    longest = min(len(text), after + 2000)
    paragraph = text.find("\n\n", after, longest)
    last = longest if paragraph < 0 else paragraph
    for other in _TICKS.finditer(text, after, last):
        if len(other[0]) == after - at:
            return other.end()
    return after


def _tag(text: str, at: int, closed: dict[int, int]) -> JsxTag | None:
    head = _TAG.match(text, at)
    if not head or (head[2] is None and not text.startswith((">", "/>"), at + 1 + bool(head[1]))):
        return None
    position = head.end()
    if text.startswith("/", position) and text[position - 1] == ":":
        return None  # an address in angle brackets
    while found := _IN_TAG.search(text, position):
        sign, position = found[0], found.end()
        if sign == ">":
            name = head[2] or ""
            alone = text[position - 2] == "/" or name in _VOID
            return JsxTag(at, position, name, -1 if head[1] else 0 if alone else 1)
        if sign == "<" or (sign == "{" and found.start() not in closed):
            return None
        position = closed[found.start()] + 1 if sign == "{" else text.find(sign, position) + 1
        if position == 0:
            return None
    return None


# --- indentation ------------------------------------------------------------------------------------------------------


def _dedents(body: str, masked: str, tags: list[JsxTag]) -> list[int]:
    """How many blanks to take from each line: content of a tag may be indented, a tag may stand before it, and MDX has
    no indented code."""
    steps = iter([*tags, JsxTag(len(masked) + 1, 0, "", 0)])
    tag = next(steps)
    bases: list[int | None] = []
    found: list[int] = []
    offset = 0
    for raw, line in zip(body.split("\n"), masked.split("\n"), strict=True):
        written, indent = _indent(raw), _indent(line)
        if bases and bases[-1] is None and line.strip():
            bases[-1] = written
        found.append(indent - max(0, written - ((bases[-1] if bases else 0) or 0)))
        offset += len(line) + 1
        while tag.start < offset:
            if tag.depth > 0:
                bases.append(None)
            elif tag.depth < 0 and bases:
                bases.pop()
            tag = next(steps)
    return found


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def _pieces(masked: str, dedents: list[int]) -> Iterator[MarkdownPiece]:
    """What the Markdown parser finds without this indentation, with offsets of the text that has it."""
    lines = masked.split("\n")
    for _ in range(_DEEPEST):
        shifted = "\n".join([line[dedent:] for line, dedent in zip(lines, dedents, strict=True)])
        pieces = in_code_points(shifted, list(markdown_pieces(shifted)))
        starts = [0, *(found.end() for found in re.finditer("\n", shifted))]
        deeper = _without_indented_code(lines, dedents, starts, pieces)
        if deeper == dedents:
            break
        dedents = deeper
    moved = list(accumulate(dedents))
    for piece in pieces:
        yield piece._replace(
            start=piece.start + moved[bisect_right(starts, piece.start) - 1],
            end=piece.end + moved[bisect_right(starts, max(piece.end - 1, 0)) - 1],
        )


def _without_indented_code(
    lines: list[str], dedents: list[int], starts: list[int], pieces: list[MarkdownPiece]
) -> list[int]:
    """More blanks to take from lines that the parser took for indented code, which MDX does not have."""
    found = list(dedents)
    for piece in pieces:
        if piece.kind == "block" and piece.value[0] == "Indented":
            content = piece.value[1].removesuffix("\n").split("\n")
            extra = _CODE_INDENT + min((_indent(line) for line in content if line.strip()), default=0)
            first = bisect_right(starts, piece.start) - 1
            for index in range(first, min(first + len(content), len(lines))):
                found[index] = min(dedents[index] + extra, _indent(lines[index]))
    return found
