"""One file as extractors see it: frontmatter, body, outline, and views that are computed once and shared."""

import re
from collections.abc import Mapping
from posixpath import basename
from typing import Any

from cairn.lib.document.parts import Block, PageHeading, PageLink, PageOutline, lines_of
from cairn.lib.markdown.blocks import Range, code_ranges, without
from cairn.lib.markdown.frontmatter import split
from cairn.lib.markdown.outline import MarkdownLink, markdown_links, trimmed_url

__all__ = [
    "DOCUMENTS",
    "FORMATS",
    "PLAIN",
    "UNREAD",
    "Block",
    "Document",
    "PageLink",
    "PageOutline",
    "format_of",
    "is_prose",
    "outline",
]

FORMATS = {".md": "markdown", ".markdown": "markdown", ".mdx": "mdx", ".rst": "rst"}
"""The format of a document by its suffix, in lower case."""
PLAIN = ("readme", "contributing", "install", "authors")
"""Names of documents in plain text, without a suffix or with `.txt`."""

RULES = (".cursorrules", ".windsurfrules", ".clinerules")
"""Names of rules for agents; they are Markdown. So are the rules of Cursor, `.cursor/rules/*.mdc`."""

DOCUMENTS = (*FORMATS, *PLAIN, *(f"{name}.txt" for name in PLAIN), ".mdc", *RULES)
"""How the names of documents end, as a walk takes it: suffixes, and whole names."""

UNREAD = (".adoc", ".asciidoc", ".org", ".wiki", ".mediawiki", ".textile", ".creole", ".rdoc", ".qmd", ".mdown", ".mkd")
"""Suffixes of documents in formats that are not read; a scan counts them."""
_CURSOR_RULES = "/.cursor/rules/"
_NOTES = re.compile(
    r"(?:^|/)(?:change(?:s|log)|news|history|releases?|release[-_]?notes|whats?[-_]?new|upgrading|todo)(?:\.txt)?$"
    r"|(?:^|/)newsfragments?/"
)
"""Changelogs and the like in plain text, in lower case."""


def format_of(path: str) -> str | None:
    """`markdown`, `mdx`, `rst` or `text`; None for a file that is not a document."""
    name = basename(path).lower()
    stem, dot, suffix = name.rpartition(".")
    if dot and (known := FORMATS.get(f".{suffix}")):
        return known if stem else None
    if name in RULES or (suffix == "mdc" and _CURSOR_RULES in f"/{path.lower()}"):
        return "markdown"
    return "text" if name.removesuffix(".txt") in PLAIN else None


def is_prose(path: str) -> bool:
    """Whether a file is written for people, also if it is not read: AsciiDoc, a changelog in plain text."""
    return format_of(path) is not None or path.lower().endswith(UNREAD) or _NOTES.search(path.lower()) is not None


def outline(path: str, text: str) -> PageOutline:
    """Everything that analyzers read in a page, with lines of the file. Time is linear in the length of the text.

    A reader of a format is imported when its first page is read: most repositories have one format.
    """
    form = format_of(path)
    if form == "rst":
        from cairn.lib.rst.outline import rst_outline

        return rst_outline(path, text)
    if form == "text":
        return plain_outline(path, text)
    if form == "mdx":
        from cairn.lib.markdown.mdx import mdx_outline

        return mdx_outline(path, text)
    from cairn.lib.markdown.outline import markdown_outline

    return markdown_outline(path, text)


_LITERAL = re.compile(r"``[^`\n]+``")
_OF_MARKDOWN = ("link", "image", "html", "wiki")


class Document:
    """A parsed file. `body_line` is the line of the file on which the body starts (1 without frontmatter), `text` all
    of it."""

    def __init__(
        self, path: str, frontmatter: Mapping[str, Any], body: str, body_line: int = 1, text: str | None = None
    ) -> None:
        self.path = path
        self.frontmatter = frontmatter
        self.body = body
        self.body_line = body_line
        self.text = body if text is None else text
        self._known = (0, body_line)
        """The last offset that was asked for, and its line."""
        self._prose: str | None = None
        self._links: tuple[MarkdownLink, ...] | None = None
        self._code_ranges: list[Range] | None = None
        self._outline: PageOutline | None = None
        self.format = "markdown" if path[-3:] == ".md" else format_of(path) or "markdown"

    # Kept by hand: `cached_property` takes a lock each time, and three of these are asked for in every file.

    @property
    def prose(self) -> str:
        """The body with code blanked out, the same length."""
        if self._prose is None:
            body = self.body if self.format == "markdown" else self._shown()
            self._prose = without(body, self.code_ranges)
        return self._prose

    def _shown(self) -> str:
        """The prose of an outline, as long as the body."""
        lines = self.body.split("\n")
        shown = self.outline.prose_lines[self.body_line - 1 :]
        prose = [line[: len(raw)].ljust(len(raw)) for raw, line in zip(lines, shown, strict=False)]
        return "\n".join([*prose, *(" " * len(raw) for raw in lines[len(prose) :])])

    @property
    def outline(self) -> PageOutline:
        """Headings, targets, links and code. Reading Markdown in this way takes longer than `links` and `prose` do."""
        if self._outline is None:
            self._outline = outline(self.path, self.text)
        return self._outline

    @property
    def code_ranges(self) -> list[Range]:
        """(start, end) of every piece of code in the body, fences and backticks included, in order."""
        if self._code_ranges is None:
            self._code_ranges = _literals(self.body) if self.format == "rst" else code_ranges(self._markdown())
        return self._code_ranges

    def _markdown(self) -> str:
        """The body; of an MDX page without imports, tags and expressions."""
        if self.format != "mdx":
            return self.body
        from cairn.lib.markdown.mdx import without_jsx

        return without_jsx(self.body)

    @property
    def links(self) -> tuple[MarkdownLink, ...]:
        """Everything that CommonMark calls a link or an image, and wikilinks, in order."""
        if self._links is None:
            self._links = markdown_links(self.body) if self.format == "markdown" else self._outlined_links()
        return self._links

    def _outlined_links(self) -> tuple[MarkdownLink, ...]:
        if self.format != "mdx":
            return ()
        before = len(self.text) - len(self.body)
        return tuple(
            MarkdownLink(link.start - before, link.end - before, link.target, link.image, link.kind == "wiki", False)
            for link in self.outline.links
            if link.kind in _OF_MARKDOWN
        )

    def line_at(self, offset: int) -> int:
        """The line of the file at an offset of the body. Asked in rising order, it reads the body only once."""
        known, line = self._known
        if offset >= known:
            line += self.body.count("\n", known, offset)
        else:
            line -= self.body.count("\n", offset, known)
        self._known = (offset, line)
        return line


def _literals(body: str) -> list[Range]:
    return [found.span() for found in _LITERAL.finditer(body)] if "``" in body else []


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
