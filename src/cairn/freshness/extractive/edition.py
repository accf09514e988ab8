"""Finds newer versions of what an entry is pinned to, by the name and the number that a text gives."""

import re
from collections.abc import Iterator
from typing import NamedTuple

_MONTH = "(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_YEAR = rf"(?:{_MONTH}\s+)?(?:19|20)\d\d(?:-\d\d(?:-\d\d)?)?"
_PINS = (
    re.compile(rf"\A(?P<family>.*?)(?<![\s:/@(-])[\s:/@(-]*+\b(?P<version>{_YEAR})$", re.IGNORECASE),
    re.compile(r"\A(?P<family>.*?)(?<![\s:/@(-])[\s:/@(-]*+\b(?P<version>v?\d+(?:\.\d+)*(?:\.x)?)\+?$", re.IGNORECASE),
)
_LONGEST_PIN = 200
_GENERIC = frozenset({"spec", "specification", "standard", "version", "edition", "release", "the", "draft", "api"})
PRE_RELEASE = re.compile(
    r"(?i)\b(?:draft|alpha|beta|rc\d*|candidate|pre-?release|preview|dev|canary|nightly|snapshot|unreleased|next)\b"
)
"""Labels that belong to a version number, as menus and release lists write them: not worth a question."""
OBSOLETED_BY = re.compile(r"(?im)^[ \t>|*-]*obsoleted by:\s*(?:RFCs?\s*)?(\d{3,5})\b")
"""A line in the header of an RFC, in the form that its editor gives it."""
_JOIN = r"(?:[\s:/_-]+|\s*[-–(]\s*)(?:(?:version|v|edition|release|spec|specification|standard)\.?[\s:]*)?"
_SOME_VERSION = rf"(?P<version>{_YEAR}|v?\d+(?:\.\d+)*(?:\.x)?)"


class Pin(NamedTuple):
    family: str
    """`OWASP Top 10`; what stands in front of the version."""
    version: str


class Newer(NamedTuple):
    """A newer edition that a text names. What it means is for a reader."""

    line: str
    """Of the new text, which shows it."""
    before: str = ""
    """The line of the old text that named the pinned version, where the new text has that version nowhere."""


def pins_of(edition: str | None) -> list[Pin]:
    """`OpenAPI 3.1 / GraphQL October 2021` names two."""
    parts = re.split(r"(?:(?<!\s)\s++)?;\s*|(?<!\s)\s++/\s+|(?:(?<!\s)\s++)?,\s+", edition or "")
    return [pin for part in parts if (pin := _pin(part.strip()))]


def _pin(text: str) -> Pin | None:
    found = next((match for pattern in _PINS if (match := pattern.match(text[:_LONGEST_PIN]))), None)
    family = found["family"].strip(" :/-(") if found else ""
    return Pin(family, found["version"]) if found and family else None


def newer_edition(edition: str | None, old: str, new: str) -> Newer | None:
    """The newest edition that the new text shows and the old one did not, of the first family that has one."""
    for pin in pins_of(edition):
        if pin.family.upper().endswith("RFC"):
            found = _obsoleted(pin, old, new)
        else:
            found = _newest(pin, old, new)
        if found:
            return found
    return None


def _newest(pin: Pin, old: str, new: str) -> Newer | None:
    own = order(pin.version)
    before, after = list(_shown(pin, old)), list(_shown(pin, new))
    known = max((order(one.version)[: len(own)] for one in before if one.released), default=own)
    newer = [one for one in after if one.released and _exceeds(order(one.version)[: len(own)], own, known)]
    if not newer:
        return None
    found = max(newer, key=lambda one: order(one.version))
    named = next((one.line for one in before if order(one.version)[: len(own)] == own), "")
    return Newer(found.line, "" if _stands(pin.version, new) else named)


def _stands(version: str, text: str) -> bool:
    """Whether a text has this version anywhere, whatever it belongs to."""
    number = version.lower().removeprefix("v").removesuffix(".x")
    return re.search(rf"(?<![\w.])v?{re.escape(number)}(?![^\W_])", text.lower()) is not None


def _exceeds(theirs: tuple[int, ...], own: tuple[int, ...], known: tuple[int, ...]) -> bool:
    return theirs > max(own, known) and plausible(own, theirs)


class _Shown(NamedTuple):
    version: str
    line: str
    released: bool
    """Its line has no label that says otherwise."""


def _shown(pin: Pin, text: str) -> Iterator[_Shown]:
    """Every version of the family, with the line that shows it."""
    for found in family_pattern(pin.family).finditer(text):
        line = _line_around(text, found.start(), found.end())
        version = re.sub(r"^v(?=\d)", "", found["version"], flags=re.IGNORECASE)
        if same_shape(pin.version, version):
            yield _Shown(version, line, PRE_RELEASE.search(line) is None)


def family_pattern(family: str) -> "re.Pattern[str]":
    name = r"[\s-]+".join(re.escape(word) for word in family_words(family))
    return re.compile(rf"(?<![\w@/]){name}{_JOIN}{_SOME_VERSION}(?![\w%]|\.\d)", re.IGNORECASE)


def family_words(family: str) -> list[str]:
    """Without those that say nothing, such as `spec`, at its ends."""
    words = [word for word in re.split(r"[\s-]+", family) if word]
    while len(words) > 1 and words[-1].lower() in _GENERIC:
        words.pop()
    while len(words) > 1 and words[0].lower() in _GENERIC:
        words.pop(0)
    return words


def _line_around(text: str, start: int, end: int) -> str:
    """The sentence or line in which something stands."""
    stop = text.rfind(". ", 0, start)
    begin = max(text.rfind("\n", 0, start) + 1, stop + 2 if stop >= 0 else 0)
    after = min(place for place in (text.find("\n", end), text.find(". ", end), len(text)) if place >= 0)
    return text[begin:after].strip()


def order(version: str) -> tuple[int, ...]:
    """What versions are compared by; a month counts behind its year."""
    numbers = tuple(int(part[:18]) for part in re.findall(r"\d+", version))  # Python refuses thousands of digits
    month = next((place for place, name in enumerate(_MONTHS, 1) if version.lower().startswith(name)), 0)
    return (*numbers, month) if month else numbers


_MONTHS = tuple(_MONTH[3:-1].lower().split("|"))


def same_shape(pinned: str, version: str) -> bool:
    """Years are compared with years, numbers with numbers."""
    own, other = order(pinned), order(version)
    return bool(own and other) and is_year(own[0]) == is_year(other[0])


def is_year(number: int) -> bool:
    return 1980 <= number < 2100


def plausible(own: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """`PostgreSQL 5432` is a port."""
    return is_year(own[0]) or other[0] <= 2 * own[0] + 10


def written_like(pinned: str, version: str) -> str:
    """The new version as precise as the old one was written: `0.8.x` goes to `0.9.x`."""
    if not pinned.lower().endswith(".x"):
        return (pinned[0] if pinned.startswith(("v", "V")) else "") + version
    kept = version.removesuffix(".x").split(".")[: pinned.count(".")]
    return ".".join(kept) + ".x"


def _obsoleted(pin: Pin, old: str, new: str) -> Newer | None:
    """RFCs have no order; the header of each has a line that names its successor."""
    known = {pin.version, *OBSOLETED_BY.findall(old)}
    lines = (
        _line_around(new, found.start(1), found.end(1)) for found in OBSOLETED_BY.finditer(new) if found[1] not in known
    )
    line = next(lines, None)
    return None if line is None else Newer(line)
