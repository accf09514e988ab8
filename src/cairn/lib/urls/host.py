"""The host of a URL as a browser reads it, its addresses as numbers, and which of them are no public place."""

import re
from typing import NamedTuple

_IPV4 = re.compile(r"(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})", re.ASCII)
_PIECE = re.compile(r"[0-9a-fA-F]{1,4}", re.ASCII)


METADATA = "the metadata service of a cloud"
PLATFORM = "a platform address of a cloud"
LINK_LOCAL = "a link-local address"


class Range(NamedTuple):
    """Addresses that share their first bits."""

    start: int
    bits: int
    """How many bits, from the right, are free."""
    what: str
    """Of an address in it; completes “is …”."""


# --- text to number -------------------------------------------------------------------------------------------------


def parse_ipv4(text: str) -> int | None:
    """Four decimal numbers with dots, nothing else. What browsers take beyond that is in `host.py`."""
    found = _IPV4.fullmatch(text)
    if found is None:
        return None
    a, b, c, d = (int(part) for part in found.groups())
    return None if max(a, b, c, d) > 255 else a << 24 | b << 16 | c << 8 | d


def parse_ipv6(text: str) -> int | None:
    """Any spelling of an IPv6 address, without brackets and zone."""
    head, gap, tail = text.partition("::")
    left = _pieces(head, last=not gap)
    right = _pieces(tail, last=True)
    if left is None or right is None:
        return None
    missing = 8 - len(left) - len(right)
    if missing < 1 if gap else missing != 0:
        return None
    number = 0
    for piece in (*left, *(0,) * missing, *right):
        number = number << 16 | piece
    return number


def _pieces(text: str, *, last: bool) -> list[int] | None:
    """The 16-bit pieces of a part; the end of the address may be written as an IPv4 address."""
    if not text:
        return []
    if len(text) > 45:
        return None
    *pieces, end = text.split(":")
    numbers = [int(piece, 16) for piece in pieces if _PIECE.fullmatch(piece)]
    if len(numbers) != len(pieces):
        return None
    if _PIECE.fullmatch(end):
        return [*numbers, int(end, 16)]
    ipv4 = parse_ipv4(end) if last else None
    return None if ipv4 is None else [*numbers, ipv4 >> 16, ipv4 & 0xFFFF]


def ipv4_text(number: int) -> str:
    return f"{number >> 24}.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"


def ipv6_text(number: int) -> str:
    """As short as it can be written: the first of the longest runs of zeros, of two at least, becomes `::`."""
    pieces = [number >> shift & 0xFFFF for shift in range(112, -1, -16)]
    start, length = _longest_zeros(pieces)
    words = [f"{piece:x}" for piece in pieces]
    if length < 2:
        return ":".join(words)
    return f"{':'.join(words[:start])}::{':'.join(words[start + length :])}"


def _longest_zeros(pieces: list[int]) -> tuple[int, int]:
    best = (0, 0)
    start = 0
    for at, piece in enumerate([*pieces, 1]):
        if piece:
            best = max(best, (start, at - start), key=lambda run: run[1])
            start = at + 1
    return best


# --- the table ------------------------------------------------------------------------------------------------------


def _ipv4_range(text: str, what: str) -> Range:
    start, _, length = text.partition("/")
    number = parse_ipv4(start)
    assert number is not None
    return Range(number, 32 - int(length), what)


def _ipv6_range(text: str, what: str) -> Range:
    start, _, length = text.partition("/")
    number = parse_ipv6(start)
    assert number is not None
    return Range(number, 128 - int(length), what)


_IPV4_RANGES = tuple(
    _ipv4_range(text, what)
    for text, what in (
        ("0.0.0.0/8", "an address of “this network”"),
        ("10.0.0.0/8", "a private address"),
        ("100.100.100.200/32", METADATA),
        ("100.64.0.0/10", "an address inside of a provider's network"),
        ("127.0.0.0/8", "a loopback address"),
        ("168.63.129.16/32", PLATFORM),
        ("169.254.169.254/32", METADATA),
        ("169.254.0.0/16", LINK_LOCAL),
        ("172.16.0.0/12", "a private address"),
        ("192.0.0.192/32", METADATA),
        ("192.0.0.0/24", "an address kept for protocols"),
        ("192.0.2.0/24", "an address for documentation"),
        ("192.88.99.0/24", "an old relay between IPv6 and IPv4"),
        ("192.168.0.0/16", "a private address"),
        ("198.18.0.0/15", "an address for benchmarks"),
        ("198.51.100.0/24", "an address for documentation"),
        ("203.0.113.0/24", "an address for documentation"),
        ("224.0.0.0/4", "a multicast address"),
        ("240.0.0.0/4", "a reserved address"),
    )
)

_IPV6_RANGES = tuple(
    _ipv6_range(text, what)
    for text, what in (
        ("::/128", "the unspecified address"),
        ("::1/128", "a loopback address"),
        ("::/96", "an IPv4 address in an old IPv6 dress"),
        ("::ffff:0:0/96", "an IPv4 address mapped into IPv6"),
        ("::ffff:0:0:0/96", "an IPv4 address translated into IPv6"),
        ("64:ff9b:1::/48", "an address for translation inside of a network"),
        ("100::/64", "an address that swallows everything"),
        ("100:0:0:1::/64", "an address that swallows everything"),
        ("2001::/32", "an address of a Teredo tunnel"),
        ("2001::/23", "an address kept for protocols"),
        ("2001:db8::/32", "an address for documentation"),
        ("2002::/16", "an address of a 6to4 tunnel"),
        ("3fff::/20", "an address for documentation"),
        ("5f00::/16", "a segment routing address"),
        ("fd00:ec2::254/128", METADATA),
        ("fd20:ce::254/128", METADATA),
        ("fd00:42::42/128", METADATA),
        ("fc00::/7", "a private address"),
        ("fe80::/10", LINK_LOCAL),
        ("fec0::/10", "a site-local address"),
        ("ff00::/8", "a multicast address"),
    )
)

_PUBLIC = _ipv6_range("2000::/3", "a public address")
_NAT64 = _ipv6_range("64:ff9b::/96", "an IPv4 address translated into IPv6")
_ISATAP = frozenset({0x00005EFE, 0x02005EFE})
"""What stands before the IPv4 address at the end of an address of this kind of tunnel."""

_CARRIERS = tuple(
    (_ipv6_range(text, ""), shift, flipped)
    for text, shift, flipped in (
        ("::/96", 0, False),
        ("::ffff:0:0/96", 0, False),
        ("::ffff:0:0:0/96", 0, False),
        ("64:ff9b::/96", 0, False),
        ("2002::/16", 80, False),
        ("2001::/32", 0, True),
    )
)
"""Where an IPv4 address sits in an IPv6 one: the range, how far from the right, and whether its bits are turned."""


# --- judging --------------------------------------------------------------------------------------------------------


def ipv4_trouble(number: int) -> str | None:
    """What an address is, if it is no public one."""
    return next((r.what for r in _IPV4_RANGES if number >> r.bits == r.start >> r.bits), None)


def ipv6_trouble(number: int) -> str | None:
    """Like `ipv4_trouble`. An IPv4 address inside is judged too; where all that stands for IPv4 is translated, as
    in a network without IPv4, it decides alone."""
    inner = embedded_ipv4(number)
    trouble = None if inner is None else ipv4_trouble(inner)
    if inner is not None and trouble is not None and number > 1:
        return f"the IPv4 address {ipv4_text(inner)} inside of IPv6, {trouble}"
    if _holds(_NAT64, number):
        return None
    if (special := next((r.what for r in _IPV6_RANGES if _holds(r, number)), None)) is not None:
        return special
    return None if _holds(_PUBLIC, number) else "outside of what is public in IPv6"


def embedded_ipv4(number: int) -> int | None:
    """The IPv4 address that an IPv6 address carries, if it is of a kind that does."""
    for range, shift, flipped in _CARRIERS:
        if _holds(range, number):
            inner = number >> shift & 0xFFFFFFFF
            return inner ^ 0xFFFFFFFF if flipped else inner
    return number & 0xFFFFFFFF if number >> 32 & 0xFFFFFFFF in _ISATAP else None


def _holds(range: Range, number: int) -> bool:
    return number >> range.bits == range.start >> range.bits


def refuse_address(text: str) -> str | None:
    """Why nobody should connect to an address that a resolver gave, in one sentence; None when it is public."""
    ipv4 = parse_ipv4(text)
    ipv6 = parse_ipv6(text) if ipv4 is None else None
    if ipv4 is None and ipv6 is None:
        shown = text if len(text) <= 60 else f"{text[:60]}…"
        return f"`{shown}` is no IP address; refuse what the resolver said."
    trouble = ipv4_trouble(ipv4) if ipv4 is not None else ipv6_trouble(ipv6 or 0)
    return None if trouble is None else f"{text} is {trouble}; only public addresses are fetched."


MAX_NAME = 253
MAX_LABEL = 63
_MAX_WRITTEN = 2_048
"""Of a host as it is written; percent-encoding of names in other scripts makes them long."""

_PLAIN_NAME = re.compile(r"[a-z0-9_-]++(?:\.[a-z0-9_-]++)*+", re.ASCII)
_HEX_NUMBER = re.compile(r"0[xX][0-9a-fA-F]*", re.ASCII)
_HEX_PAIR = re.compile(rb"%([0-9a-fA-F]{2})")

_KEPT = frozenset("ßς\u200c\u200d")
"""What a name keeps although folding its case would change it."""
_FIRST = str.maketrans({**dict.fromkeys("\u3002\uff0e\uff61", "."), "ẞ": "ß"})
"""What folding gets wrong: the dots of other scripts, and the capital of a letter that is kept."""
_UNSEEN = re.compile("[\u00ad\u034f\u180b-\u180f\u200b\u2060\u2064\ufe00-\ufe0f\ufeff\U000e0100-\U000e01ef]")
"""Characters without a look that names lose on the way."""


class HostProblem(ValueError):
    """A text that is no host. The message completes “the host …”."""


class Host(NamedTuple):
    text: str
    """Normalised: a lower-case name in ASCII without a dot at its end, four numbers, or IPv6 in brackets."""
    ipv4: int | None = None
    ipv6: int | None = None


def parse_host(text: str) -> Host:
    """Raises `HostProblem`."""
    if text.startswith("["):
        return _bracketed(text)
    if len(text) > _MAX_WRITTEN:
        raise HostProblem("is too long")
    name = text if _PLAIN_NAME.fullmatch(text) and "xn--" not in text else _in_ascii(_decoded(text))
    if _ends_in_number(name):
        number = _ipv4(name)
        return Host(ipv4_text(number), ipv4=number)
    name = name.removesuffix(".")
    _check_length(name)
    return Host(name)


def _bracketed(text: str) -> Host:
    if not text.endswith("]"):
        raise HostProblem("opens a bracket that it doesn't close")
    inside = text[1:-1]
    if "%" in inside:
        raise HostProblem("names a zone of this machine behind a %")
    number = parse_ipv6(inside)
    if number is None:
        raise HostProblem("is no IPv6 address although it stands in brackets")
    return Host(f"[{ipv6_text(number)}]", ipv6=number)


def _check_length(name: str) -> None:
    if len(name) > MAX_NAME or max(map(len, name.split("."))) > MAX_LABEL:
        raise HostProblem(f"is too long: at most {MAX_NAME} characters, {MAX_LABEL} between two dots")


_INSIDE = ("internal", "intranet", "local", "localdomain", "lan", "corp", "home", "private", "home.arpa")
"""Endings that no public name has: reserved for networks of one's own, or never delegated."""


def is_inside(name: str) -> bool:
    """Whether a normalised name can only mean a machine of one's own network: it has one label, or such an ending."""
    return "." not in name or any(name == ending or name.endswith(f".{ending}") for ending in _INSIDE)


_METADATA_NAMES = frozenset({"metadata.goog", "metadata.tencentyun.com", "api.metadata.cloud.ibm.com"})
"""Public names of services that hand out a machine's credentials."""


def is_metadata(name: str) -> bool:
    return name in _METADATA_NAMES


# --- names ----------------------------------------------------------------------------------------------------------


def _decoded(text: str) -> str:
    """Percent-encoding undone once; a `%` that is left over is refused later."""
    if "%" not in text:
        return text
    data = _HEX_PAIR.sub(lambda found: bytes.fromhex(found[1].decode()), text.encode("utf-8", "surrogatepass"))
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise HostProblem("is not UTF-8 behind its % signs") from None


def _in_ascii(text: str) -> str:
    """Lower case, one form for each character, and other scripts in Punycode."""
    mapped = text.lower() if text.isascii() else _mapped(text)
    labels = [_label(label) for label in mapped.split(".")]
    if not any(labels):
        raise HostProblem("is missing")
    if "" in labels[:-1]:
        raise HostProblem("has two dots in a row or one at its start")
    return ".".join(labels)


def _mapped(text: str) -> str:
    """About what the IDNA mapping table says, as far as the standard library knows it."""
    import unicodedata

    seen = _UNSEEN.sub("", text.translate(_FIRST))
    folded = "".join(c if c in _KEPT else c.casefold() for c in unicodedata.normalize("NFKC", seen))
    return _UNSEEN.sub("", unicodedata.normalize("NFKC", folded)).translate(_FIRST)


def _label(label: str) -> str:
    if not label:
        return label
    if label.isascii():
        if not _PLAIN_NAME.fullmatch(label):
            raise HostProblem("has a character that no host name has")
        return _checked_punycode(label) if label.startswith("xn--") else label
    _check_letters(label)
    return f"xn--{_to_punycode(label)}"


def _check_letters(label: str) -> None:
    import unicodedata

    classes = [unicodedata.category(char) for char in label]
    odd = any(kind[0] in "CZ" and char not in _KEPT for char, kind in zip(label, classes, strict=True))
    odd = odd or any(char.isascii() and not _PLAIN_NAME.fullmatch(char) for char in label)
    if odd or "\ufffd" in label or classes[0][0] == "M" or label.startswith("xn--"):
        raise HostProblem("has a character that no host name has")


def _to_punycode(label: str) -> str:
    if len(label) > MAX_LABEL:  # before the encoder, whose time grows with the square
        raise HostProblem(f"is too long: at most {MAX_LABEL} characters between two dots")
    return label.encode("punycode").decode("ascii")


def _checked_punycode(label: str) -> str:
    """`xn--` has to stand for something that could not be written without it."""
    if len(label) > MAX_LABEL:
        raise HostProblem(f"is too long: at most {MAX_LABEL} characters between two dots")
    try:
        text = label[4:].encode("ascii").decode("punycode")
        again = "" if text.isascii() else _label(_mapped(text))
    except (UnicodeError, ValueError):
        again = ""
    if again != label:
        raise HostProblem("has a part that starts with xn-- and is no Punycode")
    return label


# --- numbers --------------------------------------------------------------------------------------------------------


def _ends_in_number(name: str) -> bool:
    """Whether the standard takes a name for an IPv4 address, or for a broken one."""
    last = name.removesuffix(".").rpartition(".")[2]
    return last.isdigit() or _HEX_NUMBER.fullmatch(last) is not None


def _ipv4(name: str) -> int:
    parts = name.removesuffix(".").split(".")
    if len(parts) > 4:
        raise HostProblem("ends in a number but is no IPv4 address")
    *first, last = (_number(part) for part in parts)
    if any(number > 255 for number in first) or last >= 256 ** (5 - len(parts)):
        raise HostProblem("ends in a number but is no IPv4 address: a part of it is too large")
    value = last
    for place, number in enumerate(first):
        value += number << 8 * (3 - place)
    return value


def _number(part: str) -> int:
    """Decimal, octal behind a zero, hexadecimal behind 0x."""
    digits, base = part, 10
    if part[:2] in ("0x", "0X"):
        digits, base = part[2:] or "0", 16
    elif len(part) > 1 and part[0] == "0":
        digits, base = part[1:], 8
    try:
        return int(digits.lstrip("0")[:40] or "0", base) if digits.isalnum() and digits.isascii() else _no_number()
    except ValueError:
        return _no_number()


def _no_number() -> int:
    raise HostProblem("ends in a number but is no IPv4 address")
