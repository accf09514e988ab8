"""What all extensions of knowledge share: the kinds of pages, and where in a page's frontmatter something stands."""

from cairn.plugin import Document

PAGES = tuple(f"knowledge/{kind}" for kind in ("entry", "practice", "map", "procedure", "decision"))
ROUTES = "knowledge/routes"


def line_of(document: Document, written: str, nth: int = 0) -> int:
    """The line of the frontmatter on which a text stands, the first, or one of those after it; 1 when it is not found
    as it is, because of the way it is quoted or broken."""
    text = document.text
    end = len(text) - len(document.body)
    at = text.find(written, 0, end)
    while nth and at >= 0:
        at, nth = text.find(written, at + 1, end), nth - 1
    return text.count("\n", 0, at) + 1 if at >= 0 else 1
