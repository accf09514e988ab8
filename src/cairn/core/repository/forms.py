"""Tells whether a form of link works in a repository: whether links that are written like it lead to files.

A link that leads nowhere is a fault if others of its form work. If most of them fail, the form means something that
Cairn does not know: names of code, addresses of a site that is built elsewhere.
"""

from collections import defaultdict
from functools import cached_property
from posixpath import splitext
from typing import NamedTuple

from cairn.core.repository.links import Links, docs_folder
from cairn.core.repository.tree import Tree
from cairn.graph.resolve import is_external
from cairn.lib.site import Found, Missing

_SHARE = 0.1
_SHOWN = 5
"""Links that must work before a form counts that is not a plain path."""
_DOCUMENTS = (".md", ".mdx", ".markdown", ".rst")


class Form(NamedTuple):
    home: str
    """The folder of the site, or the outermost folder of the document."""
    rooted: bool
    suffix: str
    """`document`, `file` (a suffix that files of the repository have), `other`, or empty."""

    @property
    def plain(self) -> bool:
        return not self.rooted and self.suffix in ("document", "file")


class Forms:
    def __init__(self, tree: Tree, links: Links) -> None:
        self._tree = tree
        self._links = links

    def works(self, source: str, written: str) -> bool:
        """Plain paths always do. On the forge, so does every path from a document."""
        form = self._form(source, written)
        if form.plain or not form.home:
            return True
        found, missing = len(self._found[form]), len(self._missing[form])
        return found >= _SHOWN and missing <= (found + missing) * _SHARE

    def _form(self, source: str, written: str) -> Form:
        site = self._links.site(source)
        home = site.root or "." if site else docs_folder(source)
        suffix = splitext(written.rstrip("/"))[1].lower()
        known = (
            "document" if suffix in _DOCUMENTS else "file" if suffix in self._suffixes else "other" if suffix else ""
        )
        return Form(home, written.startswith("/"), known)

    @cached_property
    def _suffixes(self) -> frozenset[str]:
        return frozenset(splitext(path)[1].lower() for path in self._tree.paths)

    @property
    def _found(self) -> dict[Form, set[str]]:
        return self._counted[0]

    @property
    def _missing(self) -> dict[Form, set[str]]:
        return self._counted[1]

    @cached_property
    def _counted(self) -> tuple[dict[Form, set[str]], dict[Form, set[str]]]:
        """The distinct targets of each form that lead to a file, and those that don't."""
        found: dict[Form, set[str]] = defaultdict(set)
        missing: dict[Form, set[str]] = defaultdict(set)
        for page in self._tree.pages():
            for link in page.links:
                written = link.target.partition("#")[0].partition("?")[0]
                if not written or link.kind not in ("link", "image", "html") or is_external(written):
                    continue
                route = self._links.follow(page.path, written)
                kind = found if isinstance(route, Found) else missing if isinstance(route, Missing) else None
                if kind is not None:
                    kind[self._form(page.path, written)].add(written)
        return found, missing
