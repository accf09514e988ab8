"""The anchors of a Markdown page: names under which renderers let people link to its headings."""

import re
from collections.abc import Iterable, Sequence

from cairn.lib.document.parts import PageOutline, lines_of
from cairn.lib.markdown.slugs import Renderer, accepted

_GENERATED = re.compile(
    r"^[ \t]*(?::{3,}\s*\S|--8<--|\{%|\{\{|!!!\s*include|```\{)|<!--\s*(?:begin:\s*\w*|[\w:@.-]{0,20})include\b"
    r"|\A---\n(?:.*\n){0,30}?ref: ",
    re.MULTILINE,
)
_ID = re.compile(r"""(?:\{[^{}\n]*#|\[#|\b(?:id|name)\s*=\s*["']?|^\()([\w:.-]+)""", re.MULTILINE)
"""`{#id}`, `[#id]`, `id="id"`, `name="id"`, `(id)=`."""
_HTML_HEADING = re.compile(r"<h[1-6]\b[^<>]{0,300}>(.{0,300}?)</h[1-6]\s{0,9}>", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<[^<>]*>")
_VALUE = re.compile(r"""=\s*["']([^"']+)["']""")
_TERM = re.compile(r"^(?! |\t)(\S[^\n]*)\n(?:[ \t]*\n)?[ ]{0,3}:[ \t]+\S", re.MULTILINE)
"""A term of a definition list. Some sites give it an anchor as if it were a heading."""
_TAB = re.compile(r"""^[ \t]*===[!+]?[ \t]+"([^"\n]+)\"""", re.MULTILINE)
"""The title of a tab of MkDocs. Some sites give it an anchor as well."""
_COMPONENT = re.compile(r"^[ \t]*<[A-Z][\w.]*", re.MULTILINE)
_BADGE = re.compile(r"\[!\[[^\[\]]*+\](?:\[[^\[\]]*+\]|\([^()]*+\))\](?:\[[^\[\]]*+\]|\([^()]*+\))")
"""A picture that is a link. It has no text."""
_MARK = re.compile(r"(?:(?<!\s)\s++)?(?:\[[^\]\[]{0,60}\](?![(\[])|\{[^{}]{0,60}\})")
"""`[-MY]`, `{badge}`: programs of sites turn such parts of a heading into signs, or remove them."""
_AROUND = re.compile(r"^[\s>]*+(?:(?:[-*+]|\d++[.)])\s++)*+#{1,6}(?=\s)|(?<!\s)\s++#++\s*+$")
"""The signs around a heading: quotes and lists that it stands in, and its own."""


def may_have_more(text: str) -> bool:
    """Whether a program adds headings that the text does not show."""
    return _GENERATED.search(text) is not None


def has_components(text: str) -> bool:
    """Whether an MDX page has tags of its own, which may show headings."""
    return _COMPONENT.search(text) is not None


def generating_lines(text: str) -> list[str]:
    """The lines that tell a program what to add."""
    return [line for line in text.split("\n") if _GENERATED.match(line.lstrip())]


def component_values(text: str) -> list[str]:
    """The strings that an MDX page gives to its components."""
    return [value for tag in _TAG.findall(text) if tag[1:2].isupper() for value in _VALUE.findall(tag)]


def page_anchors(page: PageOutline, text: str, renderers: Iterable[Renderer]) -> frozenset[str]:
    """In lower case: the anchors that these renderers give to the headings of a page, and its explicit ids."""
    lines = lines_of(text)
    written = [_written(lines, heading.line) for heading in page.headings]
    others = _other_titles(text)
    spellings = ([*written, *others], [_MARK.sub("", title) for title in (*written, *others)])
    titles = [[(title, ()) for title in spelled] for spelled in dict.fromkeys(map(tuple, spellings))]
    found = {name for renderer in renderers for spelled in titles for name in accepted(spelled, renderer)}
    return frozenset(name.lower() for name in found | page.ids | set(_ID.findall(text)))


def _other_titles(text: str) -> list[str]:
    """Headings written in HTML, terms of definition lists, and titles of tabs."""
    html = (" ".join(_TAG.sub("", title).split()) for title in _HTML_HEADING.findall(text))
    return [title for title in (*html, *_TERM.findall(text), *_TAB.findall(text)) if title]


def _written(lines: Sequence[str], line: int) -> str:
    """A heading as it stands in the file."""
    return _BADGE.sub("", _AROUND.sub("", lines[line - 1])).strip() if line <= len(lines) else ""
