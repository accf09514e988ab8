"""Reads a page of reStructuredText as headings, targets, links, code and prose."""

from collections.abc import Callable
from functools import cache

from cairn.lib.document.parts import PageLink, PageOutline
from cairn.lib.rst.blocks import BlockReader
from cairn.lib.rst.lines import RstLine, offset_in, source_lines
from cairn.lib.rst.parts import RstParts


def rst_outline(path: str, text: str) -> PageOutline:
    lines = source_lines(text)
    if not lines[-1].text and len(lines) > 1:
        lines.pop()
    found = RstParts(len(lines))
    found.columns(lines)
    BlockReader(found).read(lines, sections=True)
    title = found.headings[0].text if found.headings else ""
    return PageOutline(
        path,
        "rst",
        title,
        tuple(found.headings),
        tuple(found.targets),
        tuple(sorted(_in_file(found.links, text, lines), key=lambda link: link.start)),
        tuple(found.spans),
        tuple(found.blocks),
        tuple(found.prose),
    )


def _in_file(links: list[PageLink], text: str, lines: list[RstLine]) -> list[PageLink]:
    """With offsets as the file has them: in a line with tabs they were counted when those were expanded."""
    if "\t" not in text:
        return links
    raw = text.split("\n")

    @cache
    def of_line(number: int) -> Callable[[int], int]:
        return offset_in(raw[number - 1], lines[number - 1].offset)

    return [
        link._replace(start=of_line(link.line)(link.start), end=of_line(link.line)(link.end))
        if "\t" in raw[link.line - 1]
        else link
        for link in links
    ]
