"""The host of a URL as a browser reads it: `127.1`, `0x7f.1` and `１２７．0.0.1` are all the same machine.

Follows the URL standard of the WHATWG. Stricter in two ways: of ASCII only letters, digits, hyphens, underscores and
dots stand in a name, and names are no longer than the DNS allows.
"""

import re
from typing import NamedTuple

from cairn.lib.urls.address import ipv4_text, ipv6_text, parse_ipv6

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
