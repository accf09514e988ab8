"""The fetcher of the real web: guarded, polite, with several requests under way at once."""

import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from queue import SimpleQueue
from typing import NamedTuple

from cairn.adapters.fetch.backend import (
    Connect,
    Deadline,
    Guard,
    Proxy,
    Resolve,
    Resolver,
    connect_directly,
    system_resolve,
)
from cairn.adapters.fetch.credentials import Credentials
from cairn.adapters.fetch.hop import EXPECTED, Ask, HopResponse, Road, Trust, ask, bad_status, failure
from cairn.adapters.fetch.hosts import FetchJob, Hosts, Limits, Manners, Pace
from cairn.core.isolate import PASSING, described, item
from cairn.core.ports.sources import Conditions, FetchFailed, Outcome
from cairn.lib.html.charset import FetchedPage
from cairn.lib.html.wall import Leads, Stub, find_stub
from cairn.lib.urls.url import Place, Url, UrlProblem, host_of, join_url, refuse_parts, split_url, without_fragment

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


_Attempt = Callable[[FetchJob, Walk], Reply]
_DEAF = frozenset({"dns", "connect", "timeout"})
"""Failures that say more about the host than about the page."""
_GIVE_UP = 3
"""So many pages of a host in a row, each tried as often as it is worth; the others are not asked for in this run."""
_LEAST_SECONDS = 1.0
"""For a connection, however many hosts could not be reached before."""
_NO_NETWORK = 5
"""So many hosts at first, of which none answers: each of the others is asked once, as long as there is time."""


class WebFetcher:
    """Remembers what it fetched, so that a run asks for each URL once."""

    def __init__(
        self,
        *,
        allow: Collection[Place] = (),
        credentials: Credentials | None = None,
        limits: Limits | None = None,
        manners: Manners | None = None,
        resolve: Resolve = system_resolve,
        connect: Connect = connect_directly,
        proxy: Proxy | None = None,
        trust: Trust | None = None,
    ) -> None:
        self._limits = limits or Limits()
        self._manners = manners or Manners()
        self._allowed_hosts = frozenset(host for host, _ in allow)
        guard = Guard(Resolver(resolve), proxy.connect if proxy else connect, allow, connect)
        self._road = Road(guard, self._limits, credentials or Credentials({}), trust or Trust())
        self._fetched: dict[str, Outcome] = {}
        self._probed: dict[str, Outcome] = {}
        self._deaf: dict[str, list[FetchFailed]] = {}
        self._bugs: dict[str, Exception] = {}
        self._heard = False
        """Whether any host has answered."""
        self._silent: dict[str, FetchFailed] = {}
        """Hosts that did not answer, also where they are tried again."""
        self._waited = 0.0
        """Seconds for hosts that could not be reached."""
        self._began: float | None = None
        """When the first host was asked."""

    def fetch(self, url: str, conditions: Conditions | None = None, *, again: bool = False) -> Outcome:
        return next(self.fetch_all([(url, conditions or Conditions())], again=again))

    def fetch_all(self, wanted: Iterable[tuple[str, Conditions]], *, again: bool = False) -> Iterator[Outcome]:
        if again:
            wanted = list(wanted)
            for url, _ in wanted:
                self._fetched.pop(without_fragment(url), None)
        return self._each(wanted, self._fetched, lambda job, walk: walk.fetch(job.conditions))

    def probe(self, url: str) -> Outcome:
        return next(self.probe_all([url]))

    def probe_all(self, urls: Iterable[str]) -> Iterator[Outcome]:
        """A page that this run fetched already is there."""
        known = {key: outcome for key, outcome in self._fetched.items() if isinstance(outcome, FetchedPage)}
        self._probed = {**known, **self._probed}
        return self._each(((url, None) for url in urls), self._probed, lambda _, walk: walk.probe())

    # --- one run -----------------------------------------------------------------------------------------------

    def _each(
        self, wanted: Iterable[tuple[str, Conditions | None]], known: dict[str, Outcome], attempt: _Attempt
    ) -> Iterator[Outcome]:
        """An outcome for every URL that was asked for; those with a common page share one request."""
        askers: dict[str, list[str]] = {}
        jobs: dict[str, FetchJob] = {}
        for url, conditions in wanted:
            key = without_fragment(url)
            askers.setdefault(key, []).append(url)
            if key not in known or _says_too_little(known[key], conditions):
                jobs.setdefault(key, FetchJob(key, host_of(key), conditions))  # no URL: under no host
        for key in [key for key in askers if key not in jobs]:
            yield from (known[key]._replace(url=url) for url in askers[key])
        for outcome in self._run(list(jobs.values()), attempt):
            known[outcome.url] = outcome
            yield from (outcome._replace(url=url) for url in askers[outcome.url])

    def _run(self, jobs: list[FetchJob], attempt: _Attempt) -> Iterator[Outcome]:
        hosts = Hosts(jobs, self._pace)
        self._began = self._began or time.monotonic()
        results: SimpleQueue[Outcome | BaseException] = SimpleQueue()
        threads = [
            threading.Thread(target=self._work, args=(hosts, results, attempt), name=f"cairn-fetch-{i}", daemon=True)
            for i in range(min(self._manners.concurrency, len(jobs)))
        ]
        for thread in threads:
            thread.start()
        try:
            for _ in jobs:
                result = results.get()
                if isinstance(result, BaseException):
                    raise result
                with item(result.url):  # here, because a thread has no collector
                    if (bug := self._bugs.pop(result.url, None)) is not None:
                        raise bug
                yield result
        finally:
            hosts.stop()  # whoever stops listening early does not wait for requests that are under way

    def _pace(self, host: str) -> Pace:
        manners = self._manners
        if host in self._allowed_hosts:
            return Pace(manners.vouched_at_once, manners.vouched_gap_seconds)
        return Pace(manners.at_once, manners.gap_seconds)

    def _work(self, hosts: Hosts, results: "SimpleQueue[Outcome | BaseException]", attempt: _Attempt) -> None:
        try:
            while (job := hosts.take()) is not None:
                self._one(job, hosts, results, attempt)
        except BaseException as error:  # a bug of ours: the caller hears of it, not a thread
            results.put(error)

    def _one(
        self, job: FetchJob, hosts: Hosts, results: "SimpleQueue[Outcome | BaseException]", attempt: _Attempt
    ) -> None:
        visitor = _Visitor(job.host, hosts)
        reply = self._unasked(job, hosts) or self._reply(job, visitor, attempt)
        wait = self._wait(job, reply)
        if wait is None:
            self._learn(job.host, reply.outcome)
            hosts.finish(visitor.at)
            results.put(reply.outcome)
        else:
            hosts.later(job, visitor.at, wait)

    def _unasked(self, job: FetchJob, hosts: Hosts) -> Reply | None:
        """The answer to a request that is not made, because it makes no sense to ask."""
        last = self._silence(job.host)
        if last is None:
            return None
        hosts.spare(job.host)
        return Reply(last._replace(url=job.url, retryable=False))

    def _reply(self, job: FetchJob, visitor: "_Visitor", attempt: _Attempt) -> Reply:
        began = time.monotonic()
        try:
            reply = attempt(job, Walk(job.url, self._patient_road(), visitor.visit))
        except PASSING:
            raise
        except Exception as error:  # one page must not cost all others
            self._bugs[job.url] = error
            return Reply(FetchFailed(job.url, "internal", f"Cairn failed on this page ({described(error)})."))
        self._hear(job.host, reply.outcome)
        if _is_unreached(reply.outcome):
            self._waited += time.monotonic() - began
        return reply

    def _patient_road(self) -> Road:
        """Until a host has answered, there may be no network, and then none is waited for as long as usual. Nor when
        many others could not be reached."""
        limits, most = self._limits, self._limits.connect_seconds
        left = limits.unreached_seconds - self._waited
        if not self._heard and limits.silent_seconds > 0:
            most = min(most, limits.silent_seconds)
            left = limits.silent_seconds - (time.monotonic() - (self._began or 0.0))
        return self._road._replace(limits=limits._replace(connect_seconds=min(most, max(left, _LEAST_SECONDS))))

    def _silence(self, host: str) -> FetchFailed | None:
        """The failure that stands for all others, where it makes no sense to ask."""
        heard = self._deaf.get(host, [])
        if len(heard) >= _GIVE_UP:
            return heard[-1]
        if not self._nobody_answers():
            return None
        return self._silent.get(host) or (next(iter(self._silent.values())) if self._is_late() else None)

    def _is_late(self) -> bool:
        return self._began is not None and time.monotonic() - self._began > self._limits.silent_seconds

    def _hear(self, host: str, outcome: Outcome) -> None:
        if isinstance(outcome, FetchFailed) and outcome.cause in _DEAF:
            self._silent.setdefault(host, outcome)
        else:
            self._heard = self._heard or not isinstance(outcome, FetchFailed) or outcome.cause != "refused"

    def _nobody_answers(self) -> bool:
        enough = len(self._silent) >= _NO_NETWORK or (bool(self._silent) and self._is_late())
        return not self._heard and enough

    def _learn(self, host: str, outcome: Outcome) -> None:
        """Whoever answered, with whatever, is there."""
        if isinstance(outcome, FetchFailed) and outcome.cause in _DEAF:
            self._deaf.setdefault(host, []).extend([outcome] * (_GIVE_UP if _is_unreached(outcome) else 1))
        else:
            self._deaf.pop(host, None)

    def _wait(self, job: FetchJob, reply: Reply) -> float | None:
        """Seconds until another attempt; None when there is none."""
        outcome = reply.outcome
        if not isinstance(outcome, FetchFailed) or not outcome.retryable or job.attempt >= self._limits.attempts:
            return None
        if outcome.cause in _DEAF and job.host in self._deaf:
            return None  # another page of this host was tried again already, in vain
        if outcome.cause in _DEAF and self._nobody_answers():
            return None
        asked = _seconds(reply.wait)
        if asked is not None and asked > self._limits.longest_wait:
            return None
        return max(asked or 0.0, self._limits.backoff_seconds * float(1 << job.attempt - 1))


def _is_unreached(outcome: Outcome) -> bool:
    """No connection in time, after all that a host is worth: its other pages are not asked for."""
    return isinstance(outcome, FetchFailed) and outcome.cause in _DEAF and not outcome.retryable


class _Visitor:
    """Where a job is; a redirect may take it elsewhere."""

    def __init__(self, host: str, hosts: Hosts) -> None:
        self.at = host
        self._hosts = hosts

    def visit(self, host: str) -> None:
        if host != self.at:
            self._hosts.move(self.at, host)
            self.at = host


def _says_too_little(known: Outcome, conditions: Conditions | None) -> bool:
    """“As it was”, to somebody who has nothing to compare it with."""
    return isinstance(known, FetchedPage) and known.unchanged and conditions is not None and not any(conditions)


def _seconds(retry_after: str) -> float | None:
    """A number, or a date from now."""
    if retry_after.isdecimal():
        return float(retry_after[:9])
    from datetime import UTC, datetime
    from email.utils import parsedate_to_datetime

    try:
        then = parsedate_to_datetime(retry_after)
    except ValueError:
        return None
    return max((then.replace(tzinfo=then.tzinfo or UTC) - datetime.now(UTC)).total_seconds(), 0.0)
