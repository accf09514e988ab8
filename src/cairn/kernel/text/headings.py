"""The headings of a Markdown page, and the names under which renderers let people link to them."""

import re
from collections.abc import Iterable

from cairn.kernel.text.mask import blank, fences
from cairn.kernel.text.slugs import Renderer, accepted

_GENERATED = re.compile(
    r"^\s*(?::{3,}\s*\S|--8<--|\{%|\{\{|!!!\s*include|```\{)|<!--\s*begin:\s*\w*include", re.MULTILINE
)
_HEADING = re.compile(r"^ {0,3}(?:>\s*)?#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*$", re.MULTILINE)
_SETEXT = re.compile(r"^(\S.*)\n(?:=+|-+)[ \t]*$", re.MULTILINE)
_ID = re.compile(r"""(?:\{[^}\n]*#|\b(?:id|name)\s*=\s*["']?|^\()([\w:.-]+)""", re.MULTILINE)
_MARKUP = re.compile(r"!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])?|<[^>]+>|\{[^}]*\}\s*$")
_HIDDEN = re.compile(r"<!--.*?(?:-->|\Z)|^[ \t]*<(style|script|svg|pre)\b.*?(?:</\1>|\Z)", re.DOTALL | re.I | re.M)


def may_have_more(text: str) -> bool:
    """Whether a program adds headings that the text does not show."""
    return _GENERATED.search(text) is not None


def generating_lines(text: str) -> list[str]:
    """The lines that tell a program what to add."""
    return [line for line in text.split("\n") if _GENERATED.match(line)]


def heading_texts(text: str) -> list[str]:
    """As written, markup and all."""
    prose = _prose(text)
    return [*_HEADING.findall(prose), *_SETEXT.findall(prose)]


def anchors(text: str) -> set[str]:
    """Every name under which a heading or an anchor of the page may be linked, in the ways of common renderers."""
    titles = heading_texts(text)
    found = {slug for title in titles for shown in (_shown(title), title) for slug in _slugs(shown)}
    found |= {f"{slug}{sign}{number}" for slug in found for sign in "-_" for number in range(1, 6)}
    found.update(*(accepted([(title, ()) for title in titles], renderer) for renderer in Renderer))
    return {name.lower() for name in found | set(_ID.findall(text))}


def page_anchors(text: str, renderers: Iterable[Renderer]) -> frozenset[str]:
    """In lower case: the anchors that these renderers give to the headings of a page, and its explicit ids."""
    titles = [(title, ()) for title in heading_texts(text)]
    found = {name for renderer in renderers for name in accepted(titles, renderer)}
    return frozenset(name.lower() for name in found | set(_ID.findall(text)))


def _prose(text: str) -> str:
    pieces, position = [], 0
    for start, end in fences(text):
        pieces += [text[position:start], blank(text[start:end])]
        position = end
    return _HIDDEN.sub(lambda found: blank(found[0]), "".join([*pieces, text[position:]]))


def _shown(title: str) -> str:
    """Links as their words. Brackets in code are no links, so a title counts as written, too."""
    return _MARKUP.sub(lambda found: found[1] or "", title)


def _slugs(title: str) -> set[str]:
    plain = title.replace("`", "").strip().lower()
    github = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
    words = re.sub(r"[^\w\s-]", "", plain).strip()
    joined = re.sub(r"[-\s]+", "-", words)
    ascii_only = joined.encode("ascii", "ignore").decode().strip("-")
    dashed = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
    return {github, github.strip("-"), joined, joined.strip("-"), ascii_only, dashed, github.replace("_", "")}
