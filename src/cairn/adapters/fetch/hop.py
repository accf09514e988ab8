"""One request to one server: a connection of its own, and an answer within its limits."""

import ssl
import zlib
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

import httpcore

from cairn.adapters.fetch.backend import Deadline, Guard, GuardedBackend, GuardRefused, NameUnknown, NameUnresolved
from cairn.adapters.fetch.credentials import Credentials
from cairn.adapters.fetch.hosts import Limits
from cairn.core.ports.sources import Cause, Conditions, FetchFailed
from cairn.lib.urls.url import Url
from cairn.version import __version__

ACCEPTED = "gzip, deflate"


class TooLarge(Exception):
    """More than a page of prose can be; the message is a sentence."""


class BadEncoding(Exception):
    """Packed in a way that cannot be undone; the message is a sentence."""


def unpacked(pieces: Iterable[bytes], encoding: str, limits: Limits) -> bytes:
    """The whole body. Both sizes are limited while it comes in: what is too large is not kept and not awaited."""
    unpack = _unpacker(encoding)
    raw, body = 0, bytearray()
    for piece in pieces:
        raw += len(piece)
        if raw > limits.raw_bytes:
            raise TooLarge(f"More than {_size(limits.raw_bytes)} came; such a page is not read.")
        body += unpack.feed(piece, limits.decoded_bytes - len(body) + 1)
        if len(body) > limits.decoded_bytes:
            raise TooLarge(f"Unpacked it is more than {_size(limits.decoded_bytes)}; such a page is not read.")
    unpack.close()
    return bytes(body)


def _size(number: int) -> str:
    return f"{number // (1024 * 1024):,} MiB" if number >= 1024 * 1024 else f"{number:,} bytes"


class _Plain:
    def feed(self, piece: bytes, room: int) -> bytes:
        return piece[:room]

    def close(self) -> None:
        pass


class _Zlib:
    """gzip and deflate; the latter with or without its header, servers do both."""

    def __init__(self, *, gzip: bool) -> None:
        self._gzip = gzip
        self._stream = zlib.decompressobj(wbits=31) if gzip else None
        self._fed = False

    def feed(self, piece: bytes, room: int) -> bytes:
        if not piece:
            return b""
        self._fed = True
        try:
            if self._stream is None:
                self._stream = zlib.decompressobj(wbits=15 if piece[0] & 0x0F == 8 else -15)
            # What does not fit into the room is dropped: it is too large then anyway.
            return self._stream.decompress(piece, room)
        except zlib.error:
            raise BadEncoding("What came is not packed as its Content-Encoding says.") from None

    def close(self) -> None:
        if self._fed and self._stream is not None and not self._stream.eof:
            raise BadEncoding("What came breaks off in the middle of its packing.")


def _unpacker(encoding: str) -> _Plain | _Zlib:
    words = [word for word in (part.strip().lower() for part in encoding.split(",")) if word not in ("", "identity")]
    if not words:
        return _Plain()
    if words in (["gzip"], ["x-gzip"], ["deflate"]):
        return _Zlib(gzip=words != ["deflate"])
    raise BadEncoding(f"It is packed as `{encoding[:40]}`, which was not asked for.")


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


EXPECTED = (
    GuardRefused, NameUnknown, TooLarge, BadEncoding,
    httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProtocolError, OSError,
)  # fmt: skip
"""Everything that the world may do to a fetch; anything else is a bug of ours."""

_CAUSES: dict[type[Exception], tuple[Cause, bool]] = {
    GuardRefused: ("refused", False),
    NameUnresolved: ("dns", False),
    NameUnknown: ("dns", True),
    TooLarge: ("too-large", False),
    BadEncoding: ("decoding", False),
}
WORTH_RETRYING = frozenset({408, 425, 429, 500, 502, 503, 504})
_MEANINGS = {
    404: "there is no such page",
    410: "the page was taken away",
    429: "the server wants to be asked less often",
    451: "the page is withheld for legal reasons",
}


def failure(url: str, error: Exception, host: str) -> FetchFailed:
    for kind, (cause, retryable) in _CAUSES.items():
        if isinstance(error, kind):
            return FetchFailed(url, cause, str(error), retryable)
    if (trouble := _certificate_trouble(error)) is not None:
        return FetchFailed(url, "tls", f"{host} could not prove who it is: {trouble}.")
    if isinstance(error, httpcore.TimeoutException | TimeoutError):
        reached = not isinstance(error, httpcore.ConnectTimeout)
        return FetchFailed(url, "timeout", f"{host} did not answer in time.", retryable=reached)
    if isinstance(error, httpcore.ProtocolError):
        return FetchFailed(url, "connect", f"{host} broke off, or speaks no HTTP that we understand.", retryable=True)
    return FetchFailed(url, "connect", f"{host} cannot be reached.", retryable=True)


def _certificate_trouble(error: BaseException | None) -> str | None:
    """httpcore wraps what TLS says."""
    seen = 0
    while error is not None and seen < 10:
        if isinstance(error, ssl.SSLCertVerificationError):
            return (error.verify_message or "its certificate is not valid").rstrip(".")
        if isinstance(error, ssl.SSLError):
            return f"TLS failed ({(error.reason or 'no reason given').replace('_', ' ').lower()})"
        error, seen = error.__cause__ or error.__context__, seen + 1
    return None


def bad_status(url: str, status: int) -> FetchFailed:
    if status in (401, 403, 407):
        reason = f"The server answers {status}: it wants to know who asks."
        return FetchFailed(url, "unauthorized", reason, status=status)
    meaning = f": {_MEANINGS[status]}" if status in _MEANINGS else ""
    return FetchFailed(url, "status", f"The server answers {status}{meaning}.", status in WORTH_RETRYING, status)
