"""Lines of documents that somebody types into a terminal."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from cairn.lib.document.parts import PageOutline

_SHELL = frozenset({"", "sh", "bash", "shell", "console", "terminal", "zsh", "text", "shell-session", "shellsession"})
_PROMPT = re.compile(r"\s*(?:\([\w.-]+\)\s*)?(?:[$>%] )?")
_ELSEWHERE = re.compile(r"(?:^|[\s;&|(])(?:cd|pushd|git clone)\s")


class CommandLine(NamedTuple):
    line: int
    text: str
    """Without its prompt."""
    in_block: bool


def command_lines(page: PageOutline, having: re.Pattern[str], *, anywhere: bool = False) -> Iterator[CommandLine]:
    """Lines of shell blocks, and inline code, that match. Lines after `cd` or `git clone` run in a folder that nobody
    knows; they are left out unless the folder does not matter."""
    for block in page.blocks:
        if block.language not in _SHELL:
            continue
        for number, line in enumerate(block.lines, block.line):
            if not anywhere and _ELSEWHERE.search(line):
                break
            if having.search(line) and not line.lstrip().startswith("#"):
                yield CommandLine(number, _PROMPT.sub("", line, count=1), in_block=True)
    for span in page.spans:
        if having.search(span.text) and (anywhere or not _ELSEWHERE.search(span.text)):
            yield CommandLine(span.line, span.text.strip(), in_block=False)
