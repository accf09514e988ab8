"""Reads a page of plain text, such as `README` or `INSTALL.txt`: underlined headings and addresses, nothing else."""

import re

from cairn.lib.document.parts import PageHeading, PageLink, PageOutline, lines_of
from cairn.lib.markdown.outline import trimmed_url

_URL = re.compile(r"""\bhttps?://[^\s<>"'`\]]+""")
_RULE = re.compile(r"([=\-~*#^\"])\1{2,}")
_LEVELS = {"=": 1, "*": 1, "#": 1}


def plain_outline(path: str, text: str) -> PageOutline:
    lines = lines_of(text)
    headings = tuple(
        PageHeading(above.strip(), number, _LEVELS.get(line[0], 2))
        for number, (before, above, line) in enumerate(zip(["", *lines], lines, lines[1:], strict=False), 1)
        if _underlines(line.rstrip(), above, before.rstrip())
    )
    prose = tuple("" if _RULE.fullmatch(line.rstrip()) else line for line in lines)
    return PageOutline(path, "text", headings[0].text if headings else "", headings, (), _links(text), (), (), prose)


def _underlines(line: str, above: str, before: str) -> bool:
    """A heading may be indented where a line like the one below stands above it, too."""
    words = above.strip()
    if not words or _RULE.fullmatch(words) or not _RULE.fullmatch(line):
        return False
    return len(line) >= len(above.rstrip()) * 2 // 3 and (not above[0].isspace() or before == line)


def _links(text: str) -> tuple[PageLink, ...]:
    found: list[PageLink] = []
    line = 1
    position = 0
    for match in _URL.finditer(text):
        line += text.count("\n", position, match.start())
        position = match.start()
        address = trimmed_url(match[0])
        found.append(PageLink(address, line, False, "auto", position, position + len(address)))
    return tuple(found)
