"""Documentation sites, and the file to which a link of a document leads on its site or its forge."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from posixpath import basename, dirname, join, normpath
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import unquote

from cairn.lib.markdown.frontmatter import parse
from cairn.lib.markdown.slugs import Renderer

Read = Callable[[str], str | None]
"""The text of a file, or None if there is none."""
Exists = Callable[[str], bool]
"""Whether a file or folder exists. Paths are relative to the repository; the repository itself is the empty path."""
Routes = Mapping[str, str]
"""From the route that a page sets in its frontmatter to the path of its file."""
NO_ROUTES: Routes = MappingProxyType({})


class DocsSite(NamedTuple):
    kind: str
    """`mkdocs`, `sphinx`, `docusaurus` …"""
    root: str
    """The folder of the documents."""
    renderer: Renderer
    static: tuple[str, ...] = ()
    """Folders whose files are served from the root of the site."""
    certain: bool = True
    """Whether every page of the site is known."""
    reason: str = ""
    """Why the pages are not certain."""
    adds_files: bool = False
    """Whether a program adds documents that the repository does not have."""
    home: str = ""
    """The folder of the configuration file."""
    base: str = ""
    """The path at which the site is served, without slashes around it."""
    prefix: str = ""
    """The route of the document folder within the site."""
    page_is_folder: bool = False
    """`guide.md` is served as `guide/`, so that relative addresses start there."""
    generates: tuple[str, ...] = ()
    """Plugins that add headings to pages."""


class FoundTarget(NamedTuple):
    path: str


class MissingTarget(NamedTuple):
    tried: tuple[str, ...]


class UnknownTarget(NamedTuple):
    reason: str


Route = FoundTarget | MissingTarget | UnknownTarget

_PAGES = (".md", ".mdx", ".rst", ".markdown", ".ipynb", ".html", ".adoc")
_INDEXES = ("index", "README", "_index", "readme")


def resolve(
    site: DocsSite | None,
    source: str,
    target: str,
    exists: Exists,
    routes: Routes = NO_ROUTES,
    ignored: Exists = frozenset[str]().__contains__,
) -> Route:
    """The file to which a link leads. The target has no fragment. Without a site, the forge shows the document.

    `ignored` tells whether git ignores a path: such files may be generated, so that a link to them is unknown.
    """
    route = _resolved(site, source, unquote(target.partition("?")[0]), exists, routes)
    if isinstance(route, MissingTarget) and (hidden := next(filter(ignored, route.tried), None)):
        return UnknownTarget(f"git ignores `{hidden}`")
    return route


def _resolved(site: DocsSite | None, source: str, path: str, exists: Exists, routes: Routes) -> Route:
    if _NOT_A_PATH.search(path):
        return UnknownTarget("the target is not a path")
    if site is None:
        return _on_forge(source, path, exists)
    if page := routes.get(_route(site, source, path)):
        return FoundTarget(page)
    tried = tuple(dict.fromkeys(_candidates(site, source, path)))
    for candidate in tried:
        if "." in basename(candidate) and exists(candidate):
            return FoundTarget(candidate)
    return _not_a_file(site, source, path, tried, exists)


_NOT_A_PATH = re.compile(
    r"::|^(?:crate|self|super)$|[`\[\]{}<>|*]|^\w+@|^[a-z]+:|https?:/|^[A-Z0-9]+(?:_[A-Z0-9]+)+$|^\w*(?:url|URL|link|LINK)$"
)
"""References that documentation tools of a language resolve, placeholders and templates."""
_FILE = re.compile(r"\.(?!html?$)\w+$")


def _on_forge(source: str, path: str, exists: Exists) -> Route:
    """A rooted path starts at the repository."""
    whole = _normal(path if path.startswith("/") else join(dirname(source), path))
    if whole is None:
        return UnknownTarget("the link leaves the repository")
    if not whole or exists(whole):
        return FoundTarget(whole)
    if exists(_in_english(whole)):
        return UnknownTarget(f"`{_in_english(whole)}` exists")
    if path.startswith("/") and not exists(whole.partition("/")[0]):
        return UnknownTarget(f"`/{whole.partition('/')[0]}` is not in this repository")
    return (
        UnknownTarget("a tool generates HTML pages") if whole.endswith((".html", ".htm")) else MissingTarget((whole,))
    )


def _in_english(path: str) -> str:
    """The original of a translated page: `docs/ko/a.md` becomes `docs/en/a.md`."""
    return re.sub(r"(^|/)[a-z]{2}(?:[-_][A-Za-z]{2,4})?/", r"\1en/", path, count=1)


def _not_a_file(site: DocsSite, source: str, path: str, tried: tuple[str, ...], exists: Exists) -> Route:
    if not tried:
        return UnknownTarget("the link leaves the repository")
    for candidate in tried:
        if "." not in basename(candidate) and exists(candidate):
            return FoundTarget(candidate) if not path.startswith("/") else UnknownTarget(f"`{candidate}` is a folder")
    if site.kind == "mkdocs" and exists(_in_english(tried[0])):
        return UnknownTarget(f"`{_in_english(tried[0])}` exists")
    reason = _doubt(site, source, path)
    return UnknownTarget(reason) if reason else MissingTarget(tried)


def _doubt(site: DocsSite, source: str, path: str) -> str:
    """Why an address without a file may still lead to a page."""
    if path.startswith("/"):
        return site.reason if not site.certain else _doubt_about_rooted(site, path)
    if _FILE.search(path):
        return site.reason if site.adds_files or site.kind in _BY_NAME else ""
    if not site.certain:
        return site.reason
    if site.kind == "sphinx":
        return "the target may be a label"
    inside = not site.root or _starts(_normal(join(dirname(source), path)) or "", site.root)
    return "" if inside else f"the link leaves `{site.root}`"


_BY_NAME = ("writerside", "antora", "hugo", "exdoc")
"""Generators that find a file by its name, wherever it is."""


def _doubt_about_rooted(site: DocsSite, path: str) -> str:
    """Why a rooted address may belong to another site of the same host."""
    route = path.strip("/")
    if site.kind in ("mdbook", "mkdocs") and not path.endswith((".md", ".rst")):
        return f"{site.kind} does not rewrite addresses from the root"
    if site.kind == "docusaurus" and re.match(r"next/|v?\d+\.", _strip(route, site.prefix)):
        return "the address names a version"
    if site.prefix and not _starts(_strip(route, site.base), site.prefix):
        return f"the documents are served at `/{site.prefix}/`"
    return ""


# --- candidates -----------------------------------------------------------------------------------------------------


def _candidates(site: DocsSite, source: str, path: str) -> Iterator[str]:
    if path.startswith("@site/"):
        starts = iter((join(site.home, path.removeprefix("@site/")),))
    else:
        starts = _rooted(site, source, path) if path.startswith("/") else _relative(site, source, path)
    for start in starts:
        whole = _normal(start)
        if whole is not None:
            yield from _files(whole)


def _rooted(site: DocsSite, source: str, path: str) -> Iterator[str]:
    """A rooted address starts at the documents, at a static folder, at the configuration or at the repository."""
    route = _strip(path.strip("/"), site.base)
    inside = _strip(route, site.prefix)
    yield join(site.root, inside)
    yield join(site.root, _strip(source, site.root).partition("/")[0], inside)
    for folder in site.static:
        yield join(folder, route)
        yield join(folder, inside)
    yield join(site.root, route)
    yield join(site.home, route)
    yield route


def _relative(site: DocsSite, source: str, path: str) -> Iterator[str]:
    """Relative to the file. An address of a page may be relative to the address of this page."""
    yield join(dirname(source), path)
    if not _is_document(path):
        stem = re.sub(r"\.\w+$", "", source)
        yield join(stem, path) if basename(stem) not in _INDEXES else join(dirname(dirname(source)), path)
    if site.kind == "docusaurus" and not path.startswith("."):
        yield join(site.root, path)
        yield join(site.root, _strip(source, site.root).partition("/")[0], path)
        yield join(site.home, path)
    if site.kind == "writerside":
        yield from (join(folder, path) for folder in site.static)


def _is_document(path: str) -> bool:
    return path.endswith((".md", ".mdx", ".markdown", ".rst"))


def _files(path: str) -> Iterator[str]:
    """A document as it is; for an address, `x`, `x.md`, `x/index.md` and the like."""
    yield path
    if _is_document(path):
        yield re.sub(r"\.mdx?$", lambda found: ".md" if found[0] == ".mdx" else ".mdx", path)
        return
    if _ASSET.search(path):
        return
    stem = re.sub(r"(?:(?:^|/)index)?\.html?$", "", path)
    yield from (f"{stem}{ending}" for ending in _PAGES if stem)
    yield from (join(stem, f"{name}{ending}") for name in _INDEXES for ending in _PAGES)


_ASSET = re.compile(r"\.(?:png|jpe?g|gif|svg|webp|ico|pdf|zip|mp4|txt|json|ya?ml|toml|py|[jt]sx?|css|rs|go)$", re.I)


def _normal(path: str) -> str | None:
    """None outside the repository."""
    normal = normpath(path.lstrip("/")) if path.strip("/") else "."
    if normal.startswith(".."):
        return None
    return "" if normal == "." else normal


def _starts(route: str, prefix: str) -> bool:
    return route == prefix or route.startswith(f"{prefix}/")


def _strip(route: str, prefix: str) -> str:
    return route[len(prefix) :].lstrip("/") if prefix and _starts(route, prefix) else route


# --- routes that pages set themselves -------------------------------------------------------------------------------


def routes(site: DocsSite, paths: Iterable[str], read: Read) -> Routes:
    """Routes that the frontmatter of pages sets, without the path of the site. Reads every page of the site."""
    inside = f"{site.root}/" if site.root else ""
    pages = [path for path in paths if path.startswith(inside) and path.endswith((".md", ".mdx", ".html"))]
    own = {route: path for path in pages for route in _own_routes(site, path, read(path) or "")}
    return {**own, **_redirects(site, read)} if site.kind == "mintlify" else own


def _redirects(site: DocsSite, read: Read) -> dict[str, str]:
    """Addresses that the configuration of Mintlify sends elsewhere, which lead to the configuration itself."""
    found: dict[str, str] = {}
    for path in (join(site.home, "docs.json"), join(site.home, "mint.json")):
        sources: list[str] = re.findall(r'"source":\s*"/?([^"]*?)/?"', read(path) or "")
        found.update(dict.fromkeys(sources, path))
    return found


def _own_routes(site: DocsSite, path: str, text: str) -> Iterator[str]:
    settings = parse(text).frontmatter if text.startswith("---") else {}
    folder = _strip(dirname(path), site.root)
    for key in _ROUTE_KEYS.get(site.kind, ()):
        if isinstance(value := settings.get(key), str):
            yield _own_route(folder, value)
    if site.kind == "docusaurus":
        yield _unnumbered(_strip(re.sub(r"\.mdx?$", "", path), site.root))
    aliases = settings.get("aliases") if site.kind == "hugo" else settings.get("redirect_from")
    if isinstance(aliases, list):
        yield from (_own_route(folder, alias) for alias in aliases if isinstance(alias, str))


_ROUTE_KEYS = {
    "docusaurus": ("slug", "id"),
    "hugo": ("url", "slug"),
    "jekyll": ("permalink", "redirect_from"),
    "astro": ("slug",),
}


def _own_route(folder: str, value: str) -> str:
    return (value if value.startswith("/") else join(_unnumbered(folder), value)).strip("/").removesuffix(".html")


def _unnumbered(path: str) -> str:
    """Docusaurus drops `01-` in front of names."""
    return re.sub(r"(^|/)\d+\s*[-_.]+\s*(?=[^\d\s/-])", r"\1", path)


def _route(site: DocsSite, source: str, path: str) -> str:
    """The key of an address in the table of routes."""
    if path.startswith("/"):
        return _strip(_strip(path.strip("/"), site.base), site.prefix).removesuffix(".html")
    return _unnumbered(_strip(normpath(join(dirname(source), path)), site.root))
