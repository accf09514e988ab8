"""Imports documents that already have the form of knowledge, word for word: decision records, and entries.

The form is the evidence: where the file lies, what its frontmatter states, which status a record has. Everything else
needs a reader, and is left to one.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from posixpath import dirname, join, normpath
from typing import Any, Final, NamedTuple, get_args
from urllib.parse import urlsplit

from cairn.core.model.candidate import CandidateDecision, Fate, Kind, KnowledgeCandidate, ProposedNode, Quote
from cairn.core.model.change import Taint
from cairn.curate.place_candidate import Decide
from cairn.curate.session_candidates import SUMMARY_LONGEST, TITLE_LONGEST, one_line
from cairn.curate.shortlist import Near, other_value, plain
from cairn.lib.injection.marks import marks
from cairn.lib.markdown.blocks import code_ranges, fences, sentences, without
from cairn.lib.markdown.frontmatter import parse

_HEADING: Final = re.compile(r"^ {0,3}(#{1,6})[ \t]++(\S.*)$", re.MULTILINE)
_LINK: Final = re.compile(r"(\]\(<?|^ {0,3}\[[^\]\n]+\]:[ \t]+<?)([^\s()<>]+)", re.MULTILINE)


class DocumentSection(NamedTuple):
    headings: tuple[str, ...]
    """From the title of the page down to its own."""
    text: str
    """What stands below the heading, up to the next one."""
    start: int
    end: int


def sections(text: str) -> Iterator[DocumentSection]:
    """In order; text before the first heading is a section without one."""
    masked = without(text, fences(text))
    above: list[tuple[int, str]] = []
    start = 0
    for found in [*_HEADING.finditer(masked), None]:
        end = found.start() if found else len(text)
        if text[start:end].strip():
            yield DocumentSection(tuple(title for _, title in above), text[start:end].strip(), start, end)
        if found:
            level = len(found[1])
            title = text[found.start(2) : found.end(2)].rstrip().rstrip("#").rstrip()
            above = [*(one for one in above if one[0] < level), (level, title)]
            start = found.end()


def relinked(text: str, path: str) -> str:
    """The same text with relative link targets written from the root of the repository; code stays as it is."""
    masked = without(text, code_ranges(text))
    pieces, at = [], 0
    for found in _LINK.finditer(masked):
        if target := _from_root(found[2], path):
            pieces += [text[at : found.start(2)], target]
            at = found.end(2)
    return "".join((*pieces, text[at:]))


def _from_root(target: str, path: str) -> str:
    parts = urlsplit(target)
    if parts.scheme or parts.netloc or target.startswith(("/", "#")):
        return ""
    moved = normpath(join(dirname(path), parts.path))
    if moved.startswith(".."):
        return ""
    slash = "/" if parts.path.endswith("/") else ""
    return f"/{moved}{slash}{f'#{parts.fragment}' if parts.fragment else ''}"


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


def derive(text: str, *, path: str, said_at: str | None = None) -> tuple[KnowledgeCandidate, ...] | None:
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
        KnowledgeCandidate(
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
            verbatim=True,
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


def _is_status(part: DocumentSection) -> bool:
    return part.headings[-1].strip().lower() == "status"


def _summary(parts: list[DocumentSection]) -> str:
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


_ABOVE: Final = 3
"""Paragraphs of a layout above the text: title, summary, and the heading of a section."""
_PARAGRAPHS: Final = 40
_AGAIN: Final = re.compile(r"~\d+$")


class RemovedStatement(NamedTuple):
    """Something that a document said once and says no more."""

    origin: str
    page: Near


def digest_in(origin: str) -> str:
    """Of what was said; the same however often it was asked about."""
    return _AGAIN.sub("", origin).rpartition(":")[2]


def is_as_derived(gone: RemovedStatement) -> bool:
    """Whether the page says exactly what the document said, below what the layout puts above it."""
    parts = _paragraphs(gone.page)
    wanted = digest_in(gone.origin)
    return any(said_digest("\n\n".join(parts[at:])) == wanted for at in range(min(len(parts), _ABOVE + 1)))


def _paragraphs(page: Near) -> list[str]:
    return [part.strip() for part in page.body.split("\n\n") if part.strip()]


def still_holds(gone: RemovedStatement) -> bool:
    """Whether what the document said once is still a part of the page, word for word."""
    parts = _paragraphs(gone.page)[:_PARAGRAPHS]
    wanted = digest_in(gone.origin)
    runs = (parts[start:end] for start in range(len(parts)) for end in range(start + 1, len(parts) + 1))
    return any(said_digest("\n\n".join(run)) == wanted for run in runs)


class PairedCandidates(NamedTuple):
    revises: dict[str, str]
    """Path of a page by the origin of its new wording."""
    about: dict[str, str]
    """Id of a page that a candidate is about, where the page has become more than what the document said."""
    left: tuple[RemovedStatement, ...]


def paired(new: Iterable[KnowledgeCandidate], gone: Sequence[RemovedStatement]) -> PairedCandidates:
    """Each new statement with the page of the old one that it takes the place of."""
    waiting = list(gone)
    found = PairedCandidates({}, {}, ())
    for candidate in new:
        old = next((one for one in waiting if _same_subject(candidate, one.page)), None)
        if old is None:
            continue
        waiting.remove(old)
        if is_as_derived(old):
            found.revises[candidate.origin] = old.page.path
        found.about[candidate.origin] = old.page.id
    return found._replace(left=tuple(waiting))


def _same_subject(candidate: KnowledgeCandidate, page: Near) -> bool:
    """By the title, or by the same words around another value."""
    if candidate.kind != page.kind:
        return False
    same = plain(candidate.title) == plain(page.title)
    return same or other_value(candidate.summary, page.summary) or other_value(candidate.title, page.title)


def revising(decide: Decide, revises: Mapping[str, str]) -> Decide:
    """The curator for documents that were edited: a page follows the document that it was made of."""

    def judge(candidate: KnowledgeCandidate, shortlist: Sequence[Near]) -> CandidateDecision:
        path = revises.get(candidate.origin)
        page = next((page for page in shortlist if page.path == path), None)
        if page is None:
            return decide(candidate, shortlist)
        without = decide(candidate, [other for other in shortlist if other is not page])
        return without if without.fate in (Fate.DROP, Fate.CONTRADICT) else _revised(candidate, page)

    return judge


def _revised(candidate: KnowledgeCandidate, page: Near) -> CandidateDecision:
    node = ProposedNode(
        candidate.title,
        candidate.kind,
        tuple(dict.fromkeys((*page.tags, *candidate.tags))),
        candidate.summary,
        _body(candidate, page),
        candidate.confidence,
        page.relates_to,
    )
    reason = f"{candidate.derived_from[0]}, the source of {page.path}, has changed."
    return CandidateDecision(Fate.MODIFY, candidate.origin, reason, page.id, node)


def _body(candidate: KnowledgeCandidate, page: Near) -> str:
    """Below what the layout puts above the text: its title, a summary where it has one, the heading of a section."""
    above: list[str] = []
    for part in _paragraphs(page)[:_ABOVE]:
        if part.startswith("# "):
            above.append(f"# {candidate.title}")
        elif part == page.summary.strip():
            above.append(candidate.summary)
        elif part.startswith("#") and part not in candidate.body:
            above.append(part)
        else:
            break
    before = "\n" if page.body.startswith("\n") else ""
    text = candidate.body.strip()
    return before + "\n\n".join((*(part for part in above if not text.startswith(part)), text)) + "\n"
