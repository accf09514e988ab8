"""The links of a Markdown text, as CommonMark sees them."""

from typing import NamedTuple


class MarkdownLink(NamedTuple):
    """A link or an image. The offsets are code points of the text, and cover it from bracket to bracket."""

    start: int
    end: int
    target: str
    """As written, entities and backslashes undone, percent-encoding kept."""
    image: bool
    wiki: bool
    """`[[target]]`."""
    auto: bool
    """`<https://…>` or `<a@b.c>`."""


def markdown_links(body: str) -> tuple[MarkdownLink, ...]:
    raise NotImplementedError
