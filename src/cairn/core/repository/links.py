"""Where the links of documents lead, which anchors pages have, and which forms of link work in a repository."""

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from posixpath import basename, join, splitext
from typing import NamedTuple
from unicodedata import normalize
from urllib.parse import unquote

from cairn.core.repository.tree import RepositoryTree
from cairn.core.scope import is_read_on_forge
from cairn.lib.document.outline import PageLink, PageOutline, format_of, outline
from cairn.lib.markdown.headings import component_values, generating_lines, has_components, may_have_more, page_anchors
from cairn.lib.markdown.slugs import Renderer
from cairn.lib.site import (
    NO_ROUTES,
    DocsSite,
    FoundTarget,
    MissingTarget,
    Route,
    Routes,
    forge_of,
    renderers_of,
    resolve,
    routes,
    site_of,
    sites,
)
from cairn.lib.urls.url import is_external

_COUNTED = re.compile(r"[-_]\d+$")
_PIECE = re.compile(r"[a-z0-9]+")
_OTHER = re.compile(rb"[^a-z0-9\n]+")


def may_give(anchor: str, text: str) -> bool:
    """A heading is one line, and every generator keeps its letters and digits in their order and drops or replaces the
    rest. A number at the end of the anchor may be counted."""
    pieces = _PIECE.findall(_COUNTED.sub("", anchor.lower()))
    squeezed = _OTHER.sub(b"", normalize("NFKD", text.lower()).encode("ascii", "ignore"))
    return any(_has_in_order(line, [piece.encode() for piece in pieces]) for line in squeezed.split(b"\n"))


def _has_in_order(line: bytes, pieces: list[bytes]) -> bool:
    at = 0
    for piece in pieces:
        if (found := line.find(piece, at)) < 0:
            return False
        at = found + len(piece)
    return True


_LABEL = re.compile(r"^\(([^()\n]+)\)=", re.MULTILINE)
_WORD = re.compile(r"[\w-]+")
_ELSEWHERE = "intersphinx_disabled_reftypes"
_SIGNS = re.compile(r"[\W_]+")


class Links:
    def __init__(self, tree: RepositoryTree) -> None:
        self._tree = tree
        self._anchors: dict[str, frozenset[str] | None] = {}
        self._site_routes: dict[DocsSite, Routes] = {}

    @cached_property
    def _sites(self) -> tuple[DocsSite, ...]:
        return sites(self._tree.paths, self._tree.text)

    @cached_property
    def _forge(self) -> Renderer:
        return forge_of(self._tree.paths)

    @cached_property
    def labels(self) -> frozenset[str]:
        """Labels that Markdown pages define for Sphinx: `(label)=`."""
        pages = (self._tree.text(path) or "" for path in self._tree.documents if format_of(path) == "markdown")
        return frozenset(" ".join(name.lower().split()) for text in pages for name in _LABEL.findall(text))

    def site(self, path: str) -> DocsSite | None:
        """The documentation site that a document belongs to."""
        return site_of(path, self._sites)

    def follow(self, source: str, written: str) -> Route:
        """Where a link leads, by the configuration of the document's site, else as the forge resolves it."""
        site = self.site(source)
        if site and site.kind == "exdoc" and (same := self._tree.by_name.get(basename(written))):
            return FoundTarget(same[0])
        route = resolve(site, source, written, self._tree.exists, self._routes(site))
        if isinstance(route, MissingTarget) and site and site.kind == "mdbook" and basename(written) == "index.md":
            # mdBook renders a README as the index of its folder.
            readme = f"{written.removesuffix('index.md')}README.md"
            route = resolve(site, source, readme, self._tree.exists, self._routes(site))
        return route

    def _routes(self, site: DocsSite | None) -> Routes:
        if site is None:
            return NO_ROUTES
        if site not in self._site_routes:
            self._site_routes[site] = routes(site, self._tree.documents, self._tree.text)
        return self._site_routes[site]

    # --- anchors ----------------------------------------------------------------------------------------------------

    def anchored(self, page: PageOutline, link: PageLink) -> tuple[str, str] | None:
        """(page, anchor) that a link names, if the page is a document of this repository."""
        written, sign, anchor = link.target.partition("#")
        if not sign or not anchor or link.image or link.kind not in ("link", "html") or ":" in written:
            return None
        if not written:
            return page.path, unquote(anchor)
        if written.partition("?")[0] == "/":
            return None  # the front page of a site is seldom a document
        route = self.follow(page.path, written)
        return (route.path, unquote(anchor)) if isinstance(route, FoundTarget) else None

    def anchors(self, path: str) -> frozenset[str] | None:
        """Every name under which the page can be linked, as far as the text tells; None for other formats."""
        if path not in self._anchors:
            text = self._tree.text(path) if format_of(path) in ("markdown", "mdx", "rst") else None
            self._anchors[path] = None if text is None else self.anchors_in(path, text)
        return self._anchors[path]

    def anchors_in(self, path: str, text: str) -> frozenset[str]:
        """The anchors that the page would have with this text."""
        page = outline(path, text)
        if page.format == "rst":
            return frozenset(name.lower() for name in page.ids)
        return page_anchors(page, text, renderers_of(path, self.site(path), self._forge))

    def may_have_more_anchors(self, path: str) -> bool:
        """Whether a program adds headings to the page that the text does not have."""
        site, text = self.site(path), self._tree.text(path) or ""
        components = format_of(path) == "mdx" and has_components(text)
        return bool(site and site.generates) or components or may_have_more(text)

    def has_other_projects(self, path: str) -> bool:
        """Whether the Sphinx project of a document finds pages of other projects as well. Since Sphinx 5 it does not,
        unless it is told to."""
        site = self.site(path)
        return site is not None and site.kind == "sphinx" and _ELSEWHERE in (self._conf(site) or "")

    def _conf(self, site: DocsSite) -> str | None:
        return self._tree.text(join(site.home or site.root, "conf.py"))

    def rendered_elsewhere(self, path: str) -> bool:
        """Whether a document may be the source of a site whose program is not in the repository."""
        return self.site(path) is None and not is_read_on_forge(path)

    def generated_words(self, path: str) -> frozenset[str]:
        """The words of lines that tell a program what to add to the page, and the values of its components, without
        signs."""
        text = self._tree.text(path) or ""
        words = {word.lower() for line in generating_lines(text) for word in _WORD.findall(line)}
        values = component_values(text) if format_of(path) == "mdx" else []
        return frozenset(words | {_SIGNS.sub("", value.lower()) for value in values})

    def includes(self, path: str, other: str) -> bool:
        """Whether a page tells a program to include another."""
        return any(basename(other) in line for line in generating_lines(self._tree.text(path) or ""))

    def pages_with_anchor(self, anchor: str, *, besides: str) -> list[str]:
        able = (path for path in self._others(besides) if may_give(anchor, self._tree.text(path) or ""))
        return [path for path in able if anchor.lower() in (self.anchors(path) or ())]

    def _others(self, path: str) -> Iterator[str]:
        return (page.path for page in self._tree.pages() if page.path != path)


def docs_folder(path: str) -> str:
    """The outermost folder of documentation that may be the source of a site elsewhere; empty for other documents."""
    first = path.partition("/")[0] if "/" in path else ""
    return first if "doc" in first.lower() or first.lower() in _OTHER_DOCS else ""


_OTHER_DOCS = frozenset(
    ("content", "website", "site", "pages", "book", "guide", "guides", "manual", "handbook", "wiki", "tutorials")
)

_SHARE = 0.1
_SHOWN = 5
"""Links that must work before a form counts that is not a plain path."""
_DOCUMENTS = (".md", ".mdx", ".markdown", ".rst")


class LinkForm(NamedTuple):
    home: str
    """The folder of the site, or the outermost folder of the document."""
    rooted: bool
    suffix: str
    """`document`, `file` (a suffix that files of the repository have), `other`, or empty."""

    @property
    def plain(self) -> bool:
        return not self.rooted and self.suffix in ("document", "file")


class LinkForms:
    def __init__(self, tree: RepositoryTree, links: Links) -> None:
        self._tree = tree
        self._links = links

    def works(self, source: str, written: str) -> bool:
        """Plain paths always do. On the forge, so does every path from a document."""
        form = self._form(source, written)
        if form.plain or not form.home:
            return True
        found, missing = len(self._found[form]), len(self._missing[form])
        return found >= _SHOWN and missing <= (found + missing) * _SHARE

    def _form(self, source: str, written: str) -> LinkForm:
        site = self._links.site(source)
        home = site.root or "." if site else docs_folder(source)
        suffix = splitext(written.rstrip("/"))[1].lower()
        known = (
            "document" if suffix in _DOCUMENTS else "file" if suffix in self._suffixes else "other" if suffix else ""
        )
        return LinkForm(home, written.startswith("/"), known)

    @cached_property
    def _suffixes(self) -> frozenset[str]:
        return frozenset(splitext(path)[1].lower() for path in self._tree.paths)

    @property
    def _found(self) -> dict[LinkForm, set[str]]:
        return self._counted[0]

    @property
    def _missing(self) -> dict[LinkForm, set[str]]:
        return self._counted[1]

    @cached_property
    def _counted(self) -> tuple[dict[LinkForm, set[str]], dict[LinkForm, set[str]]]:
        """The distinct targets of each form that lead to a file, and those that don't."""
        found: dict[LinkForm, set[str]] = defaultdict(set)
        missing: dict[LinkForm, set[str]] = defaultdict(set)
        for page in self._tree.pages():
            for link in page.links:
                written = link.target.partition("#")[0].partition("?")[0]
                if not written or link.kind not in ("link", "image", "html") or is_external(written):
                    continue
                route = self._links.follow(page.path, written)
                kind = (
                    found if isinstance(route, FoundTarget) else missing if isinstance(route, MissingTarget) else None
                )
                if kind is not None:
                    kind[self._form(page.path, written)].add(written)
        return found, missing
