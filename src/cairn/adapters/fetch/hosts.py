"""Who is asked next, and how much a fetch may take: no host is asked too often, and no thread waits for one."""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from cairn.core.ports.sources import Conditions


class FetchJob(NamedTuple):
    url: str
    host: str
    conditions: Conditions | None = None
    attempt: int = 1


class Pace(NamedTuple):
    """How a host is treated."""

    at_once: int
    gap_seconds: float


@dataclass(slots=True)
class _Host:
    pace: Pace
    waiting: deque[FetchJob] = field(default_factory=deque)
    active: int = 0
    not_before: float = 0.0


class Hosts:
    """Shared by the threads of a run."""

    def __init__(
        self, jobs: Iterable[FetchJob], pace: Callable[[str], Pace], *, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._pace = pace
        self._now = now
        self._hosts: dict[str, _Host] = {}
        self._turns: deque[str] = deque()
        """Hosts with work, in the order in which they are looked at."""
        self._open = 0
        """Jobs that are not finished."""
        self._changed = threading.Condition()
        self._stopped = False
        for job in jobs:
            self._put(job)
            self._open += 1

    def _host(self, name: str) -> _Host:
        if name not in self._hosts:
            self._hosts[name] = _Host(self._pace(name))
        return self._hosts[name]

    def _put(self, job: FetchJob, *, first: bool = False) -> None:
        host = self._host(job.host)
        if not host.waiting:
            self._turns.append(job.host)
        (host.waiting.appendleft if first else host.waiting.append)(job)

    # --- for the threads -------------------------------------------------------------------------------------------

    def take(self) -> FetchJob | None:
        """The next job whose host may be asked now, its place there taken; None when all is done."""
        with self._changed:
            while self._open and not self._stopped:
                job, wait = self._ready()
                if job is not None:
                    return job
                self._changed.wait(wait)
            return None

    def _ready(self) -> tuple[FetchJob | None, float | None]:
        """A job, or how long until there may be one by itself."""
        now, soonest = self._now(), None
        for _ in range(len(self._turns)):
            name = self._turns.popleft()
            host = self._hosts[name]
            wait = self._wait_for(host, now)
            if wait == 0.0:
                job = host.waiting.popleft()
                if host.waiting:
                    self._turns.append(name)
                self._begin(host, now)
                return job, None
            self._turns.append(name)
            if wait is not None:
                soonest = wait if soonest is None else min(soonest, wait)
        return None, soonest

    def _wait_for(self, host: _Host, now: float) -> float | None:
        """None: until somebody leaves."""
        if host.active >= host.pace.at_once:
            return None
        return max(host.not_before - now, 0.0)

    def _begin(self, host: _Host, now: float) -> None:
        host.active += 1
        host.not_before = max(host.not_before, now + host.pace.gap_seconds)

    def move(self, old: str, new: str) -> None:
        """Leave one host for another, as a redirect leads; waits for a place there."""
        with self._changed:
            self._hosts[old].active -= 1
            self._changed.notify_all()
            host = self._host(new)
            while not self._stopped and (wait := self._wait_for(host, self._now())) != 0.0:
                self._changed.wait(wait)
            self._begin(host, self._now())

    def spare(self, host: str) -> None:
        """The job that was just taken asks nobody, so the next one need not wait for its sake."""
        with self._changed:
            self._hosts[host].not_before = self._now()
            self._changed.notify_all()

    def finish(self, host: str) -> None:
        """A job is over; `host` is where it ended."""
        with self._changed:
            self._hosts[host].active -= 1
            self._open -= 1
            self._changed.notify_all()

    def later(self, job: FetchJob, host: str, seconds: float) -> None:
        """Try a job again, before the others of its host, which is left alone until then."""
        with self._changed:
            self._hosts[host].active -= 1
            own = self._host(job.host)
            own.not_before = max(own.not_before, self._now() + seconds)
            self._put(job._replace(attempt=job.attempt + 1), first=True)
            self._changed.notify_all()

    def stop(self) -> None:
        with self._changed:
            self._stopped = True
            self._changed.notify_all()


MIB = 1024 * 1024


class Limits(NamedTuple):
    raw_bytes: int = 5 * MIB
    """Of a body as it travels."""
    decoded_bytes: int = 5 * MIB
    """Of a body when it is unpacked."""
    redirects: int = 5
    connect_seconds: float = 10.0
    hop_seconds: float = 30.0
    """From looking up the name to the last byte of one answer."""
    probe_seconds: float = 15.0
    """The same, where only the presence of a page is asked for."""
    total_seconds: float = 90.0
    """Of all hops of one attempt."""
    attempts: int = 3
    backoff_seconds: float = 1.0
    """Before the second attempt; doubles with each."""
    longest_wait: float = 30.0
    """How long a server may ask us to wait (`Retry-After`); after that the page counts as failed for this run."""
    silent_seconds: float = 5.0
    """While no host answers; after that the others are not asked, since there seems to be no network."""
    unreached_seconds: float = 60.0
    """Waited for connections that never came, all hosts together; after that each of the others has a second."""


class Manners(NamedTuple):
    concurrency: int = 16
    at_once: int = 2
    """Connections to one host."""
    gap_seconds: float = 0.1
    """Between the starts of two requests to one host."""
    vouched_at_once: int = 16
    """For places in CAIRN_FETCH_ALLOW: whoever vouches for a host may also load it."""
    vouched_gap_seconds: float = 0.0
