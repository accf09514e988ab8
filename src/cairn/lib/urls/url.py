"""URLs and references as a browser reads them, and which may be fetched, as far as the text alone can say."""

import re
from collections.abc import Collection, Mapping
from typing import NamedTuple

from cairn.errors import EnvironmentProblem
from cairn.lib.urls.host import (
    LINK_LOCAL,
    MAX_NAME,
    METADATA,
    PLATFORM,
    Host,
    HostProblem,
    ipv4_trouble,
    ipv6_trouble,
    is_inside,
    is_metadata,
    parse_host,
)

MAX_URL = 8_192
PORTS = {"http": 80, "https": 443}

Place = tuple[str, int]
"""A normalised host and a port."""

_USUAL = re.compile(r"https?://((?:[a-z0-9-]++\.)++[a-z]{2,63})(?=[/?#]|\Z)", re.ASCII)
"""What nearly every source looks like; nothing in it can be read in two ways."""
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*+):", re.ASCII)
_AUTHORITY_END = re.compile(r"[/\\?#]")
_AROUND = "".join(map(chr, range(0x21)))
_INSIDE = str.maketrans(dict.fromkeys("\t\r\n"))
_DOT = frozenset({".", "%2e"})
_DOT_DOT = frozenset({"..", ".%2e", "%2e.", "%2e%2e"})
_UNSAFE_PATH = re.compile(r"[^!$%&'()*+,./0-9:;=@A-Z\[\\\]_a-z|~-]", re.ASCII)
_UNSAFE_QUERY = re.compile(r"[^!$%&()*+,./0-9:;=?@A-Z\[\\\]^_`a-z{|}~-]", re.ASCII)


class UrlProblem(ValueError):
    """A text that is no URL which could be fetched. The message is a sentence that says what to do."""


class Url(NamedTuple):
    scheme: str
    host: Host
    port: int
    path: str
    """Percent-encoded, starts with a slash, without `.` and `..`."""
    query: str | None = None
    fragment: str | None = None
    userinfo: str | None = None

    @property
    def place(self) -> Place:
        return self.host.text, self.port

    @property
    def origin(self) -> str:
        port = "" if self.port == PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{self.host.text}{port}"

    @property
    def target(self) -> str:
        """Path and query, as a request asks for them."""
        return self.path if self.query is None else f"{self.path}?{self.query}"

    def __str__(self) -> str:
        """Normalised, without user information."""
        return self.origin + self.target + ("" if self.fragment is None else f"#{self.fragment}")


# --- may it be fetched? ---------------------------------------------------------------------------------------------


def refuse_url(url: str, *, allow: Collection[Place] = ()) -> str | None:
    """Why a URL is not fetched, in one sentence; None when nothing speaks against it so far.

    `allow` are places that the operator of this machine vouches for, whatever their port and address."""
    usual = _USUAL.match(url)
    if usual is not None and _is_harmless(usual[1]) and len(url) <= MAX_URL:
        return None
    try:
        return refuse_parts(split_url(url), allow=allow)
    except UrlProblem as problem:
        return str(problem)


def _is_harmless(host: str) -> bool:
    return (
        len(host) <= MAX_NAME
        and "xn--" not in host
        and not host.endswith(".localhost")
        and not is_inside(host)
        and not is_metadata(host)
        and _short_labels(host)
    )


def _short_labels(host: str) -> bool:
    return len(host) <= 63 or max(map(len, host.split("."))) <= 63


def refuse_parts(url: Url, *, allow: Collection[Place] = ()) -> str | None:
    """Like `refuse_url`, for a URL that was read already, such as the target of a redirect."""
    if url.userinfo is not None:
        return "A user name or password stands before the host; take out what comes before the @."
    if url.place in allow:
        return None
    if (trouble := _host_trouble(url.host)) is not None:
        return f"{url.host.text} is {trouble}; name a public host.{allow_hint(url.host.text, url.port, trouble)}"
    if url.port not in PORTS.values():
        only = f"Port {url.port} is not fetched from, only 80 and 443; name a page on one of these."
        return f"{only}{allow_hint(url.host.text, url.port)}"
    return None


_OF_A_CLOUD = (METADATA, PLATFORM, LINK_LOCAL)
_OF_METADATA = frozenset({"metadata", "instance-data"})
"""First labels of the names that clouds give to these services."""


def allow_hint(host: str, port: int, trouble: str = "") -> str:
    """How the operator of a machine lets it fetch from a place of their own network. Nobody is led to the services
    that hand out a machine's credentials."""
    if host.partition(".")[0] in _OF_METADATA or any(what in trouble for what in _OF_A_CLOUD):
        return ""
    return f" Set CAIRN_FETCH_ALLOW={host}:{port} to fetch from a place that you trust."


def _host_trouble(host: Host) -> str | None:
    if host.text == "localhost" or host.text.endswith(".localhost"):
        return "this machine itself"
    if host.ipv4 is not None:
        return ipv4_trouble(host.ipv4)
    if host.ipv6 is not None:
        return ipv6_trouble(host.ipv6)
    if is_metadata(host.text):
        return METADATA
    return "a name inside of a network" if is_inside(host.text) else None


def parse_places(text: str) -> frozenset[Place]:
    """The value of `CAIRN_FETCH_ALLOW`: `host:port,host:port`, IPv6 in brackets."""
    return frozenset(_place(word.strip()) for word in text.split(",") if word.strip())


def _place(word: str) -> Place:
    host, colon, port = word.rpartition(":")
    number = _port(port) if colon and port else None
    try:
        if number is None or "@" in host:
            raise HostProblem("has no port")
        return parse_host(host).text, number
    except HostProblem:
        raise EnvironmentProblem(
            f"`{word}` in CAIRN_FETCH_ALLOW is not `host:port`; write it like `wiki.example.org:8443`."
        ) from None


# --- reading --------------------------------------------------------------------------------------------------------


def host_of(text: str) -> str:
    """In its normal spelling; what is no URL has none."""
    try:
        return split_url(text).host.text
    except UrlProblem:
        return ""


def split_url(text: str) -> Url:
    """The parts of an absolute http or https URL. Raises `UrlProblem`."""
    if len(text) > MAX_URL:
        raise UrlProblem(f"This URL has more than {MAX_URL:,} characters; use a shorter one.")
    text = text.strip(_AROUND).translate(_INSIDE)
    scheme, rest = _scheme(text)
    rest = rest.lstrip("/\\")  # a browser does not care how many there are, or which way they lean
    end = _AUTHORITY_END.search(rest)
    authority, behind = (rest, "") if end is None else (rest[: end.start()], rest[end.start() :])
    before, at, place = authority.rpartition("@")
    host, port = _host_and_port(place)
    return Url(
        scheme,
        _readable_host(host),
        PORTS[scheme] if port is None else port,
        *_behind(behind),
        userinfo=before if at else None,
    )


def _scheme(text: str) -> tuple[str, str]:
    found = _SCHEME.match(text)
    if found is None:
        raise UrlProblem("This is not an absolute URL; write it with https:// at its start.")
    scheme = found[1].lower()
    if scheme not in PORTS:
        raise UrlProblem(f"`{scheme[:40]}:` is not fetched, only http and https; name a page of the web.")
    return scheme, text[found.end() :]


def _host_and_port(place: str) -> tuple[str, int | None]:
    """At the first colon that is not in brackets."""
    closing = place.find("]") if place.startswith("[") else 0
    colon = -1 if closing < 0 else place.find(":", closing)
    if colon < 0 or colon == len(place) - 1:
        return place.removesuffix(":"), None
    port = _port(place[colon + 1 :])
    if port is None:
        raise UrlProblem("What stands behind the host's colon is no port; write a number up to 65535 or nothing.")
    return place[:colon], port


def _port(text: str) -> int | None:
    if not (text.isascii() and text.isdigit()):
        return None
    digits = text.lstrip("0") or "0"
    return int(digits) if len(digits) <= 5 and int(digits) <= 65_535 else None


def _readable_host(text: str) -> Host:
    try:
        return parse_host(text)
    except HostProblem as problem:
        raise UrlProblem(f"The host {problem}; check the URL's spelling.") from None


def _behind(text: str) -> tuple[str, str | None, str | None]:
    """Path, query and fragment."""
    text, hash, fragment = text.partition("#")
    text, mark, query = text.partition("?")
    return (
        _path(text),
        _UNSAFE_QUERY.sub(_percent, query) if mark else None,
        _UNSAFE_QUERY.sub(_percent, fragment) if hash else None,
    )


def _path(text: str) -> str:
    segments: list[str] = []
    *folders, last = text.replace("\\", "/").removeprefix("/").split("/")
    for segment in folders:
        _walk(segments, segment)
    _walk(segments, last)
    if last.lower() in _DOT | _DOT_DOT:
        segments.append("")
    return "/" + _UNSAFE_PATH.sub(_percent, "/".join(segments))


def _walk(segments: list[str], segment: str) -> None:
    name = segment.lower()
    if name in _DOT_DOT:
        del segments[-1:]
    elif name not in _DOT:
        segments.append(segment)


def _percent(found: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found[0].encode("utf-8", "replace"))


ALLOW = "CAIRN_FETCH_ALLOW"
"""`host:port,…`: places that are fetched whatever their port and address, such as a wiki of the house."""


def allowed_places(env: Mapping[str, str]) -> frozenset[Place]:
    return parse_places(env.get(ALLOW, ""))


def shown_places(env: Mapping[str, str]) -> list[str]:
    """For every report that used them."""
    return [f"{host}:{port}" for host, port in sorted(allowed_places(env))]


_WITH_SCHEME = re.compile(r"[a-z][a-z0-9+.-]+:", re.ASCII | re.IGNORECASE)


def is_external(target: str) -> bool:
    """Whether a target is an address outside of the repository."""
    return ":" in target and _WITH_SCHEME.match(target) is not None and not target.startswith("mcp://")


def join_url(base: Url, reference: str) -> Url:
    """The absolute URL that a reference means on the page `base`. Raises `UrlProblem`."""
    text = reference.strip(_AROUND).translate(_INSIDE)
    found = _SCHEME.match(text)
    if found is not None:
        scheme, rest = found[1].lower(), text[found.end() :]
        if scheme != base.scheme or rest[:1] in ("/", "\\"):
            return split_url(text)
        text = rest  # `https:page` on a page of https is that page beside it
    return split_url(_absolute(base, text))


def _absolute(base: Url, text: str) -> str:
    if text[:1] in ("/", "\\") and text[1:2] in ("/", "\\"):
        return f"{base.scheme}:{text}"
    if text[:1] in ("/", "\\"):
        return base.origin + text
    if not text or text.startswith("#"):
        return base.origin + base.target + text
    if text.startswith("?"):
        return base.origin + base.path + text
    return base.origin + base.path[: base.path.rfind("/") + 1] + text


def without_fragment(url: str) -> str:
    """What is asked of a server: the URL in its normal spelling, without what follows `#`. One that nobody should ask
    for stays as it is, cut at its `#`."""
    try:
        parts = split_url(url)
    except UrlProblem:
        return url.partition("#")[0]
    return str(parts._replace(fragment=None)) if parts.userinfo is None else url.partition("#")[0]
