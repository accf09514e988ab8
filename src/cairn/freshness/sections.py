"""Sections of the second level: found outside of fenced code, replaced, added behind one another, taken out.

What is not part of the section stays as it is, character for character, but for the blank line between two sections.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple

from cairn.errors import Refused
from cairn.lib.markdown.blocks import fences

_HEADING: Final = re.compile(r"^ {0,3}(#{1,6})(?=[ \t]|\r?$)(.*)$", re.MULTILINE)
_LOCATION: Final = re.compile(r"##[ \t]+\S")
_INSERTED: Final = re.compile(r"#{2,3}[ \t]+\S")


class SectionHeading(NamedTuple):
    start: int
    """Of its line."""
    level: int
    text: str
    """The line without blanks around it, `## Summary`."""

    @property
    def title(self) -> str:
        """Comparable: without the marks, in one case, with single blanks."""
        return " ".join(self.text.lstrip("#").rstrip("#").split()).casefold()


def headings(body: str) -> list[SectionHeading]:
    """All that are none of some script in a fence, in order."""
    blocks = iter([*fences(body), (len(body) + 1, len(body) + 1)])
    start, end = next(blocks)
    found = []
    for match in _HEADING.finditer(body):
        while match.start() >= end:
            start, end = next(blocks)
        if match.start() < start:
            found.append(SectionHeading(match.start(), len(match[1]), match[0].strip()))
    return found


class SectionRegion(NamedTuple):
    start: int
    end: int


def region_of(body: str, location: str) -> SectionRegion:
    """The first section with that heading, up to the next heading of the first or second level."""
    wanted = location.strip()
    if not _LOCATION.match(wanted):
        raise Refused(f"`{_short(wanted)}` is no heading of the second level; a place in a page is written `## Title`.")
    known = headings(body)
    for at, heading in enumerate(known):
        if heading.text == wanted:
            after = (other.start for other in known[at + 1 :] if other.level <= 2)
            return SectionRegion(heading.start, next(after, len(body)))
    raise Refused(f"There is no section `{_short(wanted)}` in the page; it may have been edited since it was audited.")


# --- edits ----------------------------------------------------------------------------------------------------------


def replaced(body: str, location: str, new_text: str) -> str:
    """The section given anew, heading and all."""
    region = region_of(body, location)
    if _first_line(new_text) != location.strip():
        raise Refused(
            f"The new text for `{_short(location)}` starts with `{_short(_first_line(new_text))}`; "
            "it has to start with the same heading."
        )
    return _joined(body, region.start, new_text, region.end)


def inserted(body: str, location: str, new_text: str) -> str:
    """A section more, behind the one that is named."""
    region = region_of(body, location)
    if not _INSERTED.match(_first_line(new_text)):
        raise Refused(f"The text to add after `{_short(location)}` has to start with a heading, `## …` or `### …`.")
    return _joined(body, region.end, new_text, region.end)


def is_location(text: str) -> bool:
    """Whether it names a section, `## Title`, and not a sentence."""
    return _LOCATION.match(text.strip()) is not None


def sentence_replaced(text: str, sentence: str, new: str) -> str | None:
    """Everywhere it stands by itself; None where it does not. What begins or ends a longer word is another word."""
    before = r"(?<!\w)" if sentence[:1].isalnum() else ""
    after = r"(?!\w)" if sentence[-1:].isalnum() else ""
    edited, count = re.subn(f"{before}{re.escape(sentence)}{after}", lambda _: new, text)
    return edited if count and sentence.strip() else None


def deleted(body: str, location: str) -> str:
    region = region_of(body, location)
    return _joined(body, region.start, "", region.end)


def _joined(body: str, start: int, new_text: str, end: int) -> str:
    """What stands before, the new text, what stands behind, with a blank line between."""
    newline = "\r\n" if "\r\n" in body else "\n"
    before, tail = body[:start], body[end:]
    middle = _lines(new_text.strip(), newline)
    if _open_fence(middle):
        raise Refused("The new text opens a block of code and does not close it; nothing was changed.")
    last = before if start == end else body[start:end]
    ending = last[len(last.rstrip()) :] if not tail else ""
    if not middle:
        return _with_blank(before, newline) + tail if tail else before.rstrip() + _one_break(ending)
    head = _with_blank(before, newline) + middle
    if not tail:
        return head + _one_break(ending)
    kept = last[len(last.rstrip()) :]
    return head + (kept if start != end and kept.count("\n") > 1 else 2 * newline) + tail


def _with_blank(before: str, newline: str) -> str:
    """The text with a blank line at its end; one that is there already is left as it is."""
    if not before.strip():
        return before
    breaks = before[len(before.rstrip()) :].count("\n")
    return before + newline * max(0, 2 - breaks)


def _one_break(ending: str) -> str:
    """How a page ended: with a line break, or without."""
    return ending[: ending.index("\n") + 1].lstrip(" \t") if "\n" in ending else ""


def _lines(text: str, newline: str) -> str:
    return newline.join(line.rstrip("\r") for line in text.split("\n"))


def _open_fence(text: str) -> bool:
    """Whether a heading behind this text would be taken for code."""
    probe = f"{text}\n\n## probe"
    known = headings(probe)
    return bool(text) and (not known or known[-1].text != "## probe")


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0].strip()


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else f"{line[:59]}…"


# --- what an edit must not bring ------------------------------------------------------------------------------------


def refuse_doubles(before: str, after: str) -> None:
    """Edits that leave two sections of one name, or an edition beside the edition that it replaces."""
    old, new = Counter(_named(before)), Counter(_named(after))
    for (parent, heading), count in new.items():
        if count > max(1, old[parent, heading]):
            where = f" below `{parent}`" if parent else ""
            raise Refused(f"The edits would leave the heading `{heading}` {count} times{where}; nothing was changed.")
    parallel = _editions(after) - _editions(before)
    for base, edition in sorted(parallel):
        raise Refused(
            f"The edits would put `## {edition}` beside `## {base}`; replace the section instead of adding an edition."
        )


def _named(body: str) -> Iterator[tuple[str, str]]:
    """Second level everywhere, third level below its second."""
    parent = ""
    for heading in headings(body):
        if heading.level == 2:
            parent = heading.title
            yield "", heading.title
        elif heading.level == 3:
            yield parent, heading.title


def _editions(body: str) -> set[tuple[str, str]]:
    """Pairs of titles of which one is the other with an edition behind it."""
    titles = {heading.title for heading in headings(body) if heading.level == 2}
    return {
        (base, title)
        for title in titles
        for base in _beginnings(title)
        if base in titles and any(char.isdigit() for char in title[len(base) :])
    }


def _beginnings(title: str) -> Iterator[str]:
    for at, char in enumerate(title):
        if char in " :(" and at:
            yield title[:at]
