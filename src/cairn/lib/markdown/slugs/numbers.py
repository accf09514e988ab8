"""Numbers the duplicates among the anchors of a page, as each renderer does."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple


class Slug(NamedTuple):
    text: str
    fixed: bool
    """Set by the author. Such an id is never numbered."""


Numbering = Callable[[Sequence[Slug]], list[str]]


def slugger(slugs: Sequence[Slug]) -> list[str]:
    """github-slugger: counts per slug, skips taken numbers. Ids set by the author don't count."""
    seen: dict[str, int] = {}
    return [slug.text if slug.fixed else _counted(slug.text, seen) for slug in slugs]


def _counted(slug: str, seen: dict[str, int]) -> str:
    name = slug
    while name in seen:
        seen[slug] += 1
        name = f"{slug}-{seen[slug]}"
    seen[name] = 0
    return name


def first_free(slugs: Sequence[Slug]) -> list[str]:
    """The first of `x`, `x-1`, `x-2` … that no earlier heading has."""
    taken: set[str] = set()
    names: list[str] = []
    for slug in slugs:
        names.append(slug.text if slug.fixed else _free(slug.text, taken))
        taken.add(names[-1])
    return names


def _free(slug: str, taken: set[str]) -> str:
    name, number = slug, 0
    while name in taken:
        number += 1
        name = f"{slug}-{number}"
    return name


def first_free_if_any(slugs: Sequence[Slug]) -> list[str]:
    """Like `first_free`; an empty slug is no anchor and is never numbered."""
    numbered = iter(first_free([slug for slug in slugs if slug.text]))
    return [next(numbered) if slug.text else "" for slug in slugs]


def counted(slugs: Sequence[Slug]) -> list[str]:
    """The second `x` is `x-1`, even where that name is taken."""
    seen: Counter[str] = Counter()
    names: list[str] = []
    for slug in slugs:
        number = 0 if slug.fixed else seen[slug.text]
        names.append(f"{slug.text}-{number}" if number else slug.text)
        seen[slug.text] += not slug.fixed
    return names


def underscored(slugs: Sequence[Slug]) -> list[str]:
    """Python-Markdown: `x_1`; an `x_1` that is taken becomes `x_2`; an empty slug becomes `_1`."""
    taken = {slug.text for slug in slugs if slug.fixed}
    return [slug.text if slug.fixed else _underscored(slug.text, taken) for slug in slugs]


def _underscored(slug: str, taken: set[str]) -> str:
    name = slug
    while name in taken or not name:
        found = re.fullmatch("(.*)_([0-9]+)", name, re.DOTALL)
        name = f"{found[1]}_{int(found[2]) + 1}" if found else f"{name}_1"
    taken.add(name)
    return name


def docutils(slugs: Sequence[Slug]) -> list[str]:
    """Sphinx: a duplicate or empty id is `id1`, `id2` … over the whole page."""
    taken: set[str] = set()
    names: list[str] = []
    number = 0
    for slug in slugs:
        name = slug.text
        while not name or (name in taken and not slug.fixed):
            number += 1
            name = f"id{number}"
        names.append(name)
        taken.add(name)
    return names
