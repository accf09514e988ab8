"""The documentation sites of a repository, and the results of following a link in one of them."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

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
