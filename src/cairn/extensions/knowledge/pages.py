"""What all extensions of knowledge share: the kinds of pages, and where in a page's frontmatter something stands."""

from cairn.plugin import Document

PAGES = tuple(f"knowledge/{kind}" for kind in ("entry", "practice", "map", "procedure", "decision"))
ROUTES = "knowledge/routes"


def line_of(document: Document, written: str, *keys: str) -> int:
    """The line of the frontmatter on which a text stands, looked for behind the first of these keys that is there:
    a name may occur in a description too. 1 when it is not found, because of the way it is quoted or broken."""
    text = document.text
    end = len(text) - len(document.body)
    key = next((at for key in keys if (at := text.find(f"\n{key}:", 0, end)) >= 0), 0)
    at = _find_whole(text, written, key, end)
    if at < 0 and key:
        at = _find_whole(text, written, 0, end)
    return text.count("\n", 0, at) + 1 if at >= 0 else 1


def _find_whole(text: str, word: str, start: int, end: int) -> int:
    """Where a text stands that is no part of a longer name. Not a pattern: every name would be compiled anew."""
    at = text.find(word, start, end)
    while at >= 0 and (_is_part(text[at - 1 : at]) or _is_part(text[at + len(word) : at + len(word) + 1])):
        at = text.find(word, at + 1, end)
    return at


def _is_part(char: str) -> bool:
    return char.isalnum() or char in ("-", "_")
