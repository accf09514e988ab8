"""Follows a document that changed: which page was made of the old text, and what becomes of that page.

A page that still is exactly what the document once said follows it; one that people or other sources added to is
compared like any other. Text that a document no longer has is reported to a person, and no page is deleted for it.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from cairn.core.model.candidate import Action, Candidate, Fate, ProposedNode
from cairn.curate.documents import said_digest
from cairn.curate.literal import other_value, plain
from cairn.curate.place import Decide
from cairn.curate.shortlist import Near

_ABOVE: Final = 3
"""Paragraphs of a layout above the text: title, summary, and the heading of a section."""
_PARAGRAPHS: Final = 40
_AGAIN: Final = re.compile(r"~\d+$")


class Gone(NamedTuple):
    """Something that a document said once and says no more."""

    origin: str
    page: Near


def digest_in(origin: str) -> str:
    """Of what was said; the same however often it was asked about."""
    return _AGAIN.sub("", origin).rpartition(":")[2]


def is_as_derived(gone: Gone) -> bool:
    """Whether the page says exactly what the document said, below what the layout puts above it."""
    parts = _paragraphs(gone.page)
    wanted = digest_in(gone.origin)
    return any(said_digest("\n\n".join(parts[at:])) == wanted for at in range(min(len(parts), _ABOVE + 1)))


def _paragraphs(page: Near) -> list[str]:
    return [part.strip() for part in page.body.split("\n\n") if part.strip()]


def still_holds(gone: Gone) -> bool:
    """Whether what the document said once is still a part of the page, word for word."""
    parts = _paragraphs(gone.page)[:_PARAGRAPHS]
    wanted = digest_in(gone.origin)
    runs = (parts[start:end] for start in range(len(parts)) for end in range(start + 1, len(parts) + 1))
    return any(said_digest("\n\n".join(run)) == wanted for run in runs)


class Paired(NamedTuple):
    revises: dict[str, str]
    """Path of a page by the origin of its new wording."""
    about: dict[str, str]
    """Id of a page that a candidate is about, where the page has become more than what the document said."""
    left: tuple[Gone, ...]


def paired(new: Iterable[Candidate], gone: Sequence[Gone]) -> Paired:
    """Each new statement with the page of the old one that it takes the place of."""
    waiting = list(gone)
    found = Paired({}, {}, ())
    for candidate in new:
        old = next((one for one in waiting if _same_subject(candidate, one.page)), None)
        if old is None:
            continue
        waiting.remove(old)
        if is_as_derived(old):
            found.revises[candidate.origin] = old.page.path
        found.about[candidate.origin] = old.page.id
    return found._replace(left=tuple(waiting))


def _same_subject(candidate: Candidate, page: Near) -> bool:
    """By the title, or by the same words around another value."""
    if candidate.kind != page.kind:
        return False
    same = plain(candidate.title) == plain(page.title)
    return same or other_value(candidate.summary, page.summary) or other_value(candidate.title, page.title)


def revising(decide: Decide, revises: Mapping[str, str]) -> Decide:
    """The curator for documents that were edited: a page follows the document that it was made of."""

    def judge(candidate: Candidate, shortlist: Sequence[Near]) -> Action:
        path = revises.get(candidate.origin)
        page = next((page for page in shortlist if page.path == path), None)
        if page is None:
            return decide(candidate, shortlist)
        without = decide(candidate, [other for other in shortlist if other is not page])
        return without if without.fate in (Fate.DROP, Fate.CONTRADICT) else _revised(candidate, page)

    return judge


def _revised(candidate: Candidate, page: Near) -> Action:
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
    return Action(Fate.MODIFY, candidate.origin, reason, page.id, node)


def _body(candidate: Candidate, page: Near) -> str:
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
