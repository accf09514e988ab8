"""Recognises texts about something that is gone. A hit only turns a finding into a note."""

import re
from collections.abc import Iterable, Sequence

_GONE = re.compile(
    r"\b(?:deprecat\w*|removed|removal|deleted|renam(?:ed|ing)|replac(?:ed|es|ing)|formerly|previously|used to|"
    r"no longer|any ?more|legacy|obsolete|dropp(?:ed|ing)|migrat\w+|upgrad\w+|breaking|changed in|versionchanged|"
    r"superseded|in favou?r of|"
    r"the old|prior to|before v?\d|until v?\d|instead of|was called|old name|planned|not yet|propos\w+|historical\w*|"
    r"(?:is|are) now|was\b[^.\n]{0,80}\bnow|there is no|(?:does not|doesn't) exist|does not have|"
    r"(?:release|version|in|since|for|of|from)[- ]v?\d+\.\d[\w.]*)\b|~~",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:change ?log|release notes?|what.?s new|history|upgrad\w+|migrat\w+|breaking changes?|removed|"
    r"roadmap|future|ideas)\b|^(?:v\d+\.\d|\d+\.\d[\w.]*\s*(?:$|[(\[/:–—-]|\d))",
    re.IGNORECASE,
)
_DEPRECATED = re.compile(r"\bdeprecat", re.IGNORECASE)
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*"
_RECORD = re.compile(
    r"\s*+(?:(?:[-*+]|\d++\.)\s*+)?[*_\[(`]{0,4}(?:v?\d++\.\d[\w.]*+[*_\])`]{0,4}(?:[:\s–—-]|\(|$)"
    rf"|(?:19|20)\d\d[-/.](?:0?[1-9]|1[0-2])\b|{_MONTH}\.? (?:\d{{1,2}}, )?(?:19|20)\d\d)"
)
"""A line of a list of news: it begins with a version or a date."""
_VERSIONED = re.compile(r"\s*\.\. (?:version(?:added|changed|removed)|deprecated)::")
_CODE = re.compile(r"`[^`]*`")


def announces_a_change(text: str) -> bool:
    """Whether the words of a text, its code left out, talk about something that was or is to come."""
    return _GONE.search(_CODE.sub(" ", text)) is not None


def is_record(line: str) -> bool:
    """Whether a line tells what happened in a release or on a day."""
    return _RECORD.match(line) is not None


def is_about_the_past(headings: Iterable[str]) -> bool:
    """Whether a section, by its heading or one above it, tells what was or is to come."""
    return any(_PAST.search(heading) or _DEPRECATED.search(heading) for heading in headings)


def is_about_other_versions(headings: Iterable[str]) -> bool:
    """The same, without sections about what is deprecated: that is still there, until a change removes it."""
    return any(_PAST.search(heading) for heading in headings)


def is_versioned(lines: Sequence[str], line: int) -> bool:
    """Whether a line of `.rst` belongs to a directive such as `.. versionadded::`."""
    indent = _indent(lines[line - 1]) if line <= len(lines) else 0
    for above in reversed(lines[: line - 1]):
        if above.strip() and _indent(above) < indent:
            if _VERSIONED.match(above):
                return True
            indent = _indent(above)
        if not indent:
            return False
    return False


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
