"""The repository as analyzers of the `read` phase see it: documents, where links lead, code, and what was removed."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import islice
from posixpath import basename, join, splitext
from typing import NamedTuple, TypeVar
from unicodedata import normalize
from urllib.parse import unquote

from cairn.core.model.issue import Issue, Place, Severity, narrowed
from cairn.core.model.knowledge import Corpus
from cairn.core.ports.runtime import Files, WalkRequest
from cairn.core.ports.vcs import Commit, History
from cairn.core.repository.code import Code, announces_a_change, is_about_the_past, is_record, is_versioned
from cairn.core.repository.code_blocks import Imports
from cairn.core.repository.deletions import Deletions
from cairn.core.repository.tree import OnForge, RepositoryTree, file_on_forge, own_addresses
from cairn.core.scope import is_for_agents, is_read_on_forge
from cairn.lib.document.document import PageLink, PageOutline, format_of, outline
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


MOST_NAMES = 5_000
_ABOVE = 2
T = TypeVar("T")


class Repository:
    def __init__(
        self,
        files: Files,
        history: History,
        walk: WalkRequest,
        *,
        everything: bool = False,
        corpora: tuple[Corpus, ...] = (),
    ) -> None:
        self.history = history
        self.tree = RepositoryTree(files, walk, everything=everything, corpora=corpora)
        self.links = Links(self.tree)
        self.forms = LinkForms(self.tree, self.links)
        self.code = Code(self.tree)
        self.imports = Imports(self.tree, self.code)
        self._past_anchors: dict[tuple[str, int], frozenset[str]] = {}
        self.not_checked: list[str] = []
        """Checks that were not made, each with the reason."""
        self.past = Deletions(self.tree, self.code, history, self.not_checked)

    def pages(self, having: re.Pattern[str] | None = None) -> Iterator[PageOutline]:
        """Documents that describe the project as it is today; only those whose text matches, which saves parsing the
        others."""
        return self.tree.pages(having)

    def place(self, path: str, line: int) -> Place:
        return self.tree.place(path, line)

    def removed_anchor(self, path: str, anchor: str) -> tuple[Commit, int] | None:
        """The latest commit before which a heading of the page gave this anchor."""
        for number, (commit, at, text) in enumerate(self.past.versions(path)):
            known = (path, number) in self._past_anchors
            if (known or may_give(anchor, text)) and anchor.lower() in self._anchors_then(path, number, text):
                return commit, at
        return None

    def _anchors_then(self, path: str, number: int, text: str) -> frozenset[str]:
        """Of one version of a page. A page with many broken links asks for all versions many times."""
        if (path, number) not in self._past_anchors:
            self._past_anchors[path, number] = self.links.anchors_in(path, text)
        return self._past_anchors[path, number]

    def announces_a_change(self, page: PageOutline, line: int) -> bool:
        """Whether the words around a line, or above the block that it is in, say that something is gone."""
        around = list(page.prose_lines[max(0, line - 2) : line + 1])
        if not "".join(page.prose_lines[line - 1 : line]).strip():  # a fence that ends the page has no line after it
            above = (text for text in reversed(page.prose_lines[: line - 1]) if text.strip())
            around += [*islice(above, _ABOVE)][::-1]
        if announces_a_change(" ".join(around)) or is_about_the_past(page.headings_above(line)):
            return True
        return page.format == "rst" and is_versioned(self.tree.lines(page.path), line)

    def weighed(self, issue: Issue) -> Issue:
        """The issue at the places where nothing says that something is gone; a note if something does everywhere."""
        kept = narrowed(issue, lambda place: not self._is_announced(place))
        return kept or issue._replace(severity=Severity.INFO, detail="the text may be about something that is gone")

    def without_news(self, issue: Issue) -> Issue:
        """The issue at the places that are not entries of a list of news; a note if all are."""
        kept = narrowed(issue, lambda place: not is_record(place.text))
        return kept or issue._replace(severity=Severity.INFO, detail="the line tells what a release had")

    def _is_announced(self, place: Place) -> bool:
        if is_record(place.text):
            return True
        page = self.tree.page(place.path)
        return page is not None and self.announces_a_change(page, place.line)

    def is_for_agents(self, path: str) -> bool:
        """Whether agents act on the page; its examples are about other projects as often as about this one."""
        return is_for_agents(path)

    def is_read_on_forge(self, path: str) -> bool:
        """Whether people read the page on the forge, by whose rules its links are judged."""
        return is_read_on_forge(path)

    def is_documentation(self, path: str) -> bool:
        """Whether a file belongs to a manual: its examples are not the product."""
        site = self.links.site(path)
        return docs_folder(path) != "" or (site is not None and site.root not in ("", "."))

    @cached_property
    def _own_addresses(self) -> frozenset[str]:
        return own_addresses(self.tree, self.history.remote)

    def file_on_forge(self, target: str) -> OnForge | None:
        """The file of this workspace that an address on the forge leads to; None for every other address."""
        found = file_on_forge(target, self._own_addresses)
        if found is None or not found.path.startswith(self.history.prefix):
            return None
        return found._replace(path=found.path.removeprefix(self.history.prefix))

    def bounded(self, check: str, found: Mapping[str, T]) -> Mapping[str, T]:
        """At most `MOST_NAMES` of them, and a word about the others."""
        if len(found) <= MOST_NAMES:
            return found
        self.not_checked.append(f"{check}: {len(found) - MOST_NAMES:,} of {len(found):,} names")
        return dict(sorted(found.items())[:MOST_NAMES])
