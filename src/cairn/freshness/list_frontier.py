"""Newer editions in the pages that were kept, for every entry; nothing is fetched."""

from functools import cached_property
from typing import TYPE_CHECKING

from cairn.core.model.knowledge import Entry, Source
from cairn.core.ports.runtime import utc_day
from cairn.freshness.ports import FreshnessPorts
from cairn.freshness.sources import Memory, Place, place_of

if TYPE_CHECKING:
    from cairn.freshness.frontier import Ahead, Kept


class Frontier:
    """Each kept page is read at most once."""

    def __init__(self, ports: FreshnessPorts) -> None:
        self._ports = ports
        self._pages: dict[Place, Kept | None] = {}

    @cached_property
    def _memory(self) -> Memory:
        return Memory(self._ports.store.web, self._ports.blobs)

    def ahead(self, entry: Entry) -> "Ahead | None":
        from cairn.freshness.frontier import ahead_of

        return ahead_of(entry, self.page)

    def said(self, entry: Entry) -> str:
        """As a reason to look at an entry; empty when there is none."""
        found = self.ahead(entry)
        return "" if found is None else found.said

    @property
    def pages_read(self) -> int:
        return sum(kept is not None for kept in self._pages.values())

    def page(self, source: Source) -> "Kept | None":
        place = place_of(source)
        if place not in self._pages:
            self._pages[place] = self._read(source)
        return self._pages[place]

    def _read(self, source: Source) -> "Kept | None":
        from cairn.freshness.frontier import Kept
        from cairn.lib.html.shown import show

        kept = self._memory.page(source)
        shown = show(kept[0]) if kept else None
        if kept is None or shown is None:
            return None
        return Kept(shown, utc_day(kept[1]))
