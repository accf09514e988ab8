"""`llms.txt`: what there is to read here, for a model that has only so much room; see https://llmstxt.org.

A title, a summary in a quotation, then sections of links with a description each. What is deprecated stands under
*Optional*, which a reader in a hurry leaves out; what is quarantined is not mentioned.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import groupby
from typing import NamedTuple
from urllib.parse import quote

from cairn.core.extension_points import KindSpec
from cairn.core.model.corpus import Corpus, corpus_of
from cairn.core.model.node import Node
from cairn.errors import UsageError
from cairn.graph.inline_page import first_paragraph, inlined
from cairn.knowledge.layouts import category_of

OPTIONAL = "Optional"
MAX_DESCRIPTION = 300
_KNOWLEDGE = "knowledge"
_FRONT = ("readme.md", "readme.mdx", "readme.rst", "readme.markdown", "readme.txt", "readme", "index.md")
_ESCAPED = str.maketrans({char: f"\\{char}" for char in "\\[]"})


class Page(NamedTuple):
    path: str
    title: str
    description: str
    section: str
    url: str


class Site(NamedTuple):
    title: str
    summary: str
    pages: tuple[Page, ...]
    """In order of their sections; Optional is last."""


def site(
    nodes: Iterable[Node],
    *,
    title: str,
    corpora: tuple[Corpus, ...],
    kinds: Mapping[str, KindSpec],
    base_url: str,
    body_of: Callable[[str], str | None],
) -> Site:
    """`body_of` gives the text of a page without its frontmatter, None when it can't be read."""
    served = [node for node in nodes if not node.virtual and _status(node) != "quarantined"]
    pages = [_page(node, _section(node, corpora, kinds), base_url) for node in served]
    pages.sort(key=lambda page: (page.section == OPTIONAL, page.section.lower(), page.section, page.path))
    summary = front_summary(served, body_of) or f"{len(served):,} page{'' if len(served) == 1 else 's'} to read."
    return Site(_line(title), summary, tuple(pages))


def _status(node: Node) -> str:
    said = node.frontmatter.get("status") or node.frontmatter.get("stability") or ""
    return said.lower() if isinstance(said, str) else ""


def _section(node: Node, corpora: tuple[Corpus, ...], kinds: Mapping[str, KindSpec]) -> str:
    if _status(node) == "deprecated":
        return OPTIONAL
    if node.provider == _KNOWLEDGE and (corpus := corpus_of(node.path, corpora)) is not None:
        category = category_of(corpus, node.path)
        name = f"{corpus.name}/{category}" if category and len(corpora) > 1 else category or corpus.name
    else:
        spec = kinds.get(node.qualified_kind)
        name = f"{spec.label}s" if spec else node.kind
    name = _line(name)
    return f"{name} pages" if name.lower() == OPTIONAL.lower() else name


def _page(node: Node, section: str, base_url: str) -> Page:
    description = _line(node.description or _text(node.frontmatter.get("summary")))
    if len(description) > MAX_DESCRIPTION:
        description = description[:MAX_DESCRIPTION].rpartition(" ")[0] + " …"
    return Page(node.path, _line(node.title) or node.path, description, section, base_url + quote(node.path))


def front_summary(nodes: Iterable[Node], body_of: Callable[[str], str | None]) -> str:
    """The description or the first paragraph of the README; empty if there is neither."""
    front = next((node for node in nodes if node.path.lower() in _FRONT), None)
    return "" if front is None else _line(front.description) or first_paragraph(body_of(front.path) or "")


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _line(text: str) -> str:
    return " ".join(text.split())


# --- writing --------------------------------------------------------------------------------------------------------


def index_text(site: Site) -> str:
    """llms.txt."""
    lines = [*_head(site)]
    for section, pages in groupby(site.pages, key=lambda page: page.section):
        lines += ["", f"## {section}", "", *(_item(page) for page in pages)]
    return "\n".join(lines) + "\n"


def full_text(site: Site, body_of: Callable[[str], str | None]) -> str:
    """llms-full.txt: every page with its text, each below a heading and the place that it comes from."""
    lines = [*_head(site)]
    for page in site.pages:
        lines += ["", f"# {page.title}", "", f"Source: {page.url}"]
        body = inlined(body_of(page.path) or "", page.title)
        lines += ["", body] if body else []
    return "\n".join(lines) + "\n"


def _head(site: Site) -> tuple[str, ...]:
    return f"# {site.title}", "", f"> {site.summary}"


def _item(page: Page) -> str:
    link = f"- [{page.title.translate(_ESCAPED)}]({page.url})"
    return f"{link}: {page.description}" if page.description else link


def base_of(url: str | None) -> str:
    """What stands before each path: nothing, or an address that ends in a slash."""
    if url is None:
        return ""
    from cairn.lib.urls.url import UrlProblem, split_url

    try:
        parts = split_url(url)
    except UrlProblem as problem:
        raise UsageError(f"`{url}` cannot stand before the paths: {problem}") from None
    if parts.query is not None or parts.fragment is not None or parts.userinfo is not None:
        raise UsageError(f"`{url}` cannot stand before the paths; leave out what is behind ? or #, or before @.")
    return f"{parts}".rstrip("/") + "/"
