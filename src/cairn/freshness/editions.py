"""Which edition an entry is about: by its pin, by the address of a source, or by what it says itself."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from cairn.core.model.entry import Entry, Source
from cairn.freshness.extractive.edition import PRE_RELEASE, is_year, order, pins_of, plausible, same_shape
from cairn.lib.urls.url import UrlProblem, split_url

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
_DRAFT: Final = re.compile(r"\b(draft-[a-z0-9]+(?:-[a-z0-9]+)*)-(\d\d)$", re.IGNORECASE)
_LTS: Final = re.compile(r"(?<!\s)\s*+(?:[(,]\s*+)?\bLTS\b\)?$", re.IGNORECASE)
_ON_PURPOSE: Final = re.compile(r"==|<|≤|\d\+$|\d\s*(?:-|–|\.\.)\s*v?\d+(?:\.\d+)*$")
"""A bound or a range names its editions itself."""
_SEGMENT: Final = re.compile(r"v?\d+(?:\.\d+){1,3}(?:\.x)?|v\d+|\d+\.x", re.IGNORECASE)
_RFC: Final = re.compile(r"\brfc[\s/-]?0*(\d{3,5})\b", re.IGNORECASE)
_PLAIN: Final = re.compile(r"[^a-z0-9]+")


class Own(NamedTuple):
    """An edition that an entry is about."""

    family: str
    """`OWASP Top 10`; empty when only the address of a source tells."""
    version: str
    pinned: bool = False
    lts: bool = False
    """Only editions with long support count as newer."""

    @property
    def pre(self) -> bool:
        """A version before a release: then others of its kind count."""
        return _PRE.search(self.version) is not None


def pinned(entry: Entry) -> list[Own]:
    """Editions that the pin names as `FAMILY VERSION`. A bound (`< 4`), a range, or a word behind the version
    names none that could be replaced."""
    parts = re.split(r"(?:(?<!\s)\s++)?;\s*|(?<!\s)\s++/\s+|(?:(?<!\s)\s++)?,\s+", entry.edition or "")
    return [own for part in parts if (own := _pin(part.strip()))]


def stays_behind(entry: Entry) -> bool:
    """Whether the pin is a bound or a range."""
    return entry.edition is not None and bool(_ON_PURPOSE.search(_without_dates(entry.edition)))


def _without_dates(text: str) -> str:
    """`2025-11-25` and `POSIX.1-2017` are no ranges."""
    return re.sub(r"(?:(?<=\s)|^|(?<=[.:]))[\w.:]{0,60}?\d{4}-\d\d(?:-\d\d)?\b|\.\d-\d{4}\b|\bdraft-[\w-]+", " ", text)


def _pin(text: str) -> Own | None:
    if _ON_PURPOSE.search(_without_dates(text)):
        return None
    if draft := _DRAFT.search(text):
        return Own(draft[1], draft[2], True)
    if early := _PRE_PIN.fullmatch(text):
        return Own(early["family"].strip(" :/-("), early["version"], True) if early["family"].strip() else None
    found = pins_of(_LTS.sub("", text))
    return Own(found[0].family, found[0].version, True, bool(_LTS.search(text))) if found else None


def of_source(source: Source) -> Iterator[Own]:
    """What the address names: `/v3/`, `/3.11/`, `rfc7231`. Bare numbers and years are no versions there."""
    segment = version_segment(source.target)
    if segment is not None:
        yield Own("", segment[1])
    if found := _RFC.search(source.target):
        yield Own("RFC", found[1])


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


def named_in_name(entry: Entry, own: Own) -> bool:
    """An entry that has the version in its name is about that version on purpose."""
    digits = "-".join(re.findall(r"\d+|x", own.version))
    said = f"-{_PLAIN.sub('-', entry.name.lower())}-"
    return bool(digits) and bool(re.search(rf"-v?{digits}-", said))


# --- which is newer -------------------------------------------------------------------------------------------------


def is_newer(own: Own, version: str, near: str = "") -> bool:
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


def _is_a_date(own: Own, version: str) -> bool:
    """`3.11.2024` is a day."""
    numbers = order(version)
    return not is_year(order(own.version)[0]) and any(is_year(number) for number in numbers[1:])


def _is_higher(own: Own, version: str) -> bool:
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
