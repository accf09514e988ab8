"""One file as extractors see it: frontmatter, body, and views of the body that are computed once and shared."""

import re
from collections.abc import Mapping
from typing import Any

from cairn.lib.document.outline import PageOutline, format_of, outline
from cairn.lib.markdown.code_mask import Range, code_ranges, without
from cairn.lib.markdown.links import MarkdownLink, markdown_links

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
