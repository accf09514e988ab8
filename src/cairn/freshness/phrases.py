"""How pages say that there is a newer edition. In these patterns a sentence has `Qfamily` for the name of what an entry
is about; any other name in the same place means something else."""

import re
from typing import Final

from cairn.freshness.editions import VERSION

FAMILY: Final = "Qfamily"

_NOUN: Final = r"(?:version|release|edition|revision|specification|spec|standard|documentation|docs|recommendation)"
_NEWEST: Final = r"(?:latest|newest|most recent|current|most current)"
_KIND: Final = r"(?:stable|published|released|recommended|official|major|LTS|production|public|supported)"
_OLD: Final = (
    r"(?:old|older|outdated|out-of-date|previous|earlier|superseded|unsupported|end-of-life|archived|obsolete"
    r"|deprecated|insecure)"
)
_THIS: Final = rf"(?:this|these)\s+(?:\w+\s+){{0,2}}?(?:{_NOUN}|page|document|guide|site|manual)s?"
_WORD: Final = r"[A-Za-z@][\w.+#@/-]*"
_NAME: Final = rf"(?P<name>(?:{_WORD}\s+){{0,4}}?)"
_NAME2: Final = rf"(?P<name2>(?:{_WORD}\s+){{0,4}}?)"
_END: Final = r"(?![\w%]|\.\d)"
_NUMBER: Final = rf"(?P<version>{VERSION}){_END}"

ANY_VERSION: Final = re.compile(rf"(?<![\w.]){VERSION}{_END}", re.IGNORECASE)

_SPEAKING: Final = (
    *(
        "latest",
        "newest",
        "newer",
        "recent",
        "current",
        "releas",
        "availabl",
        " out",
        "publish",
        "supersed",
        "replaced",
    ),
    *("obsolet", "succeeded", "favor", "favour", "deprecat", "retired", "sunset", "end of life", "end-of-life", "old"),
    *("no longer", "supported", "outdated", "previous", "earlier", "archived", "insecure"),
)


def is_speaking(line: str) -> bool:
    """A line without any of these words says nothing of the kind; they are cheap to look for."""
    low = line.lower()
    return any(word in low for word in _SPEAKING)


OF_ITSELF: Final = re.compile(
    rf"\b{_THIS}\s+(?:is|are|describes|covers|documents|refers\s+to|was\s+written)\s+(?:the\s+)?"
    rf"(?:(?:documentation|docs)\s+)?(?:for\s+|of\s+)?(?:an?\s+|the\s+)?{_OLD}\s+(?:\S+\s+){{0,2}}?{_NOUN}"
    r"|\byou(?:['’]re|\s+are)\s+(?:currently\s+)?(?:viewing|reading|looking\s+at|browsing|seeing|on)\b[^.!?]{0,60}?"
    rf"\b{_OLD}\s+(?:\S+\s+){{0,2}}?{_NOUN}"
    rf"|\bnot\s+the\s+{_NEWEST}\s+(?:{_KIND}\s+)?{_NOUN}"
    rf"|\b{_THIS}\s+(?:is\s+outdated|has\s+been\s+superseded"
    rf"|is\s+no\s+longer\s+(?:the\s+{_NEWEST}|maintained|supported))"
    rf"|\ba\s+(?:newer|more\s+recent)\s+{_NOUN}\s+(?:of\s+(?:this|the)\s+\S+(?:\s+\S+){{0,3}}?\s+)?"
    r"(?:is\s+(?:now\s+)?available|exists|has\s+been\s+(?:released|published))",
    re.IGNORECASE,
)
"""A page says of itself that it is not the newest."""

LATEST_IS: Final = re.compile(
    rf"\b{_NEWEST}\s+(?:{_KIND}\s+){{0,2}}(?:(?P<before>{_WORD}(?:\s+{_WORD}){{0,2}}?)\s+)??{_NOUN}"
    rf"(?:\s+(?:of|for)\s+(?P<of>[^:.;,()]{{1,60}}?))?(?:\s+(?:is|was)\b|\s*[:=(–—-])\s*(?:now\s+)?(?:the\s+)?{_NAME}"
    rf"(?:version\s+|release\s+)?{_NUMBER}",
    re.IGNORECASE,
)
IS_LATEST: Final = re.compile(
    rf"(?<![\w.-]){_NAME}(?:version\s+|release\s+)?{_NUMBER}\s*(?:\([^)]{{0,40}}\)\s*)?(?:,\s+)?"
    rf"(?:is\s+(?:now\s+)?the\s+{_NEWEST}\s+(?:{_KIND}\s+){{0,2}}{_NOUN}"
    r"|(?:has\s+been|was|is\s+now|is)\s+(?:officially\s+|finally\s+)?(?:released|generally\s+available|published|out\b)"
    r"|is\s+now\s+available|released\s*!?$)",
    re.IGNORECASE,
)
SUCCEEDED: Final = re.compile(
    rf"\b(?:(?:superseded|replaced|obsoleted|succeeded)\s+by:?|in\s+favou?r\s+of)\s+(?:the\s+)?{_NAME}"
    rf"(?:version\s+)?{_NUMBER}",
    re.IGNORECASE,
)
ENDED: Final = re.compile(
    rf"(?<![\w.-]){_NAME}(?:version\s+|API\s+)?(?P<old>{VERSION})\s+(?:of\s+\S+\s+)?"
    r"(?:is|has\s+been|was|are|reached)\s+(?:now\s+)?(?:deprecated|retired|sunset|obsolete|superseded|end[ -]of[ -]life"
    r"|no\s+longer\s+(?:supported|maintained)|unsupported)\b[^!?]{0,80}?"
    r"\b(?P<instead>(?:use|(?:migrate|upgrade|move|switch)\s+to|see|replaced\s+by|superseded\s+by|in\s+favou?r\s+of)\s+"
    rf"(?:the\s+)?{_NAME2}(?:version\s+|API\s+)?{_NUMBER})",
    re.IGNORECASE,
)
CHANGELOG: Final = re.compile(
    r"\b(?:change[ -]?log|changes|release[ -]notes|releases|release history|version history|what['’]s new|news)\b",
    re.IGNORECASE,
)
CHANGELOG_URL: Final = re.compile(
    r"change-?log|release-?notes?|/releases?\b|whats-?new|/news\b|/history", re.IGNORECASE
)
RELEASE_HEADING: Final = re.compile(
    rf"{_NAME}(?:version\s+|release:?\s+)?\[?{_NUMBER}\]?(?:\s*[–—(:,-].{{0,60}})?", re.IGNORECASE
)
ABOUT_THIS: Final = re.compile(
    rf"(?:(?:the|welcome\s+to|introducing|announcing|what['’]s\s+new\s+in)\s+)*{_NAME}(?:version\s+|edition\s+)?"
    rf"{_NUMBER}(?P<rest>.*)",
    re.IGNORECASE,
)
COMPARES: Final = re.compile(
    r"\b(?:vs\.?|versus|from|to|migrat\w+|upgrad\w+|compar\w+|after|beyond|until|since)\b", re.IGNORECASE
)
LATEST_LABEL: Final = re.compile(
    rf"{_NEWEST}\s+(?:{_KIND}\s+){{0,2}}{_NOUN}\s*:?\s*(?P<url>https?://\S+)", re.IGNORECASE
)

_FILLER: Final = frozenset(
    ("the", "version", "release", "edition", "new", "newest", "latest", "current", "api", "now", "a", "an", "our")
)


def telling(name: str | None) -> list[str]:
    """The words of a name that say which thing is meant."""
    said = re.split(r"[\s:]+", name or "")
    return [word for word in said if word and word.lower() not in _FILLER]
