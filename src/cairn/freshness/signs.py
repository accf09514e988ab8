"""Signs on a page that there is a newer edition of something. Precise before complete: that a page merely mentions a
higher number is none."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from cairn.freshness.editions import VERSION, Own, is_newer, same_edition, segments, version_segment
from cairn.freshness.extractive.edition import family_words, order
from cairn.freshness.phrases import (
    ABOUT_THIS,
    ANY_VERSION,
    CHANGELOG,
    CHANGELOG_URL,
    COMPARES,
    ENDED,
    FAMILY,
    IS_LATEST,
    LATEST_IS,
    LATEST_LABEL,
    OF_ITSELF,
    RELEASE_HEADING,
    SUCCEEDED,
    is_speaking,
    telling,
)
from cairn.kernel.net.url import UrlProblem, host_of, split_url
from cairn.kernel.page.shown import Link, Shown, show
from cairn.kernel.ports.fetch import Page


class Sign(NamedTuple):
    kind: str
    """`selector`, `notice`, `statement`, `successor`, `changelog` or `title`."""
    version: str
    """Empty when the page only says that it is not the newest."""
    sentence: str
    """As it stands on the page."""


_MOVING: Final = frozenset({"latest", "stable", "current"})
_LONGEST: Final = 600
_MOST: Final = 400
"""Lines of a page that are looked at closely: time is somebody else's to waste otherwise."""
_SPOKEN: Final = {"3": "three", "5": "five", "7": "seven", "10": "ten", "12": "twelve"}
_STAMP: Final = re.compile(r"-(\d{4})(\d\d)(\d\d)$")


def signs_of(own: Own, page: Shown) -> Iterator[Sign]:
    """Everything on a page that shows a newer edition than this one."""
    if own.family.upper().endswith("RFC"):
        yield from _replaced_rfc(own, page)
    elif own.family.lower().startswith("draft-"):
        yield from _later_draft(own, page)
    else:
        subject = _Subject(own, page)
        yield from _selector(own, page)
        yield from _title(subject, page)
        yield from _changelog(subject, page)
        yield from _latest_link(own, page)
        for line in _speaking(page):
            yield from _in_line(subject, line)


def shows_the_same(one: Page, other: Page) -> bool:
    """Whether two pages with the same text show the same of other editions around it."""
    return _marks(one) == _marks(other)


def _marks(page: Page) -> frozenset[str]:
    """Everything that a sign could be read from, whatever the entry is about."""
    shown = show(page)
    if shown is None:
        return frozenset()
    said = (line for line in _speaking(shown) if _says_something(line))
    menus = (link.url for link in shown.links if any(re.fullmatch(VERSION, part, re.I) for part in segments(link.url)))
    return frozenset((shown.title, *said, *menus, *(f"{one.text} {one.url}" for one in shown.choices)))


def _says_something(line: str) -> bool:
    return any(pattern.search(line) for pattern in (OF_ITSELF, LATEST_IS, IS_LATEST, SUCCEEDED, ENDED, LATEST_LABEL))


def named_statements(page: Shown) -> Iterator[tuple[str, Sign]]:
    """What a page calls the newest of something, with the name of that thing."""
    for line in _speaking(page):
        for sentence in filter(_counts, _sentences(line)):
            for found in (*LATEST_IS.finditer(sentence), *IS_LATEST.finditer(sentence)):
                names = [words for key in ("of", "before", "name") if (words := telling(found.groupdict().get(key)))]
                if len(names) == 1:
                    yield " ".join(names[0]), Sign("statement", _number(found["version"]), sentence)


def _number(version: str) -> str:
    return version.lstrip("vV")


class _Subject:
    """What an entry is about, and whether words on a page mean it."""

    def __init__(self, own: Own, page: Shown) -> None:
        self.own = own
        words = family_words(own.family)
        name = r"[\s-]+".join(map(_spelled, words))
        self._pattern = re.compile(rf"(?<![\w@]){name}(?:[\s:/_-]+(?:spec(?:ification)?\s+)?|(?!\w))", re.IGNORECASE)
        self.named = bool(words)
        first = next((line.text for line in page.headings), "")
        tokens = set(re.split(r"[^a-z0-9]+", _readable(page.url).lower()))
        on_site = {_plain(word) for word in words} <= tokens or _plain(own.family) in tokens
        self.here = self.named and (on_site or any(self._pattern.search(text) for text in (page.title, first)))
        """Whether the page as a whole is about it."""
        dated = version_segment(page.url, own.version) is not None
        self.of_page = dated or (self.here and _names(f"{page.title} {first}", own.version))
        """Whether the page is the one of this very edition."""

    def read(self, text: str) -> str:
        """With a mark in place of the family's name."""
        return self._pattern.sub(f"{FAMILY} ", text) if self.named else text

    def means(self, *names: str | None) -> bool:
        """Names around a version: each is the family's; or there is none, and the page is about it."""
        given = [words for name in names if (words := telling(name))]
        if not given:
            return self.here or (not self.named and self.of_page)
        return all(words == [FAMILY] for words in given)


def _spelled(word: str) -> str:
    """`Top 10` and `Top Ten` are one."""
    number = next((spoken for digit, spoken in _SPOKEN.items() if digit == word), "")
    return f"(?:{re.escape(word)}|{number})" if number else re.escape(word)


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "", text.lower())


def _readable(url: str) -> str:
    try:
        parts = split_url(url)
    except UrlProblem:
        return ""
    return f"{parts.host.text} {parts.path}"


def _names(text: str, version: str) -> bool:
    return any(same_edition(found, version) for found in ANY_VERSION.findall(text))


# --- one line -------------------------------------------------------------------------------------------------------


def _speaking(page: Shown) -> list[str]:
    """Lines that may say something of other editions; of a page that is full of them, the first."""
    lines = (line.text for line in page.lines if len(line.text) <= _LONGEST and is_speaking(line.text))
    return list(islice(lines, _MOST))


def _in_line(subject: _Subject, line: str) -> Iterator[Sign]:
    for sentence in _sentences(line):
        if subject.of_page and OF_ITSELF.search(sentence):
            yield from _notice(subject.own, sentence, line)
        if _counts(sentence):
            yield from _statements(subject, sentence)
    for found in ENDED.finditer(subject.read(line)) if _counts(line) else ():
        ours = subject.means(found["name"]) and same_edition(found["old"], subject.own.version)
        if ours and (not telling(found["name2"]) or subject.means(found["name2"])):
            yield from _newer(subject.own, "successor", found["version"], line, near=found["instead"])


def _sentences(text: str) -> list[str]:
    return re.split(r"(?<=[.!?])\s+(?=[A-Z“\"(])", text)


def _counts(text: str) -> bool:
    return any(char.isdigit() for char in text)


def _notice(own: Own, sentence: str, line: str) -> Iterator[Sign]:
    """The page says of itself that it is not the newest; the version may stand there, or in the next sentence."""
    newer = [version for version in ANY_VERSION.findall(line) if is_newer(own, version, line)]
    best = max(newer, key=order, default="")
    if best or not own.lts:
        yield Sign("notice", _number(best), line if best else sentence)


def _statements(subject: _Subject, sentence: str) -> Iterator[Sign]:
    text = subject.read(sentence)
    for found in LATEST_IS.finditer(text):
        if subject.means(found["before"], found["of"], found["name"]):
            yield from _newer(subject.own, "statement", found["version"], sentence)
    for found in IS_LATEST.finditer(text):
        if subject.named and subject.means(found["name"]):
            yield from _newer(subject.own, "statement", found["version"], sentence)
    for found in SUCCEEDED.finditer(text):
        if subject.named and telling(found["name"]) and subject.means(found["name"]):
            yield from _newer(subject.own, "successor", found["version"], sentence)


def _newer(own: Own, kind: str, version: str, sentence: str, *, near: str | None = None) -> Iterator[Sign]:
    if is_newer(own, version, sentence if near is None else near):
        yield Sign(kind, _number(version), sentence)


# --- headings and titles --------------------------------------------------------------------------------------------


def _title(subject: _Subject, page: Shown) -> Iterator[Sign]:
    """The page itself is one of a newer edition."""
    top = [line.text for line in page.headings if line.level == 1][:1]
    for text in (page.title, *top):
        found = ABOUT_THIS.match(subject.read(text))
        if found and telling(found["name"]) == [FAMILY] and not COMPARES.search(found["rest"]):
            yield from _newer(subject.own, "title", found["version"], text)


def _changelog(subject: _Subject, page: Shown) -> Iterator[Sign]:
    first = next((line.text for line in page.headings), "")
    log = CHANGELOG.search(f"{page.title} {first}") or CHANGELOG_URL.search(page.url)
    if not (log and subject.here and _is_own_log(subject, page.title, first)):
        return
    for line in page.headings:
        found = RELEASE_HEADING.fullmatch(subject.read(line.text))
        if found and (not telling(found["name"]) or subject.means(found["name"])):
            yield from _newer(subject.own, "changelog", found["version"], line.text)


def _is_own_log(subject: _Subject, title: str, first: str) -> bool:
    """`psycopg for PostgreSQL: changelog` is about something else: what is named there first has to be the family."""
    for text in (first, title):
        known = CHANGELOG.sub(" ", subject.read(text))
        names = [word for word in telling(re.sub(r"[^\w.+#@/ -]", " ", known)) if re.match(r"[A-Za-z]{2}", word)]
        names = [word for word in names if word.lower() not in {"notes", "for", "in", "of", "all", "history"}]
        if names:
            return names[0] == FAMILY
    return True


# --- menus and links ------------------------------------------------------------------------------------------------


def _selector(own: Own, page: Shown) -> Iterator[Sign]:
    """The same page in another version: a link or a menu that differs in nothing but the version."""
    place = version_segment(page.url, own.version if own.pinned else "")
    if place is None or not same_edition(place[1], own.version):
        return
    parts = segments(page.url)
    for link in (*page.links, *page.choices):
        version = _other_version(link, parts, place[0], page.url)
        if version and is_newer(own, version, link.text):
            yield Sign("selector", _number(version), link.line)
    yield from _menu(own, place[1], page.choices)


def _other_version(link: Link, parts: list[str], at: int, url: str) -> str:
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


def _menu(own: Own, written: str, choices: tuple[Link, ...]) -> Iterator[Sign]:
    """Choices that are versions, with our own among them."""
    known = [(choice, found[0]) for choice in choices if (found := ANY_VERSION.match(choice.text))]
    if any(same_edition(version, written) for _, version in known):
        for choice, version in known:
            if is_newer(own, version, choice.text):
                yield Sign("selector", _number(version), choice.line)


def _latest_link(own: Own, page: Shown) -> Iterator[Sign]:
    """`Latest published version: https://www.w3.org/TR/WCAG22/`; label and address may be lines of their own."""
    for at, line in enumerate(page.lines if own.family else ()):
        behind = page.lines[at + 1].text if at + 1 < len(page.lines) else ""
        joined = line.text if "://" in line.text else f"{line.text} {behind}"
        found = LATEST_LABEL.match(joined[:_LONGEST].lstrip("- "))
        if found and (version := _of_address(own, found["url"], page.url)) and is_newer(own, version):
            yield Sign("statement", version, joined[:_LONGEST])


def _of_address(own: Own, url: str, here: str) -> str:
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


def _replaced_rfc(own: Own, page: Shown) -> Iterator[Sign]:
    """RFCs have no order; the page of one says itself which one replaced it."""
    number = re.escape(own.version)
    this = re.compile(rf"\brfc[\s/:-]*0*{number}\b", re.IGNORECASE)
    said = re.compile(r"\bobsoleted\s+by:?\s*(?:RFCs?\s*)?(\d{3,5})\b", re.IGNORECASE)
    replaces = r"(?:obsoletes|replaces|supersedes)"
    other = re.compile(rf"\bRFC\s*(\d{{3,5}})\s+(?:\([^)]*\)\s+)?{replaces}\s+(?:RFC\s*)?0*{number}\b", re.IGNORECASE)
    here = bool(this.search(f"{page.title} {_readable(page.url)} {_top(page)}"))
    for line in page.lines:
        for found in (*(said.finditer(line.text) if here else ()), *other.finditer(line.text)):
            if found[1] != own.version:
                yield Sign("successor", found[1], line.text[:_LONGEST])


def _top(page: Shown) -> str:
    """Old RFCs are one block of text that starts with who they are."""
    return next((line.text for line in page.headings), "") or " ".join(line.text for line in page.lines[:6])[:300]


def _later_draft(own: Own, page: Shown) -> Iterator[Sign]:
    pattern = re.compile(rf"\b{re.escape(own.family)}-(\d\d)\b", re.IGNORECASE)
    texts = (*(line.text for line in page.lines), *(link.url for link in (*page.links, *page.choices)))
    for text in texts:
        for found in pattern.finditer(text):
            if int(found[1]) > int(own.version):
                yield Sign("selector", found[1], text[:_LONGEST])
