"""A stamp: somebody read a page and what it relies on, and found that it is still right.

Today becomes the day of the last review, and the hash of each source in the repository is taken anew. Sources on the
web are left alone: what was seen there is for an audit to say, which keeps what it saw.
"""

import dataclasses
from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

from cairn.core.model.knowledge import Layout, Source
from cairn.errors import CannotEdit, NotFound, Refused
from cairn.freshness.path_sources import Declared, PlaceNow, declared_by_lock, declared_in
from cairn.knowledge.edit import set_values
from cairn.knowledge.fields import reviewed_key
from cairn.knowledge.lockfile import PageRecord, parse_lock, render_lock
from cairn.knowledge.values import take_source, take_sources
from cairn.lib.markdown.frontmatter import parse


class Stamped(NamedTuple):
    document: str
    sources: tuple[Source, ...]
    """As they are now recorded."""
    left: tuple[str, ...]
    """References of sources that a stamp says nothing about."""
    file: str
    """What was edited: the page itself, or the lock file beside it."""
    before: str
    after: str

    @property
    def changed(self) -> bool:
        return self.before != self.after


class LockedPage(NamedTuple):
    """A page of a corpus whose pages stay untouched."""

    document: str
    inside: str
    """Its path below the root of the corpus."""
    lock_file: str
    frontmatter: Mapping[str, Any]


Look = Callable[[Collection[Source]], Mapping[Source, PlaceNow]]
"""What sources point at now."""


def stamp_page(
    document: str, text: str, *, look: Look, today: str, only: Collection[str] = (), layout: Layout = "entries"
) -> Stamped:
    """The page with today's stamp in its frontmatter; with `only`, on these sources and no others."""
    parsed = parse(text)
    if parsed.raw is None and not parsed.problems:
        raise Refused(
            f"{document} has no frontmatter to put a stamp into; `cairn freshness validate` says what it needs."
        )
    frontmatter = parsed.frontmatter
    declared = list(declared_in(document, frontmatter))
    wanted = chosen(document, declared, only)
    fresh = {one: _fresh(one, place, today) for one, place in _places(wanted, look).items()}
    changes: dict[tuple[str | int, ...], Any] = {(reviewed_key(frontmatter, layout),): today}
    for one, source in fresh.items():
        changes[("sources", one.at, "hash")] = source.hash
        changes[("sources", one.at, "retrieved")] = today
    after = _edited(document, text, changes)
    return Stamped(document, tuple(fresh.values()), _left(frontmatter), document, text, after)


def _edited(document: str, text: str, changes: Mapping[tuple[str | int, ...], Any]) -> str:
    try:
        return set_values(text, changes)
    except CannotEdit as error:
        raise CannotEdit(f"{document}: {error.message}", **error.details) from None


def stamp_in_lock(page: LockedPage, text: str, *, look: Look, today: str, only: Collection[str] = ()) -> Stamped:
    """The lock file with today's stamp for a page. A source that is named and that nobody knew is added: a page that
    is not ours can't declare it."""
    lock = parse_lock(text, page.lock_file)
    record = lock.pages.get(page.inside, PageRecord())
    declared = declared_by_lock(page.document, page.frontmatter, record)
    added = [Declared(page.document, source, len(declared)) for name in only if (source := _unknown(name, declared))]
    wanted = chosen(page.document, [*declared, *added], only)
    fresh = tuple(_fresh(one, place, today) for one, place in _places(wanted, look).items())
    kept = {source.reference: source for source in (*record.sources, *fresh)}
    known = dataclasses.replace(record, last_reviewed=today, sources=tuple(kept.values()))
    after = render_lock(lock.with_page(page.inside, known))
    left = tuple(source.reference for source in record.sources if source.kind == "url")
    return Stamped(page.document, fresh, left, page.lock_file, text, after)


def _unknown(name: str, declared: Collection[Declared]) -> Source | None:
    if any(name in (one.source.reference, one.source.target) for one in declared):
        return None
    return take_source({"path": name})


def chosen(document: str, declared: Collection[Declared], only: Collection[str]) -> list[Declared]:
    """The sources that somebody means, by their reference or by their path alone."""
    for name in only:
        if not any(name in (one.source.reference, one.source.target) for one in declared):
            known = ", ".join(one.source.reference for one in declared) or "none"
            raise NotFound(f"{document} has no source `{name}` in the repository; it has: {known}.")
    return [one for one in declared if not only or {one.source.reference, one.source.target} & set(only)]


def _places(wanted: Collection[Declared], look: Look) -> dict[Declared, PlaceNow]:
    places = look({one.source for one in wanted})
    return {one: places[one.source] for one in wanted}


def _fresh(declared: Declared, now: PlaceNow, today: str) -> Source:
    source = declared.source
    if now.unread:
        raise Refused(f"{declared.document} cannot be stamped, since {source.target} can't be read. {now.unread}")
    if now.place is None:
        what = f"`{source.anchor}` is not in {source.target}" if now.outline else f"there is no file {source.target}"
        raise Refused(f"{declared.document} cannot be stamped: {what}; name what it relies on now, then stamp it.")
    return source._replace(hash=now.place.digest, retrieved=today)


def _left(frontmatter: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(source.reference for source in take_sources(frontmatter.get("sources")) if source.kind == "url")
