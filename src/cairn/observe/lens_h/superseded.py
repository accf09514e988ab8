"""Pages that something newer has replaced, and who has not noticed."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from cairn.kernel.places import is_history
from cairn.kernel.text.tense import about_the_past
from cairn.observe.lens_h.marks import Mark, Marked, Pages

_INDEX = re.compile(
    r"(?:^|/)(?:readme|index|_index|summary|toc|sidebar|_sidebar|graph|llms[\w-]*)\.\w+$", re.IGNORECASE
)
"""Pages that list others, whatever became of them."""


_TARGET = re.compile(r"\]\([^)]*\)")
"""Where a link leads says nothing about today: a page may be called `old.md`."""


class Missing(NamedTuple):
    """A page says that it replaces one that is not there."""

    path: str
    mark: Mark


class Unmarked(NamedTuple):
    """A page says that it replaces another, which does not say so."""

    path: str
    mark: Mark
    old: str


class Cited(NamedTuple):
    """A page points at one that is over as if it were not."""

    path: str
    line: int
    text: str
    old: str
    instead: str | None


def missing(pages: Pages) -> Iterator[Missing]:
    for path, page in pages.marked.items():
        for mark in page.supersedes:
            if not pages.is_known(mark.target, path) and "://" not in mark.target:
                yield Missing(path, mark)


def unmarked(pages: Pages) -> Iterator[Unmarked]:
    for path, page in pages.marked.items():
        for mark in page.supersedes:
            old = pages.meant(mark.target, path)
            if old is not None and old != path and not pages.marked[old].over and not page.over:
                yield Unmarked(path, mark, old)


def cited(pages: Pages) -> Iterator[Cited]:
    """The first place on each page that is meant for today."""
    for path, page in pages.marked.items():
        if page.over or is_history(path) or _INDEX.search(path):
            continue
        seen: set[str] = set()
        lines = pages.documents[path].text.split("\n")
        for line, around, old in pages.links(path):
            target = pages.marked[old]
            if target.over and old not in seen and not _knows(page, target, around, pages):
                seen.add(old)
                yield Cited(path, line, lines[line - 1].strip(), old, _successor(target, pages))


def _knows(page: Marked, old: Marked, text: str, pages: Pages) -> bool:
    """Whether the page says, or shows by replacing it, that the other is over."""
    replaced = {pages.meant(mark.target, page.path) for mark in page.supersedes}
    return old.path in replaced or _successor(old, pages) == page.path or about_the_past(_TARGET.sub("]", text))


def _successor(old: Marked, pages: Pages) -> str | None:
    found = (pages.meant(mark.target, old.path) for mark in old.superseded_by)
    return next((path for path in found if path is not None), None)
