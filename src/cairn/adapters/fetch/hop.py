"""One request to one server: a connection of its own, and an answer within its limits."""

import ssl
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import httpcore

from cairn.adapters.fetch.backend import Deadline, Guard, GuardedBackend
from cairn.adapters.fetch.credentials import Credentials
from cairn.adapters.fetch.limits import Limits
from cairn.adapters.fetch.unpack import ACCEPTED, TooLarge, unpacked
from cairn.core.ports.sources import Conditions
from cairn.lib.urls.url import Url
from cairn.version import __version__

AGENT = f"cairn/{__version__} (checks the sources of a knowledge base)"
_ACCEPT = "text/html, application/xhtml+xml, text/markdown, text/plain;q=0.9, application/json;q=0.9, */*;q=0.5"
_MOST_HEADERS = 64 * 1024


class Ask(NamedTuple):
    method: str = "GET"
    conditions: Conditions | None = None
    first_byte_only: bool = False
    """Ask for one byte, and don't read what comes."""


class HopResponse(NamedTuple):
    status: int
    headers: dict[str, str]
    """By lower-case name; the first of several of one name."""
    body: bytes = b""


class Trust:
    """Whom we believe to be who they say they are; loaded when the first page of https is asked for."""

    def __init__(self, context: ssl.SSLContext | None = None) -> None:
        self._given = context

    @cached_property
    def context(self) -> ssl.SSLContext:
        if self._given is not None:
            return self._given
        context = ssl.create_default_context()
        if not any(ssl.get_default_verify_paths()[:2]):  # a Python that came without the system's list
            import certifi

            context.load_verify_locations(certifi.where())
        return context


class Road(NamedTuple):
    """What every hop needs."""

    guard: Guard
    limits: Limits
    credentials: Credentials
    trust: Trust


def ask(url: Url, wanted: Ask, road: Road, deadline: Deadline) -> HopResponse:
    """Raises what httpcore raises, and what guard and unpacking do."""
    backend = GuardedBackend(road.guard, deadline, connect_seconds=road.limits.connect_seconds)
    context = road.trust.context if url.scheme == "https" else None
    place = httpcore.URL(scheme=url.scheme, host=_bare(url), port=url.port, target=url.target)
    with (
        httpcore.HTTPConnection(place.origin, ssl_context=context, network_backend=backend) as connection,
        connection.stream(wanted.method, place, headers=_headers(url, wanted, road), extensions=_patience(deadline))
        as response,
    ):  # fmt: skip
        headers = _readable(response.headers)
        status = response.status
        if wanted.first_byte_only or wanted.method == "HEAD" or not 200 <= status < 300:
            return HopResponse(status, headers)
        return HopResponse(status, headers, _body(response, headers, road.limits))


def _bare(url: Url) -> str:
    return url.host.text.strip("[]")


def _patience(deadline: Deadline) -> dict[str, dict[str, float]]:
    left = deadline.left()
    return {"timeout": {"connect": left, "read": left, "write": left}}


def _headers(url: Url, wanted: Ask, road: Road) -> list[tuple[str, str]]:
    secret = road.credentials.header(url)
    conditions = wanted.conditions or Conditions()
    offered = (
        ("Host", url.origin.partition("://")[2]),
        ("User-Agent", AGENT),
        ("Accept", _ACCEPT),
        ("Accept-Encoding", "identity" if wanted.first_byte_only else ACCEPTED),
        ("Connection", "close"),
        ("Range", "bytes=0-0" if wanted.first_byte_only else None),
        ("If-None-Match", _one_line(conditions.etag)),
        ("If-Modified-Since", _one_line(conditions.modified)),
        ("Authorization", secret),
    )
    return [(name, value) for name, value in offered if value]


def _one_line(value: str | None) -> str | None:
    """What a server said earlier, if it can be sent back."""
    return value if value and value.isascii() and value.isprintable() and len(value) <= 1_024 else None


def _readable(headers: list[tuple[bytes, bytes]]) -> dict[str, str]:
    if sum(len(name) + len(value) for name, value in headers) > _MOST_HEADERS:
        raise TooLarge("The answer has more headers than anybody sends; it is not read.")
    found: dict[str, str] = {}
    for name, value in headers:
        found.setdefault(name.decode("latin-1").lower(), _text(value))
    return found


def _text(value: bytes) -> str:
    try:
        return value.decode("utf-8").strip()
    except UnicodeDecodeError:
        return value.decode("latin-1").strip()


def _body(response: httpcore.Response, headers: dict[str, str], limits: Limits) -> bytes:
    length = headers.get("content-length", "")
    if length.isdecimal() and int(length[:18]) > limits.raw_bytes:
        raise TooLarge(f"It has {int(length[:18]):,} bytes; a page that large is not read.")
    return unpacked(_pieces(response), headers.get("content-encoding", ""), limits)


def _pieces(response: httpcore.Response) -> Iterator[bytes]:
    yield from response.iter_stream()
