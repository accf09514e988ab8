"""A page, wherever redirects lead: by header or by a stub, a few at most, each judged like the first."""

from collections.abc import Callable
from typing import NamedTuple

from cairn.adapters.fetch.backend import Deadline
from cairn.adapters.fetch.failures import EXPECTED, bad_status, failure
from cairn.adapters.fetch.hop import Ask, HopResponse, Road, ask
from cairn.core.ports.sources import Conditions, FetchFailed, Outcome
from cairn.lib.html.charset import FetchedPage
from cairn.lib.html.wall import Leads, Stub, find_stub
from cairn.lib.urls.url import Url, UrlProblem, join_url, refuse_parts, split_url

_REDIRECTS = frozenset({301, 302, 303, 307, 308})

Visit = Callable[[str], None]
"""Told which host is asked next; may wait until it is polite to ask."""


class Halt(Exception):
    """The walk is over, with this failure."""

    def __init__(self, failed: FetchFailed) -> None:
        super().__init__(failed.reason)
        self.failed = failed


class Reply(NamedTuple):
    """What a walk ended with, and how long the server asks us to wait."""

    outcome: Outcome
    wait: str = ""
    """`Retry-After`."""


class Walk:
    """One attempt to get one URL."""

    def __init__(self, url: str, road: Road, visit: Visit) -> None:
        self._url = url
        self._road = road
        self._visit = visit
        self._total = Deadline(road.limits.total_seconds)
        self._seen: set[str] = set()
        self._wait = ""

    def fetch(self, conditions: Conditions | None) -> Reply:
        return self._ending(lambda: self._fetch(Ask("GET", conditions)))

    def probe(self) -> Reply:
        return self._ending(self._probe)

    def _ending(self, work: Callable[[], FetchedPage]) -> Reply:
        try:
            return Reply(work())
        except Halt as end:
            return Reply(end.failed, self._wait)

    # --- steps -----------------------------------------------------------------------------------------------------

    def _fetch(self, wanted: Ask) -> FetchedPage:
        here = self._first()
        while True:
            here, answer = self._settled(here, wanted)
            if answer.status != 304:
                self._must_be_fine(answer)
            page = self._page(here, answer)
            found = find_stub(page.body, page.content_type, here) if answer.status != 304 else None
            if found is None:
                return page
            here = self._led(here, found)

    def _led(self, here: Url, found: Stub) -> Url:
        if isinstance(found, Leads):
            return self._next(here, found.url)
        raise Halt(FetchFailed(self._url, "unusable", found.reason))

    def _probe(self) -> FetchedPage:
        here, seconds = self._first(), self._road.limits.probe_seconds
        here, answer = self._settled(here, Ask("HEAD"), seconds, tolerant=True)
        if 400 <= answer.status < 500 or answer.status == 501:
            here, answer = self._settled(here, Ask("GET", first_byte_only=True), seconds)
        if answer.status != 416:  # an empty page has no first byte, but it is there
            self._must_be_fine(answer)
        return self._page(here, answer)

    def _settled(
        self, here: Url, wanted: Ask, seconds: float | None = None, *, tolerant: bool = False
    ) -> tuple[Url, HopResponse]:
        """The first answer that is no redirect. With `tolerant` a server that cannot cope is as good as one that says
        so (501); being late is not forgiven."""
        while True:
            answer = self._asked(here, wanted, seconds, tolerant=tolerant)
            if answer.status not in _REDIRECTS:
                return here, answer
            if "location" not in answer.headers:
                raise Halt(
                    FetchFailed(self._url, "redirect", f"The server answers {answer.status} but says no new place.")
                )
            here = self._next(here, self._joined(here, answer.headers["location"]))

    def _asked(self, here: Url, wanted: Ask, seconds: float | None, *, tolerant: bool) -> HopResponse:
        self._visit(here.host.text)
        try:
            left = self._total.left(seconds or self._road.limits.hop_seconds)
            return ask(here, wanted, self._road, Deadline(left))
        except EXPECTED as error:
            failed = failure(self._url, error, here.host.text)
            if tolerant and failed.cause == "connect":
                return HopResponse(501, {})
            raise Halt(failed) from None

    # --- judging ---------------------------------------------------------------------------------------------------

    def _first(self) -> Url:
        try:
            return self._judged(split_url(self._url))
        except UrlProblem as problem:
            raise Halt(FetchFailed(self._url, "refused", str(problem))) from None

    def _joined(self, here: Url, reference: str) -> Url:
        try:
            return join_url(here, reference)
        except UrlProblem as problem:
            raise Halt(FetchFailed(self._url, "redirect", f"It redirects to nowhere: {problem}")) from None

    def _next(self, here: Url, there: Url) -> Url:
        if str(there._replace(fragment=None)) == str(here):
            raise Halt(FetchFailed(self._url, "redirect", "It redirects to itself."))
        if len(self._seen) > self._road.limits.redirects:
            many = self._road.limits.redirects
            raise Halt(FetchFailed(self._url, "redirect", f"It redirects more than {many} times."))
        return self._judged(there)

    def _judged(self, url: Url) -> Url:
        """Without its fragment, which is never sent."""
        bare = url._replace(fragment=None)
        if (reason := refuse_parts(bare, allow=self._road.guard.allow)) is not None:
            said = f"It redirects to a place that is not fetched: {reason}" if self._seen else reason
            raise Halt(FetchFailed(self._url, "refused", said))
        if str(bare) in self._seen:
            raise Halt(FetchFailed(self._url, "redirect", "It redirects in a circle."))
        self._seen.add(str(bare))
        return bare

    def _must_be_fine(self, answer: HopResponse) -> None:
        if not 200 <= answer.status < 300:
            self._wait = answer.headers.get("retry-after", "")
            raise Halt(bad_status(self._url, answer.status))

    def _page(self, here: Url, answer: HopResponse) -> FetchedPage:
        said = answer.headers
        return FetchedPage(
            self._url,
            str(here),
            answer.status,
            said.get("content-type", ""),
            answer.body,
            said.get("etag"),
            said.get("last-modified"),
            unchanged=answer.status == 304,
        )
