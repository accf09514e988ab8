"""Shows a page of any format as Markdown with the same lines, for code that reads sections and sentences."""

import re

from cairn.lib.document.outline import format_of, outline
from cairn.lib.document.parts import Block, PageOutline
from cairn.lib.markdown.frontmatter import split

_ROLE = re.compile(r":([A-Za-z][\w:.+-]{0,80}):`(?:[^`<>\n]{1,300}<([^`<>\n]{1,300})>|([^`\n]{1,300}))`")
_PHRASE = re.compile(r"`([^`<>\n]{1,300}?) ?<([^`<>\s]{1,500})>`__?")
_NAMED = re.compile(r"`([^`<>\n]{1,300})`__?(?!\w)")
_GAP = re.compile(r"(?<=\S) {2,}(?=\S)")
_IN_WORDS = frozenset(
    ("ref", "doc", "term", "numref", "any", "download", "abbr", "guilabel", "menuselection", "sub", "sup")
)


def readable(path: str, text: str, page: PageOutline | None = None) -> str:
    """The text itself for Markdown. Of other formats: headings with `#`, code between fences, prose; every line is the
    line of the file. Directives, imports, JSX and comments are blank. `page` is its outline, if somebody has it."""
    form = format_of(path)
    if form in (None, "markdown"):
        return text
    page = page or outline(path, text)
    lines = list(page.prose_lines)
    if form == "rst":
        lines = [_plain_roles(line) if "`" in line else line for line in lines]
    elif form == "mdx":
        lines = [_GAP.sub(" ", line) for line in lines]
    before = split(text).body_line - 1 if form == "mdx" else 0
    if before:
        lines[:before] = text.split("\n")[:before]
    _show_headings(page, lines)
    for block in page.blocks:
        _show_code(block, lines)
    return "\n".join(lines) + "\n"


def _plain_roles(line: str) -> str:
    """Roles for code as inline code, other roles as their words, `` `words <url>`_ `` as a Markdown link."""
    line = _ROLE.sub(_role_text, line)
    line = _PHRASE.sub(lambda found: f"[{found[1]}]({found[2]})", line)
    return _NAMED.sub(lambda found: found[1] if found[0].endswith("_") else found[0], line)


def _role_text(found: re.Match[str]) -> str:
    if found[1].lower() in _IN_WORDS:
        return found[0][found[0].index("`") + 1 :].partition("<")[0].strip("` ")
    return f"`{(found[2] or found[3] or '').lstrip('~!')}`"


def _show_headings(page: PageOutline, lines: list[str]) -> None:
    for heading in page.headings:
        explicit = f" {{#{heading.ids[0]}}}" if heading.ids and page.format == "mdx" else ""
        lines[heading.line - 1] = f"{'#' * min(heading.level, 6)} {heading.text}{explicit}"


def _show_code(block: Block, lines: list[str]) -> None:
    first, after = block.line - 1, block.line - 1 + len(block.lines)
    free = first > 0 and not lines[first - 1].strip() and (after >= len(lines) or not lines[after].strip())
    for number, line in enumerate(block.lines, first):
        if number < len(lines):
            lines[number] = line if free else f"    {line}"
    if free:
        lines[first - 1] = f"```{block.language}"
        if after < len(lines):
            lines[after] = "```"
