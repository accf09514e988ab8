"""A document that says something otherwise than before: which page that is about, and what becomes of the page.

A page that still is what the document once said follows it; one that people or other sources added to is compared like
any other. What a document does not say any more is told to a person, and no page goes because of it.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from cairn.curate.act import Decide
from cairn.curate.documents import said_digest
from cairn.curate.shortlist import Near
from cairn.curate.statements import Relation, compare, keys_of, similar, statement
from cairn.kernel.model.candidate import Action, Candidate, Fate, ProposedNode

_SAME_SUBJECT: Final = 0.5
_AGAIN: Final = re.compile(r"~\d+$")


class Gone(NamedTuple):
    """Something that a document said once and says no more."""

    origin: str
    page: Near


def digest_in(origin: str) -> str:
    """Of what was said; the same however often it was asked about."""
    return _AGAIN.sub("", origin).rpartition(":")[2]


def is_as_derived(gone: Gone) -> bool:
    """Whether the page says exactly what the document said, and nothing else."""
    return said_digest("\n\n".join(_said(gone.page))) == digest_in(gone.origin)


def _said(page: Near) -> list[str]:
    """Its paragraphs without the headings and the summary, which the layout puts there."""
    found = [part.strip() for part in page.body.split("\n\n") if part.strip() and not part.strip().startswith("#")]
    return found[1:] if len(found) > 1 and found[0] == page.summary.strip() else found


def still_holds(gone: Gone) -> bool:
    """Whether what the document said once is still a part of the page, word for word."""
    paragraphs = _said(gone.page)
    wanted = digest_in(gone.origin)
    runs = ("\n\n".join(paragraphs[at : at + size]) for size in (1, 2) for at in range(len(paragraphs)))
    return any(said_digest(run) == wanted for run in runs)


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
    if candidate.kind != page.kind:
        return False
    if similar(keys_of(candidate.title), keys_of(page.title)) >= _SAME_SUBJECT:
        return True
    relation = compare(statement(candidate.summary), statement(page.summary or page.title)).relation
    return relation is not Relation.OTHER


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
    reason = f"{candidate.derived_from[0]}, which {page.path} was made of, says it otherwise now."
    return Action(Fate.MODIFY, candidate.origin, reason, page.id, node)


def _body(candidate: Candidate, page: Near) -> str:
    """Under the headings of the page, the first of which is its title; with a summary where it has one."""
    new = {page.summary.strip(): candidate.summary}
    heads = []
    for part in (part.strip() for part in page.body.split("\n\n")):
        if part.startswith("#"):
            heads.append(f"# {candidate.title}" if part.startswith("# ") else part)
        elif part in new and heads[-1:] == [f"# {candidate.title}"] and candidate.summary != candidate.body.strip():
            heads.append(new[part])
    before = "\n" if page.body.startswith("\n") else ""
    return before + "\n\n".join((*heads, candidate.body.strip())) + "\n"
