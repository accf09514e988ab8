"""Reads a page of any supported format as headings, links, code and prose."""

import re
from posixpath import basename

from cairn.lib.document.parts import Block, PageLink, PageOutline

__all__ = [
    "DOCUMENTS",
    "FORMATS",
    "PLAIN",
    "UNREAD",
    "Block",
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
        from cairn.lib.document.plain import plain_outline

        return plain_outline(path, text)
    if form == "mdx":
        from cairn.lib.markdown.mdx import mdx_outline

        return mdx_outline(path, text)
    from cairn.lib.markdown.outline import markdown_outline

    return markdown_outline(path, text)
