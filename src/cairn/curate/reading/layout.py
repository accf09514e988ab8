"""Tables and lists that say which folder or part of a repository is for what: together they are one page."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from cairn.curate.candidates import BODY_LONGEST
from cairn.curate.reading.drawn import drawings, heading_of
from cairn.curate.reading.parts import Part, plain
from cairn.curate.reading.phrases import any_of
from cairn.kernel.text.mask import fences, without

LEAST: Final = 3
"""Rows that make a layout; fewer are said in a sentence."""
_WHERE: Final = any_of(
    """
    paths?, dir, director(?:y|ies), folders?, packages?, modules?, crates?, components?, services?, files?, where,
    location, layers?
    """
)
_WHAT: Final = any_of(
    r"""
    purpose, description, what, responsibilit\w+, role, contains, contents?, does, holds, for, meaning, about, summary,
    owns
    """
)
_ROW: Final = re.compile(r"^[ ]{0,3}\|(?P<cells>.+?)\|?[ \t]*$")
_RULE: Final = re.compile(r"^[\s|:+-]+$")
_CELLS: Final = re.compile(r"(?<!\\)\|")
_PATHS: Final = re.compile(r"^`?[\w.@*-]*(?:/[\w.@*{}-]*)+`?$|^`[\w.@-]+`$")
_FOLDER: Final = re.compile(r"^`?(?:[\w.@-]+/)+[\w.@*-]*`?$")
_IS_PLACE: Final = re.compile(
    r"/`?$|\.\w{1,5}`?$|\*|^`?(?:src|lib|app|apps|packages|crates|cmd|internal|tests?|docs?)/"
)
_ENTRY: Final = re.compile(r"^(?P<where>`[^`]+`|[\w.@-]+/[\w./@-]*)\s*(?::|–|—|-{1,2})\s*(?P<what>[A-Za-z`].{8,})$")


class Layout(NamedTuple):
    about: str
    """The title of the document, and the heading that it stands under."""
    rows: tuple[tuple[str, str], ...]
    """Each folder or part, and what is there."""
    quote: str
    start: int
    end: int


def layouts(text: str, found: Sequence[Part]) -> Iterator[Layout]:
    yield from _tables(text)
    yield from _lists(found)
    yield from _drawings(text)


def body_of(layout: Layout) -> str:
    lines = [f"- {where}: {what}" for where, what in layout.rows]
    while len("\n".join(lines)) > BODY_LONGEST - 200:
        lines.pop()
    return f"{layout.about}:\n\n" + "\n".join(lines)


def title_of(layout: Layout) -> str:
    if re.search(r"\bwhere\b", layout.about, re.IGNORECASE):
        return layout.about
    files = sum(_FILE.search(where) is not None for where, _ in layout.rows)
    return f"{layout.about}: {'which file is what' if files * 2 > len(layout.rows) else 'what is where'}"


_FILE: Final = re.compile(r"\.\w{1,5}`?$")


def _tables(text: str) -> Iterator[Layout]:
    title, about, rows, position = "", "", [], 0
    masked = without(text, fences(text))
    for line in [*masked.splitlines(keepends=True), "\n"]:
        row = _ROW.match(line.rstrip("\r\n"))
        if row is not None:
            rows.append((position, position + len(line), _cells(row["cells"])))
        else:
            if rows and (layout := _table(rows, _about(title, about), text)) is not None:
                yield layout
            rows = []
            if heading := heading_of(line):
                about = plain(heading)
                title = title or about
        position += len(line)


def _about(title: str, heading: str) -> str:
    """`Structure` alone says nothing beside other pages."""
    if heading == title or not title:
        return heading
    return f"{title}, {_TITLE_CASE.sub(lambda found: found[0].lower(), heading)}"


_TITLE_CASE: Final = re.compile(r"\b(?<!['’-])[A-Z](?=[a-z]+\b)")


def _cells(row: str) -> list[str]:
    return [plain(cell) for cell in _CELLS.split(row)]


def _table(rows: list[tuple[int, int, list[str]]], about: str, text: str) -> Layout | None:
    head, *rest = (cells for _, _, cells in rows)
    if len(head) < 2 or not _WHERE.fullmatch(head[0]) or not _WHAT.search(head[1]):
        return None
    pairs = [(cells[0], cells[1].rstrip(".")) for cells in rest if len(cells) > 1 and not _RULE.match("|".join(cells))]
    start, end = rows[0][0], rows[-1][1]
    return _layout(pairs, about, text[start:end], start, end, paths=_PATHS)


def _lists(found: Sequence[Part]) -> Iterator[Layout]:
    pairs: list[tuple[str, str]] = []
    run: list[Part] = []
    for part in [*found, None]:
        entry = _ENTRY.match(part.text) if part is not None and part.item == "*" else None
        same = part is not None and (not run or part.headings == run[-1].headings)
        if part is not None and entry and same:
            pairs.append((entry["where"], entry["what"].rstrip(".")))
            run.append(part)
        elif part is None or part.item != "+" or not same:
            if run and (layout := _of_run(pairs, run)) is not None:
                yield layout
            pairs, run = [], []


def _drawings(text: str) -> Iterator[Layout]:
    for one in drawings(text):
        if len(one.rows) >= LEAST:
            about = _about(plain(one.title), plain(one.heading))
            rows = tuple((f"`{where}`", plain(what)) for where, what in one.rows)
            yield Layout(about, rows, text[one.start : one.end], one.start, one.end)


def _of_run(pairs: list[tuple[str, str]], run: list[Part]) -> Layout | None:
    headings = run[0].headings
    about = _about(headings[0], headings[-1]) if headings else ""
    quote = " ".join(part.raw for part in run)
    return _layout(pairs, about, quote, run[0].start, run[-1].end, paths=_FOLDER)


def _layout(
    pairs: Sequence[tuple[str, str]], about: str, quote: str, start: int, end: int, *, paths: "re.Pattern[str]"
) -> Layout | None:
    named = [(where if "`" in where else f"`{where}`", what) for where, what in pairs if paths.match(where) and what]
    placed = sum(_IS_PLACE.search(where) is not None for where, _ in named)
    if len(named) < LEAST or len(named) * 2 < len(pairs) or not about or placed * 2 < len(named):
        return None
    return Layout(about, tuple(named), quote, start, end)
