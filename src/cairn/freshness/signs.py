"""Finds signs on a page that an edition is not the current one: a version menu, a link, a title, a release heading, a
label, a banner.

A sign is a reason to ask a reader, never more: a release may have been withdrawn, a title may be about something else.
What a notice means (`no longer maintained`) is not decided here; it is quoted, where the entry has a pin.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from cairn.freshness.editions import (
    ANY_VERSION,
    OBSOLETED_BY,
    VERSION,
    OwnEdition,
    family_words,
    is_newer,
    same_edition,
    same_shape,
    segments,
    version_segment,
)
from cairn.lib.html.charset import FetchedPage
from cairn.lib.html.shown import ShownLink, ShownPage, show
from cairn.lib.urls.url import UrlProblem, host_of, split_url


class EditionSign(NamedTuple):
    kind: str
    """`selector`, `statement`, `successor`, `changelog`, `title`, `version` or `notice`."""
    version: str
    """Empty where a notice names none."""
    sentence: str
    """As it stands on the page."""


_MOVING: Final = frozenset({"latest", "stable", "current"})
"""Parts of an address that stand for the newest edition."""
_LATEST_LABEL: Final = re.compile(
    r"(?:latest|current)(?: (?:stable|published|released))? version\s*+(?::\s*+)?(?P<url>https?://\S+)", re.IGNORECASE
)
"""The line of a document's header that links its newest edition."""
_LATEST_VALUE: Final = re.compile(
    r"(?:latest|current)(?: (?:stable|published|released))? (?:version|release)\s*+:\s*+"
    rf"(?P<name>(?:\S(?:.*?\S)??)??)\s*+(?:version )?(?P<version>{VERSION})",
    re.IGNORECASE,
)
"""A label with its value: `Latest release: 17`, `Latest version: Lantern 3.14`."""
_CHANGELOG_URL: Final = re.compile(r"change-?log|release-?notes?|/releases?\b|whats-?new", re.IGNORECASE)
_RELEASE_HEADING: Final = re.compile(
    rf"(?:Qfamily\s+)?(?:version\s+|release\s+)?\[?(?P<version>{VERSION})\]?(?:\s*[–—(:,-].{{0,60}})?", re.IGNORECASE
)
_TITLE: Final = re.compile(
    rf"Qfamily\s+(?:version\s+)?(?P<version>{VERSION})(?:\s+(?:documentation|docs))?(?:\s*[|–—(:·»-].*)?", re.IGNORECASE
)
_OWN_VERSION: Final = re.compile(
    rf"(?:document |software |current )?(?:version|release)\s*+(?::\s*+)?(?P<version>{VERSION})", re.I
)
"""A line that is nothing but the version of the page itself."""
_NOTICE: Final = re.compile(
    r"no longer (?:actively )?(?:maintained|supported|developed|updated)|end[- ]of[- ](?:life|support|maintenance)"
    r"|\b(?:is|are|was|were|been|now|officially)"
    r" (?:deprecated|archived|discontinued|superseded|retired|unmaintained|outdated)"
    r"|\b(?:is|are|for|of|viewing|reading|at|not) (?:an old|an older|an outdated|a previous|the latest|the current)"
    r" (?:version|release|edition)"
    r"|\b(?:newer|more recent) (?:version|release|edition)\b.{0,60}\b(?:available|released|published)",
    re.IGNORECASE,
)
"""Words that ask. They never decide: whoever reads the line does."""
_OF_THE_PAGE: Final = re.compile(
    r"\b(?:this|these)(?: \w+)? (?:page|version|release|edition|docs|documentation|document|specification|standard"
    r"|project|package|library|repository|branch|guide|api)\b|\bthis is\b"
    r"|\byou(?:'re|’re| are) (?:viewing|reading|looking at)",
    re.IGNORECASE,
)
_FAMILY: Final = "Qfamily"
"""Stands for the name of what an entry is about."""
_LONGEST: Final = 600
_MOST_SHOWN: Final = 60
_STAMP: Final = re.compile(r"-(\d{4})(\d\d)(\d\d)$")


def signs_of(own: OwnEdition, page: ShownPage) -> Iterator[EditionSign]:
    """Everything on a page that shows a newer edition than this one."""
    if own.family.upper().endswith("RFC"):
        yield from _replaced_rfc(own, page)
    elif own.family.lower().startswith("draft-"):
        yield from _later_draft(own, page)
    else:
        yield from _selector(own, page)
        yield from _title(own, page)
        yield from _changelog(own, page)
        yield from _latest_link(own, page)
        yield from _latest_value(own, page)
        yield from _other_own_version(own, page)
        if own.pinned and not own.family.lower().startswith("legacy"):
            yield from _notices(own, page)


def telling_lines(own: OwnEdition, page: ShownPage) -> list[str]:
    """What a reader needs to see of a page: the signs, its title, headings, notices and version menus."""
    signs = (sign.sentence for sign in signs_of(own, page))
    titles = (page.title, *(line.text for line in page.headings))
    labels = (line.text for line in page.lines if _is_label(line.text))
    choices = (choice.line for choice in page.choices)
    lines = (" ".join(line.split())[:_LONGEST] for line in (*signs, *titles, *labels, *choices))
    return [line for line in dict.fromkeys(lines) if line][:_MOST_SHOWN]


def shows_the_same(one: FetchedPage, other: FetchedPage) -> bool:
    """Whether two pages with the same text show the same of other editions around it."""
    return _marks(one) == _marks(other)


def _marks(page: FetchedPage) -> frozenset[str]:
    """Everything that a sign could be read from, whatever the entry is about."""
    shown = show(page)
    if shown is None:
        return frozenset()
    labels = (line.text for line in shown.lines if _is_label(line.text))
    menus = (link.url for link in shown.links if any(re.fullmatch(VERSION, part, re.I) for part in segments(link.url)))
    return frozenset((shown.title, *labels, *menus, *(f"{one.text} {one.url}" for one in shown.choices)))


def _is_label(line: str) -> bool:
    return bool(
        _LATEST_LABEL.match(line)
        or _LATEST_VALUE.fullmatch(line[:_LONGEST])
        or OBSOLETED_BY.search(line)
        or _OWN_VERSION.fullmatch(line)
        or _NOTICE.search(line[:_LONGEST])
    )


def _number(version: str) -> str:
    return version.lstrip("vV")


def _newer(own: OwnEdition, kind: str, version: str, text: str) -> Iterator[EditionSign]:
    if is_newer(own, version, text):
        yield EditionSign(kind, _number(version), text)


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "", text.lower())


def _readable(url: str) -> str:
    try:
        parts = split_url(url)
    except UrlProblem:
        return ""
    return f"{parts.host.text} {parts.path}"


# --- headings and titles --------------------------------------------------------------------------------------------


def _read(own: OwnEdition, text: str) -> str:
    """With a mark in place of the family's name, where the text begins with it."""
    name = r"[\s-]+".join(map(re.escape, family_words(own.family)))
    pattern = re.compile(rf"{name}(?:[\s:/_-]+(?:spec(?:ification)?\s+)?|(?!\w))", re.IGNORECASE)
    found = pattern.match(text.strip()) if name else None
    return f"{_FAMILY} {text.strip()[found.end() :]}" if found else text


def _title(own: OwnEdition, page: ShownPage) -> Iterator[EditionSign]:
    """The page itself is one of a newer edition: its title is the name and the number."""
    top = [line.text for line in page.headings if line.level == 1][:1]
    for text in (page.title, *top):
        if found := _TITLE.fullmatch(_read(own, text)):
            yield from _newer(own, "title", found["version"], text)


def _changelog(own: OwnEdition, page: ShownPage) -> Iterator[EditionSign]:
    """Headings that are a version, on a page whose address calls it a list of releases."""
    if not (_CHANGELOG_URL.search(page.url) and _is_about(own, page)):
        return
    for line in page.headings:
        if found := _RELEASE_HEADING.fullmatch(_read(own, line.text)):
            yield from _newer(own, "changelog", found["version"], line.text)


def _is_about(own: OwnEdition, page: ShownPage) -> bool:
    """Whether the title begins with the family's name, or the address contains it."""
    words = [_plain(word) for word in family_words(own.family)]
    tokens = set(re.split(r"[^a-z0-9]+", _readable(page.url).lower()))
    first = next((line.text for line in page.headings), "")
    begins = any(_read(own, text).startswith(_FAMILY) for text in (page.title, first))
    return bool(words) and (begins or set(words) <= tokens or _plain(own.family) in tokens)


# --- the page about itself ------------------------------------------------------------------------------------------


def _other_own_version(own: OwnEdition, page: ShownPage) -> Iterator[EditionSign]:
    """The page says which version it is of, once, and it is not the pinned one. A pin without a name is about whatever
    the page is about."""
    if not own.pinned or (own.family and not _is_about(own, page)):
        return
    said = [(line, found) for line in page.lines if (found := _OWN_VERSION.fullmatch(line.text.strip("- ")))]
    if len(said) != 1:
        return
    line, found = said[0]
    if same_shape(own.version, found["version"]) and not same_edition(found["version"], own.version):
        yield EditionSign("version", _number(found["version"]), line.text)


def _notices(own: OwnEdition, page: ShownPage) -> Iterator[EditionSign]:
    """Lines that ask whether the pinned edition is still the current one."""
    for line in page.lines:
        text = line.text[:_LONGEST]
        if _NOTICE.search(text) and _concerns(own, text) and not _calls_current(own, text):
            newer = [found for found in ANY_VERSION.findall(text) if is_newer(own, found)]
            yield EditionSign("notice", _number(newer[0]) if len(newer) == 1 else "", text)


def _calls_current(own: OwnEdition, text: str) -> bool:
    """`The current edition is 2025`, of an entry about 2025."""
    found = re.search(rf"(?:latest|current)[^.]{{0,40}}?\s({VERSION})", text, re.IGNORECASE)
    return found is not None and same_edition(found[1], own.version) and not is_newer(own, found[1])


def _concerns(own: OwnEdition, text: str) -> bool:
    """Whether a line is about this edition: it speaks of the page or the family and of no older edition, or it begins
    with this very one."""
    versions = [found for found in ANY_VERSION.findall(text) if same_shape(own.version, found)]
    ours = [found for found in versions if same_edition(found, own.version)]
    name = r"[\s-]+".join(map(re.escape, family_words(own.family)))
    named = bool(name) and re.search(rf"(?<!\w){name}(?!\w)", text, re.IGNORECASE) is not None
    if named or _OF_THE_PAGE.search(text):
        return bool(ours) or all(is_newer(own, found) for found in versions)
    return (
        bool(ours)
        and re.match(rf"(?:the )?(?:api|version|release|edition)? ?{re.escape(ours[0])}", text, re.I) is not None
    )


# --- menus and links ------------------------------------------------------------------------------------------------


def _selector(own: OwnEdition, page: ShownPage) -> Iterator[EditionSign]:
    """The same page in another version: a link or a menu that differs in nothing but the version."""
    place = version_segment(page.url, own.version if own.pinned else "")
    if place is None or not same_edition(place[1], own.version):
        return
    parts = segments(page.url)
    for link in (*page.links, *page.choices):
        version = _other_version(link, parts, place[0], page.url)
        if version and is_newer(own, version, link.text):
            yield EditionSign("selector", _number(version), link.line)
    yield from _menu(own, place[1], page.choices)


def _other_version(link: ShownLink, parts: list[str], at: int, url: str) -> str:
    theirs = segments(link.url) if host_of(link.url) == host_of(url) else []
    if len(theirs) <= at or theirs[:at] != parts[:at]:
        return ""
    rest = theirs[at + 1 :]
    if rest and rest != parts[at + 1 :]:
        return ""
    if theirs[at].lower() in _MOVING:
        found = ANY_VERSION.findall(link.text)
        return str(found[0]) if len(found) == 1 else ""
    same_form = (theirs[at][:1] in "vV") == (parts[at][:1] in "vV")
    return theirs[at] if same_form and re.fullmatch(VERSION, theirs[at], re.IGNORECASE) else ""


def _menu(own: OwnEdition, written: str, choices: tuple[ShownLink, ...]) -> Iterator[EditionSign]:
    """Choices that are versions, with our own among them."""
    known = [(choice, found[0]) for choice in choices if (found := ANY_VERSION.match(choice.text))]
    if any(same_edition(version, written) for _, version in known):
        for choice, version in known:
            if is_newer(own, version, choice.text):
                yield EditionSign("selector", _number(version), choice.line)


def _latest_link(own: OwnEdition, page: ShownPage) -> Iterator[EditionSign]:
    """`Latest published version: https://www.w3.org/TR/WCAG22/`; label and address may be lines of their own."""
    for at, line in enumerate(page.lines if own.family else ()):
        behind = page.lines[at + 1].text if at + 1 < len(page.lines) else ""
        joined = line.text if "://" in line.text else f"{line.text} {behind}"
        found = _LATEST_LABEL.match(joined[:_LONGEST].lstrip("- "))
        if found and (version := _of_address(own, found["url"], page.url)) and is_newer(own, version):
            yield EditionSign("statement", version, joined[:_LONGEST])


def _latest_value(own: OwnEdition, page: ShownPage) -> Iterator[EditionSign]:
    """The label names the family, or stands on a page about it."""
    for line in page.lines if own.family else ():
        found = _LATEST_VALUE.fullmatch(line.text[:_LONGEST].lstrip("- "))
        if found and (_read(own, found["name"]).strip() == _FAMILY or (not found["name"] and _is_about(own, page))):
            yield from _newer(own, "statement", found["version"], line.text)


def _of_address(own: OwnEdition, url: str, here: str) -> str:
    """`WCAG22` is WCAG 2.2, `REC-css-20241212` is of that day, and a version beside our own is what it says."""
    last = next((part for part in reversed(segments(url)) if part), "")
    if (
        host_of(url) == host_of(here)
        and segments(url)[:-1] == segments(here)[:-1]
        and re.fullmatch(VERSION, last, re.I)
    ):
        return _number(last)
    if stamp := _STAMP.search(last):
        return "-".join(stamp.groups()) if re.match(r"\d{4}-", own.version) else ""
    family = _plain("".join(family_words(own.family)))
    found = re.fullmatch(rf"(?:rec-)?{re.escape(family)}-?(\d+(?:\.\d+)*)", last.lower())
    if found is None or "." in found[1] or "." not in own.version:
        return found[1] if found else ""
    return ".".join(found[1]) if len(found[1]) == len(re.findall(r"\d", own.version)) else ""


# --- RFCs and drafts ------------------------------------------------------------------------------------------------


def _replaced_rfc(own: OwnEdition, page: ShownPage) -> Iterator[EditionSign]:
    """RFCs have no order; the header of one has a line that names its successor."""
    this = re.compile(rf"\brfc[\s/:-]*0*{re.escape(own.version)}\b", re.IGNORECASE)
    if not this.search(f"{page.title} {_readable(page.url)} {_top(page)}"):
        return
    for line in page.lines:
        for number in OBSOLETED_BY.findall(line.text):
            if number != own.version:
                yield EditionSign("successor", number, line.text[:_LONGEST])


def _top(page: ShownPage) -> str:
    """Old RFCs are one block of text that starts with who they are."""
    return next((line.text for line in page.headings), "") or " ".join(line.text for line in page.lines[:6])[:300]


def _later_draft(own: OwnEdition, page: ShownPage) -> Iterator[EditionSign]:
    pattern = re.compile(rf"\b{re.escape(own.family)}-(\d\d)\b", re.IGNORECASE)
    texts = (*(line.text for line in page.lines), *(link.url for link in (*page.links, *page.choices)))
    for text in texts:
        for found in pattern.finditer(text):
            if int(found[1]) > int(own.version):
                yield EditionSign("selector", found[1], text[:_LONGEST])
