"""The web that a played world shows: the same answers as a server would give, and no connection."""

from collections.abc import Iterable, Iterator

from cairn.core.ports.fetch import Conditions, FetchFailed, Outcome
from cairn.freshness.replay.world import Page as Played
from cairn.freshness.replay.world import World
from cairn.lib.html.charset import FetchedPage


class PlayedWeb:
    """Pages have an etag unless they are unstable; one that is down answers 503."""

    def __init__(self, world: World) -> None:
        self._pages = {page.place: page for page in world.pages if page.on_the_web}
        self.day = 0
        self.looks = 0

    def fetch(self, url: str, conditions: Conditions | None = None, *, again: bool = False) -> Outcome:
        page = self._pages[url]
        self.looks += 1
        if page.down_until >= self.day:
            return FetchFailed(url, "status", "The server answers 503: it is busy.", retryable=True, status=503)
        etag = None if page.unstable else f'"{page.version}"'
        unchanged = etag is not None and conditions is not None and conditions.etag == etag
        return self._answer(url, page, etag, unchanged)

    def _answer(self, url: str, page: Played, etag: str | None, unchanged: bool) -> FetchedPage:
        body = b"" if unchanged else page.html(self.looks).encode()
        return FetchedPage(url, url, 304 if unchanged else 200, "text/html; charset=utf-8", body, etag, None, unchanged)

    def fetch_all(self, wanted: Iterable[tuple[str, Conditions]], *, again: bool = False) -> Iterator[Outcome]:
        return (self.fetch(url, conditions, again=again) for url, conditions in wanted)

    def probe(self, url: str) -> Outcome:
        return self.fetch(url)

    def probe_all(self, urls: Iterable[str]) -> Iterator[Outcome]:
        return (self.probe(url) for url in urls)
