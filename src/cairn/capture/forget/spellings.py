"""All the bytes by which one text may stand in a file: other case, other encodings, escaped for JSON, URLs or HTML."""

import re
import unicodedata
from typing import Final

_SHORT: Final = {"\n": "n", "\r": "r", "\t": "t", "\b": "b", "\f": "f", '"': '"', "\\": "\\", "/": "/"}
"""What JSON writes with a backslash and one letter."""
_BACKSLASHES: Final = rb"\\(?:\\)*"
"""JSON in JSON doubles them, as often as it was packed. To begin with a plain character makes searching quick."""
_BLANKS: Final = " \t\r\n\u00a0"
_BLANK: Final = (
    rb"(?:[ \t\r\n]|\xc2\xa0|%(?:25)*(?:20|0[9aAdD]|[cC]2%(?:25)*[aA]0)|&(?:nbsp|#160);"
    rb"|\\(?:\\)*(?:[nrt]|u00(?:20|[aA]0|0[9aAdD])))+|\+"
)
_LONGEST_SPELLING: Final = 24
"""Bytes that one character may take."""


def spellings(text: str) -> list[re.Pattern[bytes]]:
    """Patterns that find a text however it is written. A blank in it stands for any blanks: pages wrap their lines."""
    forms = list(dict.fromkeys((text, *(unicodedata.normalize(form, text) for form in ("NFC", "NFD")))))
    narrow = b"|".join(_narrow(form) for form in forms)
    wide = [b"|".join(_wide(form, encoding) for form in forms) for encoding in ("utf-16-le", "utf-16-be")]
    return [re.compile(pattern) for pattern in (narrow, *wide)]


def longest(text: str) -> int:
    """Bytes that one finding may have; whoever searches piece by piece lets them overlap by so many."""
    return (len(text) + 2) * _LONGEST_SPELLING


def _narrow(text: str) -> bytes:
    return b"".join(b"(?:" + _character(part) + b")" for part in _parts(text))


def _parts(text: str) -> list[str]:
    """Characters; blanks in a row are one."""
    return re.findall(rf"[{_BLANKS}]+|.", text, re.DOTALL)


def _character(part: str) -> bytes:
    if part[0] in _BLANKS:
        return _BLANK
    return b"|".join(dict.fromkeys(form for variant in _cases(part) for form in _forms(variant)))


def _cases(character: str) -> list[str]:
    return list(dict.fromkeys((character, character.lower(), character.upper())))


def _forms(text: str) -> list[bytes]:
    """Mostly of one character; some letters become two in the other case."""
    data = text.encode("utf-8", "surrogatepass")
    found = [re.escape(data)]
    if len(text) == 1 and text in _SHORT:
        found.append(_BACKSLASHES + re.escape(_SHORT[text].encode()))
    units = text.encode("utf-16-be", "surrogatepass").hex()
    found.append(b"".join(_BACKSLASHES + b"u" + _hex(units[at : at + 4]) for at in range(0, len(units), 4)))
    found.append(b"".join(b"%(?:25)*" + _hex(f"{byte:02x}") for byte in data))
    found.append(b"".join(_entity(character) for character in text))
    return found


def _hex(digits: str) -> bytes:
    return "".join(digit if digit.isdigit() else f"[{digit}{digit.upper()}]" for digit in digits).encode()


def _entity(character: str) -> bytes:
    from html.entities import codepoint2name

    number = ord(character)
    named = codepoint2name.get(number)
    names = [rb"#0*%d" % number, b"#[xX]0*" + _hex(f"{number:x}"), *([named.encode()] if named else [])]
    return b"&(?:" + b"|".join(names) + b");"


def _wide(text: str, encoding: str) -> bytes:
    parts = []
    for part in _parts(text):
        variants = [" ", "\n", "\t", "\r\n"] if part[0] in _BLANKS else _cases(part)
        parts.append(b"|".join(re.escape(variant.encode(encoding, "surrogatepass")) for variant in variants))
    return b"".join(b"(?:" + part + b")" for part in parts)
