"""Decides which documents a helper script concerns: one that belongs to a single folder proves nothing about others."""

import posixpath
import re
from collections.abc import Collection, Iterable
from functools import cached_property, lru_cache

from cairn.freshness.diff.definition import is_manifest
from cairn.freshness.diff.pages import Pages

_SKILL = "SKILL.md"
_GUIDES = ("README.md", "README.rst", "index.md")
_HELPERS = re.compile(r"(?:scripts?|tools?|helpers?|hooks?|snippets?)/")
_SHORTEST = 5
"""Characters of a file's name that no page has by chance."""


class Homes:
    """The folders that helper scripts belong to: that of a skill, or one with a guide and its own `scripts/`. What is a
    package, or lies at the root, belongs to the whole repository."""

    def __init__(self, paths: Collection[str], pages: Pages) -> None:
        self._paths = paths
        self._pages = pages
        self._home = lru_cache(None)(self._find)

    def concern(self, scripts: Iterable[str], document: str) -> bool:
        """Whether one of these files of code proves something about a document: it has no home, the document is at
        home there too, or names the file."""
        return any(
            (home := self._home(path)) is None or document.startswith(home) or self._names(document, path)
            for path in scripts
        )

    def _names(self, document: str, path: str) -> bool:
        stem = posixpath.basename(path).partition(".")[0]
        return len(stem) >= _SHORTEST and stem in self._pages.page(document).text

    def _find(self, path: str) -> str | None:
        """With a slash at its end."""
        folder = posixpath.dirname(path)
        while folder and folder not in self._packages:
            if f"{folder}/{_SKILL}" in self._all or (
                _HELPERS.match(path.removeprefix(f"{folder}/"))
                and any(f"{folder}/{name}" in self._all for name in _GUIDES)
            ):
                return f"{folder}/"
            folder = posixpath.dirname(folder)
        return None

    @cached_property
    def _all(self) -> frozenset[str]:
        return frozenset(self._paths)

    @cached_property
    def _packages(self) -> frozenset[str]:
        """Folders with a manifest."""
        return frozenset(posixpath.dirname(path) for path in self._all if is_manifest(path))
