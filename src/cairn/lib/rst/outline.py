"""Reads a page of reStructuredText as headings, targets, links, code and prose."""

from cairn.lib.document.parts import PageOutline
from cairn.lib.rst.blocks import BlockReader
from cairn.lib.rst.lines import source_lines
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
        tuple(sorted(found.links, key=lambda link: link.start)),
        tuple(found.spans),
        tuple(found.blocks),
        tuple(found.prose),
    )
