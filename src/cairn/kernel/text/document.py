"""One file as extractors see it: frontmatter, body, and views of the body that are computed once and shared."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from cairn.kernel.text.markdown import MarkdownLink, markdown_links
from cairn.kernel.text.mask import Range, code_ranges, only, without


class Document:
    """A parsed file. `body_line` is the line of the file on which the body starts (1 without frontmatter)."""

    def __init__(self, path: str, frontmatter: Mapping[str, Any], body: str, body_line: int = 1) -> None:
        self.path = path
        self.frontmatter = frontmatter
        self.body = body
        self.body_line = body_line
        self._known = (0, body_line)
        """The last offset that was asked for, and its line."""

    @cached_property
    def _code_ranges(self) -> list[Range]:
        return code_ranges(self.body)

    @cached_property
    def prose(self) -> str:
        """The body with code blanked out, the same length."""
        return without(self.body, self._code_ranges)

    @cached_property
    def code(self) -> str:
        """The body with everything but code blanked out, the same length."""
        return only(self.body, self._code_ranges)

    @cached_property
    def links(self) -> tuple[MarkdownLink, ...]:
        """Everything that CommonMark calls a link or an image, and wikilinks, in order."""
        return markdown_links(self.body)

    def line_at(self, offset: int) -> int:
        """The line of the file at an offset of the body. Asked in rising order, it reads the body only once."""
        known, line = self._known
        if offset >= known:
            line += self.body.count("\n", known, offset)
        else:
            line -= self.body.count("\n", offset, known)
        self._known = (offset, line)
        return line
