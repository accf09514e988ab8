"""One file as extractors see it: frontmatter, body, and views of the body that are computed once and shared."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from cairn.kernel.text.markdown import MarkdownLink, markdown_links
from cairn.kernel.text.mask import code_only, mask_code


class Document:
    """A parsed file. `body_line` is the line of the file on which the body starts (1 without frontmatter)."""

    def __init__(self, path: str, frontmatter: Mapping[str, Any], body: str, body_line: int = 1) -> None:
        self.path = path
        self.frontmatter = frontmatter
        self.body = body
        self.body_line = body_line

    @cached_property
    def prose(self) -> str:
        """The body with code blanked out, the same length."""
        return mask_code(self.body)

    @cached_property
    def code(self) -> str:
        """The body with everything but code blanked out, the same length."""
        return code_only(self.body, self.prose)

    @cached_property
    def links(self) -> tuple[MarkdownLink, ...]:
        """Everything that CommonMark calls a link or an image, and wikilinks, in order."""
        return markdown_links(self.body)

    def line_at(self, offset: int) -> int:
        """The line of the file at an offset of the body."""
        return self.body_line + self.body.count("\n", 0, offset)
