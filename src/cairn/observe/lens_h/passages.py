"""A document as passages that claim something: sentences, items and rows of tables, each with what it stands under."""

import re
from collections.abc import Iterator
from functools import cached_property
from posixpath import basename, splitext
from typing import NamedTuple

from cairn.kernel.places import is_history
from cairn.kernel.text.atoms import atoms, parts
from cairn.kernel.text.frontmatter import split as split_frontmatter
from cairn.kernel.text.mask import blank, fences
from cairn.kernel.text.sentences import sentences
from cairn.kernel.text.tense import about_the_past, is_example
from cairn.observe.lens import Document
from cairn.observe.lens_h.words import NEUTRAL, SCOPES, scopes_of, stems

_LONGEST = 400
_LONGEST_RAW = 1200
"""With links and all. What is longer is no sentence, and may be made to be slow."""
_LARGEST = 1_048_576
_HEADING = re.compile(r"^ {0,3}(#{1,6})\s+(.*?)\s*#*$")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)|^[ \t]*<(style|script|svg|pre)\b.*?(?:</\1>|\Z)", re.DOTALL | re.I | re.M)
_LEAD = re.compile(r"^(?:[-*+]|\d+[.)])?\s*(?:\[[ xX]\]\s+)?")
_LINK = re.compile(r"!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])")
_ASIDE = re.compile(
    r"\b(?:exampl\w*|samples?|mistakes?|wrong|bad|don['’]?ts?|avoid|anti-?patterns?|pitfalls?|history|changelog|changes|"
    r"migrat\w*|upgrad\w*|deprecat\w*|legacy|alternatives?|before|after|considered|rejected|proposals?|roadmap|future|"
    r"myths?|faq|questions?|quiz|exercises?|scenarios?|case stud\w+|comparison|versus|vs|trade-?offs?|problem|"
    r"symptoms?|emergency|incidents?|troubleshooting|quotes?|release notes|what['’]s new|todo|open|"
    r"plan(?:ned|s)?|templates?|used to|obsolete|superseded|ideas?|drafts?|smells?|red flags?|heard)\b",
    re.IGNORECASE,
)
"""Sections that show, remember, imagine or refute: what stands there need not hold."""
_SHOWN = re.compile(
    r"[❌✗✘✖👎🚫]|^\W*(?:wrong|bad|don['’]t|not|before|after|incorrect|example|e\.g\.|poor|weak|never do)\s*:|\?\s*$|"
    r"\b(?:someone|people|some|many|they|others?)\s+(?:may |might |will |often )?(?:think|believe|say|claim|assume)|"
    r"\b(?:proposal|proposes|suggests?|assume[sd]?|assuming|suppose|imagine|pretend|hypothe\w+|"
    r"next (?:year|month|quarter)|will|would|could|might|planned|tomorrow|soon|myth|misconception|quote|had to|wrong|"
    r"say(?:s|ing)? that)\b",
    re.IGNORECASE,
)
_UNSURE = re.compile(r"[<>{}]\w|\w[<>{}]|\.\.\.|…|\$\{|\bTODO\b|\bTBD\b|\bXXX\b|\[[^\]]*\]")
_PAGE = r"(?:this|the) (?:page|document|entry|guide|article|adr|decision)\s+(?:is|was|has been)\s+(?:now )?"
_SUPERSEDED = re.compile(
    rf"^\W*(?:status\W+)?(?:(?:{_PAGE})?(?:superseded|obsolete|outdated|archived|retired|replaced by|"
    r"no longer maintained)\b|"
    rf"{_PAGE}deprecated\b|deprecated(?:\W*$|\W+(?:in favou?r|see|use|superseded|replaced)\b))",
    re.IGNORECASE,
)
_STATUS = re.compile(r"^status:[ \t]*[\"']?(\w+)", re.MULTILINE)
_REPLACED = re.compile(r"^(?:superseded[_-]by|deprecated):[ \t]*(\S.*)$", re.MULTILINE)
_NOTHING = ("false", "null", "~", "no", "none")
_ENDED = re.compile(r"deprecated|superseded|obsolete|archived|retired|outdated", re.IGNORECASE)
_NOT_YET = re.compile(r"draft|proposed|rejected|quarantined|wip", re.IGNORECASE)


class Context(NamedTuple):
    """What a passage stands under, in the keys of `kernel.text.atoms`."""

    about: frozenset[str]
    """Title, headings, the name of the file: what the page says it is about, without words that say nothing."""
    near: frozenset[str]
    """Of these, the title and the heading right above."""
    name: frozenset[str]
    """Of the file: what tells it from others in its folder."""
    scopes: frozenset[str]
    """Environments, systems, editions and versions that any of it names."""


class Section:
    """A stretch of a page below one heading."""

    def __init__(self, path: str, headings: tuple[tuple[int, str], ...] = ()) -> None:
        self.path = path
        self.headings = headings
        """(level, text) of each that it stands under, outermost first."""

    def below(self, level: int, text: str) -> "Section":
        return Section(self.path, (*(other for other in self.headings if other[0] < level), (level, text)))

    @cached_property
    def aside(self) -> bool:
        """Whether what stands here is only shown, remembered, imagined or refuted."""
        return any(_ASIDE.search(text) for level, text in self.headings if level > 1)

    @cached_property
    def context(self) -> Context:
        titles = [text for _, text in self.headings]
        first = [text for level, text in self.headings if level == 1]
        name = splitext(self.path)[0]
        about = _keys(" ".join((*titles, re.sub(r"[-_/.]", " ", name))))
        near = _keys(" ".join((*first, *titles[-1:])))
        scopes = scopes_of(" ".join((*titles, re.sub(r"[-_/]", " ", name))))
        own = _keys(re.sub(r"[-_.]", " ", basename(name)))
        return Context(about - NEUTRAL - SCOPES, near - NEUTRAL - SCOPES, own - NEUTRAL, scopes)


def _keys(text: str) -> frozenset[str]:
    found = atoms(text)
    return frozenset(atom.key for atom in found if atom.counts) | parts(found) | stems(text)


class Passage(NamedTuple):
    path: str
    line: int
    text: str
    """On one line, links as their words, code between backticks."""
    section: Section
    table: tuple[tuple[str, str], ...] = ()
    """Of a row: each cell with the head of its column."""


def is_current(document: Document) -> bool:
    """Whether a page speaks of today: no changelog, no draft, no decision of old, not marked as superseded."""
    if is_history(document.path) or len(document.text) > _LARGEST:
        return False
    return not marked_as_over(document) and not _status_is(document, _NOT_YET)


def marked_as_over(document: Document) -> bool:
    """Whether a page says of itself that something else holds now."""
    frontmatter, body, _ = split(document.text)
    replaced = _REPLACED.search(frontmatter)
    if _status_is(document, _ENDED) or (replaced and replaced[1].strip("\"' ").lower() not in _NOTHING):
        return True
    first = [line for line in _COMMENT.sub("", body).split("\n") if line.strip() and not line.startswith("#")][:3]
    return any(_SUPERSEDED.match(_LINK.sub(r"\1", line[:_LONGEST_RAW])) for line in first)


def _status_is(document: Document, words: "re.Pattern[str]") -> bool:
    found = _STATUS.search(split(document.text)[0])
    return found is not None and words.match(found[1]) is not None


def split(text: str) -> tuple[str, str, int]:
    """(frontmatter, body, line on which the body starts)."""
    found = split_frontmatter(text)
    return found.raw or "", found.body, found.body_line


def passages(document: Document) -> Iterator[Passage]:
    """In order. What is quoted, or stands in a section of examples or of the past, is left out."""
    _, body, first_line = split(document.text)
    body = _COMMENT.sub(lambda found: blank(found[0]), _without_fences(body))
    section = Section(document.path)
    heads: list[str] = []
    for sentence in sentences(body, first_line):
        text = sentence.text
        if heading := _HEADING.match(text):
            section = section.below(len(heading[1]), heading[2])
            continue
        heads, row = _row(heads, text) if text.startswith("|") else ([], ())
        if section.aside or text.startswith(">") or len(text) > _LONGEST_RAW:
            continue
        if row or not heads:
            yield Passage(document.path, sentence.line, text if row else _plain(text), section, row)


def _plain(text: str) -> str:
    return _LINK.sub(r"\1", _LEAD.sub("", text)).replace("**", "").replace("__", "")


def _without_fences(body: str) -> str:
    pieces, position = [], 0
    for start, end in fences(body):
        pieces += [body[position:start], blank(body[start:end])]
        position = end
    return "".join([*pieces, body[position:]])


def claims_something(text: str) -> bool:
    """Whether a sentence says what is, rather than what was, may be, or is only shown."""
    if (
        not 8 <= len(text) <= _LONGEST
        or text.rstrip(" *_").endswith(":")
        or _UNSURE.search(text.replace("`", ""))
        or _SHOWN.search(text)
    ):
        return False
    return not about_the_past(_NOT_PAST.sub(" not ", text)) and not is_example(_ORDER.sub(" ", text))


_NOT_PAST = re.compile(r"\bno longer\b|\bmigrations?\b", re.IGNORECASE)
"""What is no longer so is said of today, and migrations are things."""
_ORDER = re.compile(r"\b(?:before|until|once)\b", re.IGNORECASE)
"""These make a sentence conditional, which the comparison looks at itself."""


def _row(heads: list[str], text: str) -> tuple[list[str], tuple[tuple[str, str], ...]]:
    cells = [cell.strip() for cell in text.strip().strip("|").split("|")]
    if not heads:
        return cells, ()
    if all(set(cell) <= set(":- ") for cell in cells) or len(cells) != len(heads):
        return heads, ()
    return heads, tuple(zip(heads, cells, strict=True))
