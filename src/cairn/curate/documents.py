"""Imports documents that already have the form of knowledge, word for word: decision records, and entries.

The form is the evidence: where the file lies, what its frontmatter states, which status a record has. Everything else
needs a reader, and is left to one.
"""

import re
from hashlib import sha256
from typing import Any, Final, get_args

from cairn.core.model.candidate import Candidate, Kind, Quote
from cairn.core.model.change import Taint
from cairn.curate.sections import Section, relinked, sections
from cairn.curate.session_candidates import SUMMARY_LONGEST, TITLE_LONGEST, one_line
from cairn.lib.injection.marks import marks
from cairn.lib.markdown.frontmatter import parse
from cairn.lib.text.sentences import sentences

MOST: Final = 12
"""Candidates that a reader may take from one document."""
LONGEST: Final = 16_000
"""Characters of a document that becomes one page."""
_RECORD: Final = re.compile(
    r"(?:.*/)?(?:adrs?|decisions?|decision-records?|architecture-decisions?)/(?:[^/]+/)*(?:adr[-_]?)?\d+[-_. ][^/]+",
    re.IGNORECASE,
)
"""`docs/adr/0007-one-queue.md`; the README beside it has no number."""
_NUMBER: Final = re.compile(r"^(?:adr[-\s]*)?\d+(?:\s*+[.:)–—-]++)?\s++(?=\S)", re.IGNORECASE)
_STATUS: Final = re.compile(
    r"^[ \t]*(?:[-*+][ \t]+)?[*_]{0,2}status[*_]{0,2}[ \t]*:(.*)$", re.IGNORECASE | re.MULTILINE
)
_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d")
_IN_FORCE: Final = frozenset({"accepted", "approved", "adopted", "active", "decided", "implemented"})
"""Values of the field `status` of a decision record. A record with any other value, or with more words, is left to a
reader."""
_DECISION: Final = frozenset({"decision", "decision outcome"})
"""The section of a decision record that states what was decided, in the common templates."""


def derive(text: str, *, path: str, said_at: str | None = None) -> tuple[Candidate, ...] | None:
    """The document as one candidate; None when it takes a reader to tell what is in it."""
    page = parse(text.removeprefix("\ufeff"))
    body = page.body.strip()
    if not body or len(body) > LONGEST:
        return None
    found = _entry(page.frontmatter, body) or _record(page.frontmatter, body, path)
    if found is None:
        return None
    kind, title, summary, rest = found
    rest = relinked(rest, path)
    return (
        Candidate(
            origin=origin_of(path, rest),
            kind=kind,
            title=one_line(title, TITLE_LONGEST),
            summary=one_line(summary, SUMMARY_LONGEST),
            body=rest,
            tags=_tags(page.frontmatter),
            confidence="medium",
            # A document that addresses a machine anywhere is not trusted: it never lands by itself.
            taint=Taint.OUTSIDE if marks(text) else Taint.REPOSITORY,
            derived_from=(path,),
            quotes=(Quote(path, " ".join(rest.split())[:600]),),
            said_at=said_at,
        ),
    )


_Found = tuple[Kind, str, str, str]
"""Kind, title, summary and text of the page."""


def _entry(front: dict[str, Any], body: str) -> _Found | None:
    """A page of another knowledge base: its frontmatter states kind, title and summary."""
    kind = next((one for one in get_args(Kind) if one == front.get("kind")), None)
    title, summary = front.get("title"), front.get("summary") or front.get("description")
    if kind is None or not (isinstance(title, str) and title.strip() and isinstance(summary, str) and summary.strip()):
        return None
    return kind, title, summary, body


def _record(front: dict[str, Any], body: str, path: str) -> _Found | None:
    """A decision record that is in force."""
    if not _RECORD.fullmatch(path) or not _is_in_force(front, body):
        return None
    parts = list(sections(body))
    heads = [part for part in parts if part.headings]
    if not heads or not body.startswith("# "):
        return None
    title = _NUMBER.sub("", heads[0].headings[0])
    return "practice", title, _summary(parts) or title, body.partition("\n")[2].strip()


def _is_in_force(front: dict[str, Any], body: str) -> bool:
    """Whether it states a status, and each place that does has one of these words and at most a date beside it."""
    stated = [str(front["status"])] if "status" in front else []
    stated += [line[1] for line in _STATUS.finditer(body)]
    stated += [part.text for part in sections(body) if part.headings[-1:] and _is_status(part)]
    words = [_DATE.sub("", text).strip(" \t\n*_`()[].,:;–—-").lower() for text in stated]
    return bool(words) and _IN_FORCE.issuperset(words)


def _is_status(part: Section) -> bool:
    return part.headings[-1].strip().lower() == "status"


def _summary(parts: list[Section]) -> str:
    """The first sentence of what was decided; of a record in one piece, its first sentence."""
    decided = [part for part in parts if part.headings and part.headings[-1].strip().lower() in _DECISION]
    told = decided or (parts if len(parts) == 1 else [])
    return next((one.text for part in told for one in sentences(part.text) if one.fence is None), "")


def _tags(front: dict[str, Any]) -> tuple[str, ...]:
    tags = front.get("tags")
    return tuple(tag for tag in tags if isinstance(tag, str) and tag.strip())[:5] if isinstance(tags, list) else ()


def origin_of(path: str, body: str) -> str:
    """By the text and not by its place, so that a statement that moves within its document keeps its origin."""
    return f"document:{path}:{said_digest(body)}"


def said_digest(body: str) -> str:
    """Of a page's text, however it is wrapped."""
    return sha256(" ".join(body.lower().split()).encode("utf-8", "surrogatepass")).hexdigest()[:12]
