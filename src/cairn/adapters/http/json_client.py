"""JSON to and from one service that the operator chose, patiently: what may work a little later is tried again.

Never for an address that stands in a file. Secrets go into headers and nowhere else: no error shows one.
"""

import json
import time
import weakref
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import httpcore

from cairn.adapters.http.proxy import is_loopback, proxy_for
from cairn.errors import EnvironmentProblem
from cairn.lib.urls.url import Url, UrlProblem, split_url
from cairn.version import __version__

SAFE = frozenset({"GET", "HEAD", "PUT", "PATCH", "DELETE"})
"""Methods that may be sent twice without harm, the way we use them."""
SECRET_HEADERS = frozenset({"authorization", "x-api-key", "api-key"})
MOST_REASON = 200


class Patience(NamedTuple):
    attempts: int = 4
    first_wait: float = 0.5
    """Seconds; doubled each time."""
    longest_wait: float = 60.0
    """A service that wants us to wait for longer gets its answer passed on instead."""


class Sizes(NamedTuple):
    most_bytes: int = 32_000_000
    connect_seconds: float = 10.0
    read_seconds: float = 30.0
    total_seconds: float = 120.0


class JsonAnswer(NamedTuple):
    status: int
    value: Any
    """None when the body is no JSON."""
    headers: Mapping[str, str]
    """Names in small letters."""
    body: bytes = b""

    @property
    def fine(self) -> bool:
        return 200 <= self.status < 300

    @property
    def limited(self) -> bool:
        """Whether it was refused only because too much was asked."""
        if self.status == 429:
            return True
        spent = self.headers.get("x-ratelimit-remaining") == "0"
        return self.status == 403 and (spent or "retry-after" in self.headers)


class NoAnswer(Exception):
    """Nobody answered, or not in a usable way; the message is a sentence."""

    def __init__(self, message: str, *, sent: bool) -> None:
        super().__init__(message)
        self.sent = sent
        """Whether the request may have arrived."""


class JsonClient:
    def __init__(
        self,
        base_url: str,
        headers: Mapping[str, str] | None = None,
        *,
        env: Mapping[str, str] | None = None,
        patience: Patience = Patience(),  # noqa: B008 - a tuple
        sizes: Sizes = Sizes(),  # noqa: B008
        sleep: Callable[[float], None] = time.sleep,
        now: Callable[[], float] = time.time,
    ) -> None:
        """`env` names proxies; without it none is used."""
        self._url = _service(base_url, headers or {})
        self._headers = {"User-Agent": f"cairn/{__version__}", "Accept": "application/json", **(headers or {})}
        self._patience = patience
        self._sizes = sizes
        self._sleep = sleep
        self._now = now
        proxy = proxy_for(env or {}, self._url.scheme, self._url.host.text)
        self._pool = httpcore.ConnectionPool(max_connections=2, keepalive_expiry=20.0, proxy=proxy)
        self.close = weakref.finalize(self, self._pool.close)
        """Also happens by itself when nobody holds the client any more."""

    def __repr__(self) -> str:
        return f"JsonClient({self._url.origin})"

    @property
    def host(self) -> str:
        return self._url.host.text

    def send(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        query: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        repeatable: bool | None = None,
    ) -> JsonAnswer:
        """Any answer, whatever its status; `NoAnswer` when there is none. `path` is below the base address and has to
        be percent-encoded. A request that may not be repeated is, if the service surely did nothing yet."""
        again = method in SAFE if repeatable is None else repeatable
        for attempt in range(1, self._patience.attempts + 1):
            last = attempt == self._patience.attempts
            try:
                answer = self._once(method, path, body, query or {}, headers or {})
            except NoAnswer as problem:
                if last or (problem.sent and not again):
                    raise
                wait: float | None = self._back_off(attempt)
            else:
                wait = None if last else self._wait(answer, attempt, again)
                if wait is None:
                    return answer
            self._sleep(wait or 0.0)
        raise AssertionError("the last attempt returns or raises")

    # --- once ----------------------------------------------------------------------------------------------------

    def _once(
        self, method: str, path: str, body: Any, query: Mapping[str, str], headers: Mapping[str, str]
    ) -> JsonAnswer:
        given = {name.lower(): value for name, value in (*self._headers.items(), *headers.items())}
        content = None
        if body is not None:
            content = json.dumps(body).encode()
            given["content-type"] = "application/json"
        seconds = {"connect": self._sizes.connect_seconds, "pool": self._sizes.connect_seconds}
        seconds |= {"read": self._sizes.read_seconds, "write": self._sizes.read_seconds}
        try:
            with self._pool.stream(
                method,
                self._target(path, query),
                headers=[(name.encode(), value.encode()) for name, value in given.items()],
                content=content,
                extensions={"timeout": seconds},
            ) as response:
                return self._read(response)
        except (httpcore.ConnectError, httpcore.ConnectTimeout, httpcore.ProxyError, httpcore.PoolTimeout) as error:
            raise NoAnswer(self._unreachable(error), sent=False) from None
        except (httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProtocolError) as error:
            raise NoAnswer(f"{self.host} broke off in the middle ({_what(error)}); try again.", sent=True) from None

    def _target(self, path: str, query: Mapping[str, str]) -> httpcore.URL:
        from urllib.parse import urlencode

        target = self._url.path.rstrip("/") + path + (f"?{urlencode(query)}" if query else "")
        return httpcore.URL(
            scheme=self._url.scheme, host=_bare(self._url.host.text), port=self._url.port, target=target
        )

    def _read(self, response: httpcore.Response) -> JsonAnswer:
        end = time.monotonic() + self._sizes.total_seconds
        parts: list[bytes] = []
        size = 0
        for part in response.iter_stream():
            size += len(part)
            if size > self._sizes.most_bytes:
                raise NoAnswer(f"{self.host} sent more than {self._sizes.most_bytes:,} bytes.", sent=True)
            if time.monotonic() > end:
                raise NoAnswer(f"{self.host} took too long to answer; try again.", sent=True)
            parts.append(part)
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers}
        body = b"".join(parts)
        return JsonAnswer(response.status, _value(body), headers, body)

    def _unreachable(self, error: Exception) -> str:
        why = " ".join(str(error).split())[:MOST_REASON]
        if "CERTIFICATE" in why.upper():
            return f"The certificate of {self.host} cannot be trusted; check the machine's clock and certificates."
        return f"{self.host} cannot be reached ({why or _what(error)}); check the network and the address."

    # --- again? --------------------------------------------------------------------------------------------------

    def _wait(self, answer: JsonAnswer, attempt: int, again: bool) -> float | None:
        """Seconds until the next attempt, None when the answer stands."""
        if answer.limited:
            asked = self._asked_to_wait(answer.headers)
            wait = self._back_off(attempt) if asked is None else asked
            return wait if wait <= self._patience.longest_wait else None
        if answer.status not in (408, 500, 502, 503, 504) or not again:
            return None
        asked = self._asked_to_wait(answer.headers) or 0.0
        wait = max(asked, self._back_off(attempt))
        return wait if wait <= self._patience.longest_wait else None

    def _asked_to_wait(self, headers: Mapping[str, str]) -> float | None:
        after = headers.get("retry-after", "").strip()
        if after.isascii() and after.isdigit():
            return float(after[:9])
        if after:
            return self._until_date(after)
        reset = headers.get("x-ratelimit-reset", "")
        if headers.get("x-ratelimit-remaining") == "0" and reset.isascii() and reset.isdigit():
            return max(0.0, int(reset[:12]) - self._now())
        return None

    def _until_date(self, text: str) -> float | None:
        from email.utils import parsedate_to_datetime

        try:
            return max(0.0, parsedate_to_datetime(text).timestamp() - self._now())
        except (ValueError, OverflowError):
            return None

    def _back_off(self, attempt: int) -> float:
        return min(float(self._patience.first_wait * 2 ** (attempt - 1)), self._patience.longest_wait)


def _service(base_url: str, headers: Mapping[str, str]) -> Url:
    try:
        url = split_url(base_url)
    except UrlProblem as problem:
        raise EnvironmentProblem(f"The address of a service cannot be used: {problem}") from None
    if url.userinfo is not None:
        raise EnvironmentProblem(f"The address of {url.host.text} has a password in it; give that by its own variable.")
    secret = any(name.lower() in SECRET_HEADERS for name in headers)
    if secret and url.scheme != "https" and not is_loopback(url.host.text):
        raise EnvironmentProblem(f"A secret would go to {url.origin} unencrypted; use its https:// address.")
    for name, value in headers.items():
        if not (value.isascii() and value.isprintable()):
            raise EnvironmentProblem(f"The secret or header {name} for {url.host.text} has an odd character in it.")
    return url


def _bare(host: str) -> str:
    return host.removeprefix("[").removesuffix("]")


def _what(error: Exception) -> str:
    return "timed out" if isinstance(error, httpcore.TimeoutException) else "connection lost"


def _value(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None
