"""Editions: the one that an entry is about, and newer ones that a text names."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from cairn.core.model.knowledge import Entry, Source
from cairn.lib.urls.url import UrlProblem, split_url

_EDITION_MONTH = "(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_YEAR = rf"(?:{_EDITION_MONTH}\s+)?(?:19|20)\d\d(?:-\d\d(?:-\d\d)?)?"
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


class EditionPin(NamedTuple):
    family: str
    """`OWASP Top 10`; what stands in front of the version."""
    version: str


class NewerEdition(NamedTuple):
    """A newer edition that a text names. What it means is for a reader."""

    line: str
    """Of the new text, which shows it."""
    before: str = ""
    """The line of the old text that named the pinned version, where the new text has that version nowhere."""


def pins_of(edition: str | None) -> list[EditionPin]:
    """`OpenAPI 3.1 / GraphQL October 2021` names two."""
    parts = re.split(r"(?:(?<!\s)\s++)?;\s*|(?<!\s)\s++/\s+|(?:(?<!\s)\s++)?,\s+", edition or "")
    return [pin for part in parts if (pin := _text_pin(part.strip()))]


def _text_pin(text: str) -> EditionPin | None:
    found = next((match for pattern in _PINS if (match := pattern.match(text[:_LONGEST_PIN]))), None)
    family = found["family"].strip(" :/-(") if found else ""
    return EditionPin(family, found["version"]) if found and family else None


def newer_edition(edition: str | None, old: str, new: str) -> NewerEdition | None:
    """The newest edition that the new text shows and the old one did not, of the first family that has one."""
    for pin in pins_of(edition):
        if pin.family.upper().endswith("RFC"):
            found = _obsoleted(pin, old, new)
        else:
            found = _newest(pin, old, new)
        if found:
            return found
    return None


def _newest(pin: EditionPin, old: str, new: str) -> NewerEdition | None:
    own = order(pin.version)
    before, after = list(_shown(pin, old)), list(_shown(pin, new))
    known = max((order(one.version)[: len(own)] for one in before if one.released), default=own)
    newer = [one for one in after if one.released and _exceeds(order(one.version)[: len(own)], own, known)]
    if not newer:
        return None
    found = max(newer, key=lambda one: order(one.version))
    named = next((one.line for one in before if order(one.version)[: len(own)] == own), "")
    return NewerEdition(found.line, "" if _stands(pin.version, new) else named)


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


def _shown(pin: EditionPin, text: str) -> Iterator[_Shown]:
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


_MONTHS = tuple(_EDITION_MONTH[3:-1].lower().split("|"))


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


def _obsoleted(pin: EditionPin, old: str, new: str) -> NewerEdition | None:
    """RFCs have no order; the header of each has a line that names its successor."""
    known = {pin.version, *OBSOLETED_BY.findall(old)}
    lines = (
        _line_around(new, found.start(1), found.end(1)) for found in OBSOLETED_BY.finditer(new) if found[1] not in known
    )
    line = next(lines, None)
    return None if line is None else NewerEdition(line)


_EARLY: Final = r"(?:alpha|beta|rc|pre|preview|canary|dev|a|b)"
_MONTH: Final = "(?:January|February|March|April|May|June|July|August|September|October|November|December)"
VERSION: Final = (
    rf"(?:{_MONTH}\s+(?:19|20)\d\d|(?:19|20)\d\d-\d\d-\d\d"
    rf"|v?\d+(?:\.\d+){{0,3}}(?:\.x)?(?:[-.]?{_EARLY}[.-]?\d*)?)"
)
ANY_VERSION: Final = re.compile(rf"(?<![\w.]){VERSION}(?![\w%]|\.\d)", re.IGNORECASE)
_PRE: Final = re.compile(rf"(?<=\d)[-.]?({_EARLY})[.-]?(\d*)$", re.IGNORECASE)
_RANKS: Final = ("dev", "canary", "pre", "preview", "alpha", "a", "beta", "b", "rc")
_PRE_PIN: Final = re.compile(
    rf"\A(?P<family>.*?)(?<![\s:/@-])[\s:/@-]++v?(?P<version>\d+(?:\.\d+)*[-. ]?{_EARLY}[.\s-]?\d*)$", re.IGNORECASE
)
_BARE_PIN: Final = re.compile(rf"{_YEAR}|v?\d+(?:\.\d+)*(?:\.x)?", re.IGNORECASE)
"""A version without a name: whatever the sources are about."""
_DRAFT: Final = re.compile(r"\b(draft-[a-z0-9]+(?:-[a-z0-9]+)*)-(\d\d)$", re.IGNORECASE)
_LTS: Final = re.compile(r"(?<!\s)\s*+(?:[(,]\s*+)?\bLTS\b\)?$", re.IGNORECASE)
_ON_PURPOSE: Final = re.compile(r"==|<|≤|\d\+$|\d\s*(?:-|–|\.\.)\s*v?\d+(?:\.\d+)*$")
"""A bound or a range names its editions itself."""
_SEGMENT: Final = re.compile(r"v?\d+(?:\.\d+){1,3}(?:\.x)?|v\d+|\d+\.x", re.IGNORECASE)
_RFC: Final = re.compile(r"\brfc[\s/-]?0*(\d{3,5})\b", re.IGNORECASE)
_PLAIN: Final = re.compile(r"[^a-z0-9]+")


class OwnEdition(NamedTuple):
    """An edition that an entry is about."""

    family: str
    """`OWASP Top 10`; empty for a pin without a name, and when only the address of a source tells."""
    version: str
    pinned: bool = False
    lts: bool = False
    """Only editions with long support count as newer."""

    @property
    def pre(self) -> bool:
        """A version before a release: then others of its kind count."""
        return _PRE.search(self.version) is not None


def pinned(entry: Entry) -> list[OwnEdition]:
    """Editions that the pin names as `FAMILY VERSION` or `VERSION`. A bound (`< 4`), a range, or a word behind the
    version names none that could be replaced."""
    parts = re.split(r"(?:(?<!\s)\s++)?;\s*|(?<!\s)\s++/\s+|(?:(?<!\s)\s++)?,\s+", entry.edition or "")
    return [own for part in parts if (own := _pin(part.strip()))]


def stays_behind(entry: Entry) -> bool:
    """Whether the pin is a bound or a range."""
    return entry.edition is not None and bool(_ON_PURPOSE.search(_without_dates(entry.edition)))


def _without_dates(text: str) -> str:
    """`2025-11-25` and `POSIX.1-2017` are no ranges."""
    return re.sub(r"(?:(?<=\s)|^|(?<=[.:]))[\w.:]{0,60}?\d{4}-\d\d(?:-\d\d)?\b|\.\d-\d{4}\b|\bdraft-[\w-]+", " ", text)


def _pin(text: str) -> OwnEdition | None:
    if _ON_PURPOSE.search(_without_dates(text)):
        return None
    if draft := _DRAFT.search(text):
        return OwnEdition(draft[1], draft[2], True)
    if early := _PRE_PIN.fullmatch(text):
        return OwnEdition(early["family"].strip(" :/-("), early["version"], True) if early["family"].strip() else None
    bare = _LTS.sub("", text)
    if _BARE_PIN.fullmatch(bare):
        return OwnEdition("", bare, True, bare != text)
    found = pins_of(bare)
    return OwnEdition(found[0].family, found[0].version, True, bool(_LTS.search(text))) if found else None


def of_source(source: Source) -> Iterator[OwnEdition]:
    """What the address names: `/v3/`, `/3.11/`, `rfc7231`. Bare numbers and years are no versions there."""
    segment = version_segment(source.target)
    if segment is not None:
        yield OwnEdition("", segment[1])
    if found := _RFC.search(source.target):
        yield OwnEdition("RFC", found[1])


def version_segment(url: str, version: str = "") -> tuple[int, str] | None:
    """Place and text of the last part of a path that is a version; of this very one, when it is given."""
    for at, part in reversed(list(enumerate(segments(url)))):
        if version and part and same_edition(part, version):
            return at, part
        if not version and _SEGMENT.fullmatch(part):
            return at, part
    return None


def segments(url: str) -> list[str]:
    try:
        return split_url(url).path.strip("/").split("/")
    except UrlProblem:
        return []


def named_in_name(entry: Entry, own: OwnEdition) -> bool:
    """An entry that has the version in its name is about that version on purpose."""
    digits = "-".join(re.findall(r"\d+|x", own.version))
    said = f"-{_PLAIN.sub('-', entry.name.lower())}-"
    return bool(digits) and bool(re.search(rf"-v?{digits}-", said))


# --- which is newer -------------------------------------------------------------------------------------------------


def is_newer(own: OwnEdition, version: str, near: str = "") -> bool:
    """`near` is the label around it: a pre-release does not count, unless the pin is one itself."""
    version = version.strip().removeprefix("v").removeprefix("V")
    early = _PRE.search(version)
    if not own.pre and (early or PRE_RELEASE.search(near)):
        return False
    if own.lts and not re.search(r"\bLTS\b", near, re.IGNORECASE):
        return False
    if not same_shape(own.version, version) or _is_a_date(own, version):
        return False
    return _is_higher(own, version)


def _is_a_date(own: OwnEdition, version: str) -> bool:
    """`3.11.2024` is a day."""
    numbers = order(version)
    return not is_year(order(own.version)[0]) and any(is_year(number) for number in numbers[1:])


def _is_higher(own: OwnEdition, version: str) -> bool:
    if own.pre:
        return _rank(version) > _rank(own.version)
    mine = order(own.version)
    theirs = order(version)[: len(mine)]
    return theirs > mine and plausible(mine, theirs)


def _rank(version: str) -> tuple[tuple[int, ...], int, int]:
    """With what comes before a release: `15.0-rc.1` < `15.0-rc.2` < `15.0`."""
    early = _PRE.search(version)
    numbers = order(version[: early.start()] if early else version)
    padded = (*numbers, 0, 0, 0)[:3]
    if early is None:
        return padded, len(_RANKS), 0
    return padded, _RANKS.index(early[1].lower()), int(early[2] or 0)


def same_edition(one: str, other: str) -> bool:
    """At the precision of the less precise: `16` and `16.4`, `v5` and `5.x`."""
    mine, theirs = order(one), order(other)
    length = min(len(mine), len(theirs))
    return length > 0 and mine[:length] == theirs[:length]
