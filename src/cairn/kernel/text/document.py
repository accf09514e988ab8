"""One file as extractors see it: frontmatter, body, and views of the body that are computed once and shared."""

from collections.abc import Mapping
from typing import Any

from cairn.kernel.text.markdown import MarkdownLink, markdown_links
from cairn.kernel.text.mask import Range, code_ranges, without


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

    # Kept by hand: `cached_property` takes a lock each time, and three of these are asked for in every file.

    @property
    def prose(self) -> str:
        """The body with code blanked out, the same length."""
        if self._prose is None:
            self._prose = without(self.body, self.code_ranges)
        return self._prose

    @property
    def code_ranges(self) -> list[Range]:
        """(start, end) of every piece of code in the body, fences and backticks included, in order."""
        if self._code_ranges is None:
            self._code_ranges = code_ranges(self.body)
        return self._code_ranges

    @property
    def links(self) -> tuple[MarkdownLink, ...]:
        """Everything that CommonMark calls a link or an image, and wikilinks, in order."""
        if self._links is None:
            self._links = markdown_links(self.body)
        return self._links

    def line_at(self, offset: int) -> int:
        """The line of the file at an offset of the body. Asked in rising order, it reads the body only once."""
        known, line = self._known
        if offset >= known:
            line += self.body.count("\n", known, offset)
        else:
            line -= self.body.count("\n", offset, known)
        self._known = (offset, line)
        return line
