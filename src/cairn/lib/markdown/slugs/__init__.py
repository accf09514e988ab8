"""Computes the anchors of headings exactly as forges and documentation generators do."""

import re
from collections.abc import Callable, Sequence
from enum import StrEnum, auto
from functools import partial
from typing import NamedTuple

from cairn.lib.markdown.slugs import attributes, forms
from cairn.lib.markdown.slugs.attributes import Attributes
from cairn.lib.markdown.slugs.forms import Numbering, Slug
from cairn.lib.markdown.slugs.pieces import HeadingPiece, Kind, pieces


class Renderer(StrEnum):
    """A program that turns Markdown into pages, with the settings that change anchors."""

    GITHUB = auto()
    GITLAB = auto()
    MKDOCS = auto()
    MKDOCS_UNICODE = auto()
    """`slugify: slugify_unicode`, or `pymdownx.slugs` with `case: lower`, in `mkdocs.yml`."""
    MKDOCS_CASED = auto()
    """`pymdownx.slugs.slugify` without a case."""
    MKDOCS_LOWER = auto()
    """`pymdownx.slugs.slugify` with `case: lower`."""
    SPHINX = auto()
    """The ids in the HTML that Sphinx writes, for reStructuredText and Markdown."""
    MYST = auto()
    """The names that Markdown in a Sphinx project links to (`myst_heading_anchors`)."""
    DOCUSAURUS = auto()
    VITEPRESS = auto()
    MDBOOK = auto()
    JEKYLL = auto()
    """kramdown with GitHub's input, as Jekyll uses it by default."""
    KRAMDOWN = auto()
    """Plain kramdown."""
    HUGO = auto()
    ASTRO = auto()
    """Starlight, Astro and Nextra."""


class _Rules(NamedTuple):
    attributes: Attributes
    shown: Callable[[Sequence[HeadingPiece]], str] | None
    """The text that is slugged. None for the Markdown itself."""
    slug: Callable[[str], str]
    number: Numbering


def anchors(headings: Sequence[tuple[str, tuple[str, ...]]], renderer: Renderer) -> list[str]:
    """The anchor of each heading of a page.

    A heading is its Markdown without `#` signs, and the ids that the page sets outside of it, such as kramdown's
    `{: #id}` on the next line. These replace the slug where the renderer supports attributes.
    """
    rules = _RULES[renderer]
    return rules.number([_slug(text, ids, rules) for text, ids in headings])


def accepted(headings: Sequence[tuple[str, tuple[str, ...]]], renderer: Renderer) -> frozenset[str]:
    """Every anchor that some version or common setting of the renderer generates. Use this to judge links."""
    names: set[str] = set()
    readings = (True, False) if any("][" in text for text, _ in headings) else (True,)
    for rules in (_RULES[renderer], *_VARIANTS.get(renderer, ())):
        for defined in readings:
            names.update(rules.number([_slug(text, ids, rules, defined=defined) for text, ids in headings]))
    return frozenset(names - {""})


def _slug(text: str, ids: tuple[str, ...], rules: _Rules, *, defined: bool = True) -> Slug:
    rest, written = rules.attributes(text)
    if written:
        return Slug(written, True)
    if ids and rules.attributes is not attributes.none:
        return Slug(ids[0], True)
    shown = rules.shown(pieces(rest, defined=defined)) if rules.shown else rest
    return Slug(rules.slug(shown), False)


# --- the text that a renderer slugs ---------------------------------------------------------------------------------


def _joined(*kinds: Kind) -> Callable[[Sequence[HeadingPiece]], str]:
    return lambda found: "".join(piece.text for piece in found if piece.kind in kinds)


_VISIBLE = (Kind.TEXT, Kind.LINK, Kind.CODE, Kind.ENTITY, Kind.SHORTCODE)
_visible = _joined(*_VISIBLE)
_visible_and_alt = _joined(*_VISIBLE, Kind.ALT)


def _of_docusaurus(found: Sequence[HeadingPiece]) -> str:
    """A heading that consists of tags alone is slugged with its tags."""
    only_tags = all(piece.kind is Kind.HTML for piece in found)
    return "".join(piece.text for piece in found if piece.kind is not Kind.HTML or only_tags)


def _of_vitepress(found: Sequence[HeadingPiece]) -> str:
    """VitePress drops shortcodes, and shows entities next to text as they are written."""
    shown = (Kind.TEXT, Kind.LINK, Kind.CODE, Kind.ENTITY)
    restored = _next_to_text(found)
    return "".join(
        piece.source if number in restored else piece.text for number, piece in enumerate(found) if piece.kind in shown
    )


def _next_to_text(found: Sequence[HeadingPiece]) -> set[int]:
    """Positions of entities."""
    inside = (Kind.TEXT, Kind.ENTITY, Kind.SHORTCODE)
    pairs = [n for n in range(1, len(found)) if found[n].kind in inside and found[n - 1].kind in inside]
    return {n for pair in pairs for n in (pair - 1, pair) if found[n].kind is Kind.ENTITY}


def _collapsed(found: Sequence[HeadingPiece]) -> str:
    """Python-Markdown collapses whitespace before it decodes entities."""
    entities = iter([piece.text for piece in found if piece.kind is Kind.ENTITY])
    shown = _visible([piece._replace(text="\0") if piece.kind is Kind.ENTITY else piece for piece in found])
    return re.sub("\0", lambda _: next(entities, ""), " ".join(shown.split()))


def _without_shortcodes(found: Sequence[HeadingPiece]) -> str:
    return _collapsed([piece for piece in found if piece.kind is not Kind.SHORTCODE])


def _with_smart_dashes(found: Sequence[HeadingPiece]) -> str:
    """`--` becomes a dash, which slugs drop. Quotes need no care: slugs drop all of them."""
    return _visible([piece if piece.kind is Kind.CODE else _smart(piece) for piece in found])


def _smart(piece: HeadingPiece) -> HeadingPiece:
    return piece._replace(text=re.sub("-{2,3}", "", piece.text))


def _of_hugo(found: Sequence[HeadingPiece]) -> str:
    """Numeric entities count as written, addresses not at all."""
    shown = [piece._replace(text=piece.source) if piece.source.startswith("&#") else piece for piece in found]
    smart = [piece if piece.kind is Kind.CODE else _smart(piece) for piece in shown if piece.kind is not Kind.LINK]
    return _visible_and_alt(smart)


_RULES = {
    Renderer.GITHUB: _Rules(attributes.none, _visible, forms.github, forms.slugger),
    Renderer.GITLAB: _Rules(attributes.none, _visible_and_alt, forms.gitlab, forms.first_free),
    Renderer.MKDOCS: _Rules(attributes.python_markdown, _collapsed, forms.mkdocs, forms.underscored),
    Renderer.MKDOCS_UNICODE: _Rules(attributes.python_markdown, _collapsed, forms.mkdocs_unicode, forms.underscored),
    Renderer.MKDOCS_CASED: _Rules(attributes.python_markdown, _collapsed, forms.pymdownx, forms.underscored),
    Renderer.MKDOCS_LOWER: _Rules(
        attributes.python_markdown, _collapsed, partial(forms.pymdownx, case="lower"), forms.underscored
    ),
    Renderer.SPHINX: _Rules(attributes.none, _visible, forms.docutils, forms.numbered_docutils),
    Renderer.MYST: _Rules(attributes.none, _visible, forms.myst, forms.first_free_if_any),
    Renderer.DOCUSAURUS: _Rules(attributes.docusaurus, _of_docusaurus, forms.github, forms.slugger),
    Renderer.VITEPRESS: _Rules(attributes.markdown_it, _of_vitepress, forms.vitepress, forms.first_free),
    Renderer.MDBOOK: _Rules(attributes.pulldown, _with_smart_dashes, forms.mdbook, forms.first_free),
    Renderer.JEKYLL: _Rules(attributes.kramdown, _with_smart_dashes, forms.jekyll, forms.counted),
    Renderer.KRAMDOWN: _Rules(attributes.kramdown, None, forms.kramdown, forms.counted),
    Renderer.HUGO: _Rules(attributes.pulldown, _of_hugo, forms.hugo, forms.first_free_if_any),
    Renderer.ASTRO: _Rules(attributes.none, _visible, forms.github, forms.slugger),
}
_VARIANTS = {
    Renderer.GITHUB: (_Rules(attributes.none, _visible, forms.github, forms.counted),),
    Renderer.GITLAB: (_Rules(attributes.none, _visible, forms.gitlab_legacy, forms.counted),),
    Renderer.MKDOCS: (
        _Rules(attributes.python_markdown, _without_shortcodes, forms.mkdocs, forms.underscored),
        _Rules(attributes.none, _collapsed, forms.mkdocs, forms.underscored),
    ),
    Renderer.VITEPRESS: (_Rules(attributes.markdown_it, _visible_and_alt, forms.vitepress, forms.first_free),),
    Renderer.MDBOOK: (
        _Rules(attributes.pulldown, _visible, forms.mdbook, forms.first_free),
        _Rules(attributes.pulldown, _visible, forms.mdbook_legacy, forms.counted),
    ),
}
