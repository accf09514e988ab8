"""Reads a page of plain text, such as `README` or `INSTALL.txt`: underlined headings and addresses, nothing else."""

import re
from itertools import pairwise

from cairn.lib.document.parts import Heading, PageLink, PageOutline, lines_of
from cairn.lib.markdown.outline import trimmed_url

_URL = re.compile(r"""\bhttps?://[^\s<>"'`\]]+""")
_RULE = re.compile(r"([=\-~*#^\"])\1{2,}")
_LEVELS = {"=": 1, "*": 1, "#": 1}


def plain_outline(path: str, text: str) -> PageOutline:
    lines = lines_of(text)
    headings = tuple(
        Heading(above.strip(), number, _LEVELS.get(line[0], 2))
        for number, (above, line) in enumerate(pairwise(lines), 1)
        if _underlines(line.rstrip(), above)
    )
    prose = tuple("" if _RULE.fullmatch(line.rstrip()) else line for line in lines)
    return PageOutline(path, "text", headings[0].text if headings else "", headings, (), _links(text), (), (), prose)


def _underlines(line: str, above: str) -> bool:
    words = above.strip()
    fits = len(line) >= len(above.rstrip()) * 2 // 3
    return bool(words and fits and _RULE.fullmatch(line) and not above[0].isspace() and not _RULE.fullmatch(words))


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
