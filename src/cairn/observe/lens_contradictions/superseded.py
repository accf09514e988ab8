"""Finds broken and one-sided supersedes-marks, and links to pages that name their successor."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from cairn.observe.lens_contradictions.marks import Mark, Marked, Pages, is_decision, is_history
from cairn.observe.lens_contradictions.references import numbered_here

_ID = re.compile(r"([A-Z]{2,10})-\d{1,5}")
_INDEX = re.compile(
    r"(?:^|/)(?:readme|index|_index|summary|toc|sidebar|_sidebar|graph|llms[\w-]*)\.\w+$", re.IGNORECASE
)
"""Pages that list all others."""


class Missing(NamedTuple):
    """A page is marked to supersede one that does not exist."""

    path: str
    mark: Mark


class Unmarked(NamedTuple):
    """A page is marked to supersede another, which has no mark and no link to it."""

    path: str
    mark: Mark
    old: str


class Cited(NamedTuple):
    """A page links to one that names its successor, and not to the successor."""

    path: str
    line: int
    text: str
    old: str
    instead: str


def missing(pages: Pages) -> Iterator[Missing]:
    """By path or name; by an id only where these documents give out its numbers."""
    for path, page in pages.marked.items():
        if is_history(path):
            continue
        for mark in page.supersedes:
            if not pages.is_known(mark.target, path) and "://" not in mark.target and _belongs_here(mark, pages):
                yield Missing(path, mark)


def _belongs_here(mark: Mark, pages: Pages) -> bool:
    found = _ID.fullmatch(mark.target)
    return found is None or found[1] in numbered_here(pages)


def unmarked(pages: Pages) -> Iterator[Unmarked]:
    for path, page in pages.marked.items():
        for mark in page.supersedes:
            old = pages.meant(mark.target, path)
            if old is None or old == path or page.over or pages.marked[old].over or is_history(old):
                continue
            if path not in {target for _, target in pages.links(old)}:
                yield Unmarked(path, mark, old)


def cited(pages: Pages) -> Iterator[Cited]:
    """The first link on each page to each superseded one. Indexes, decisions, history and superseded pages may have
    one."""
    for path, page in pages.marked.items():
        if page.over or is_history(path) or is_decision(path) or _INDEX.search(path):
            continue
        links = list(pages.links(path))
        linked = {target for _, target in links}
        lines = pages.documents[path].text.split("\n")
        for old, line in {target: line for line, target in reversed(links)}.items():
            instead = _successor(pages.marked[old], pages)
            if instead and instead != path and instead not in linked:
                yield Cited(path, line, lines[line - 1].strip(), old, instead)


def _successor(old: Marked, pages: Pages) -> str | None:
    found = (pages.meant(mark.target, old.path) for mark in old.superseded_by)
    return next((path for path in found if path is not None), None)
