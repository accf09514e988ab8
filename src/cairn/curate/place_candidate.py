"""Gives a candidate its fate: by rules that compare letter by letter, or as a reader answered."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from cairn.core.cues import contrasts
from cairn.core.model.candidate import CandidateDecision, Fate, KnowledgeCandidate, ProposedNode
from cairn.core.model.change import Taint
from cairn.curate.revise_page import revised, revision_in
from cairn.curate.shortlist import Near, other_value, plain, prose, rivals, stated
from cairn.errors import Conflict
from cairn.lib.injection.marks import exact_marks, marks
from cairn.lib.text.atoms import VALUES, Atom, atoms, bare

Decide = Callable[[KnowledgeCandidate, Sequence[Near]], CandidateDecision]
"""Decides the fate of a candidate, given the nearest pages: rules, or the answer of a reader."""

_QUOTED: Final = 120
_PHRASE: Final = re.compile(r"\s*(`[^`\n]+`|(?:[^,;:()。，；：.]|\.(?=\w))+)")
"""What follows a contrast: a name in code, or all words up to the next mark."""


class Opposition(NamedTuple):
    why: str
    mine: str
    theirs: str


def decide(candidate: KnowledgeCandidate, shortlist: Sequence[Near]) -> CandidateDecision:
    """Exactly one fate, with the reason."""
    notes = _notes(candidate, shortlist)
    if reason := refused(candidate):
        return CandidateDecision(Fate.DROP, candidate.origin, reason, notes=notes)
    if page := next((page for page in shortlist if has(page, candidate)), None):
        return CandidateDecision(Fate.DROP, candidate.origin, f"{page.path} already states this.", page.id, notes=notes)
    for page in shortlist:
        if found := opposed(candidate, page):
            reason = f"{found.why}: “{_cut(found.mine)}”, but {page.path} has “{_cut(found.theirs)}”."
            return CandidateDecision(
                Fate.CONTRADICT, candidate.origin, reason, page.id, proposed(candidate), notes=notes
            )
    return CandidateDecision(
        Fate.ADD, candidate.origin, _unknown(shortlist), proposed_node=proposed(candidate), notes=notes
    )


def _unknown(shortlist: Sequence[Near]) -> str:
    if not shortlist:
        return "No page is similar to it."
    if len(shortlist) == 1:
        return f"{shortlist[0].path}, the nearest page, does not have these words."
    return f"None of the {len(shortlist)} nearest pages has these words."


def refused(candidate: KnowledgeCandidate) -> str:
    """Why nobody should see this candidate; empty when there is no reason. The small model errs with about one rule in
    twenty, so what it marks is dropped only if it rests on a stranger's words; else it gets a note."""
    if not any(char.isalpha() for char in candidate.title + candidate.body):
        return "There is no word in it."
    if candidate.taint is Taint.PERSON:
        return ""
    text = f"{candidate.title}\n{candidate.summary}\n{candidate.body}"
    mark = next(iter(marks(text) if candidate.taint is Taint.OUTSIDE else exact_marks(text)), None)
    return "" if mark is None else f"It addresses a machine (“{mark.excerpt}”) instead of describing this project."


def proposed(candidate: KnowledgeCandidate) -> ProposedNode:
    """The candidate as a page of its own."""
    return ProposedNode(
        candidate.title, candidate.kind, candidate.tags, candidate.summary, candidate.body, candidate.confidence
    )


def _notes(candidate: KnowledgeCandidate, shortlist: Sequence[Near]) -> tuple[str, ...]:
    """A hint about a page counts only if that page is near."""
    known = {page.id for page in shortlist}
    hints = ((candidate.supports, "supports"), (candidate.contradicts, "contradicts"))
    left = [
        f"the hint that it {verb} `{id[:80]}` was ignored: no such page is near"
        for id, verb in hints
        if id and id not in known
    ]
    orders = marks(f"{candidate.title}\n{candidate.body}")
    return (*left, *(f"it reads like an order to a machine: “{mark.excerpt}”" for mark in orders[:1]))


# --- one page ---------------------------------------------------------------------------------------------------------


def has(page: Near, candidate: KnowledgeCandidate) -> bool:
    """Whether the page has every sentence of the candidate, word for word."""
    there = {plain(page.title), plain(page.summary)} | stated(page.body)
    return (stated(candidate.body) or {plain(candidate.title)}) <= there


def opposed(candidate: KnowledgeCandidate, page: Near) -> Opposition | None:
    """The first thing on the page that the candidate can't stand beside."""
    mine = _sentences(candidate)
    theirs = [page.title, page.summary, *(one.text for one in prose(page.body))]
    for text in theirs:
        if found := next(_oppositions(mine, text), None):
            return found
    if candidate.contradicts == page.id:
        return Opposition("Its author names this page", candidate.summary, page.summary or page.title)
    if plain(candidate.title) == plain(page.title):
        return Opposition("The page has the same title", candidate.summary, page.summary or page.title)
    return None


def _oppositions(mine: Sequence[str], theirs: str) -> Iterator[Opposition]:
    for text in mine:
        if other_value(text, theirs):
            yield Opposition("The same words with another value", text, theirs)
            continue
        if rivals(text, theirs):
            yield Opposition("The same things, said otherwise", text, theirs)
            continue
        for no in rejected(text):
            if no.is_in(theirs) and all(no.words != other.words for other in rejected(theirs)):
                yield Opposition(f"It rejects “{no.words}”", text, theirs)


def opposes(candidate: KnowledgeCandidate, text: str) -> bool:
    """Whether a sentence of a page can't stand beside the candidate."""
    return next(_oppositions(_sentences(candidate), text), None) is not None


def has_other_value(candidate: KnowledgeCandidate, text: str) -> bool:
    """Whether a sentence of a page is one of the candidate's with another value."""
    return any(other_value(mine, text) for mine in _sentences(candidate))


def _sentences(candidate: KnowledgeCandidate) -> list[str]:
    return list(dict.fromkeys((candidate.summary, *(one.text for one in prose(candidate.body)))))


# --- "X, not Y" -------------------------------------------------------------------------------------------------------


class RejectedAlternative(NamedTuple):
    """The Y of `X, not Y`."""

    words: str
    about: frozenset[str]
    """Keys of the words in front of it."""

    def is_in(self, text: str) -> bool:
        """Whether a sentence has all these words, or, where they are a value, that value of the same thing."""
        own = [atom for atom in atoms(self.words) if atom.counts]
        if len(own) == 1 and own[0].kind in VALUES:
            theirs = atoms(text)
            is_there = any(_is_same(own[0], atom) for atom in theirs)
            return is_there and not self.about.isdisjoint(atom.key for atom in theirs)
        return re.search(rf"(?<!\w){re.escape(self.words)}(?!\w)", plain(text)) is not None


def _is_same(mine: Atom, theirs: Atom) -> bool:
    """Whether two values are equal; a number without a unit may have any."""
    return mine.key == theirs.key or (" " not in mine.key and theirs.kind == "number" and mine.key == bare(theirs))


def rejected(text: str) -> list[RejectedAlternative]:
    """Of each contrast in a sentence."""
    found = ((text[: mark.start()], _PHRASE.match(text, mark.end())) for mark in contrasts().finditer(text))
    return [
        RejectedAlternative(plain(phrase[1]), frozenset(atom.key for atom in atoms(before) if atom.counts))
        for before, phrase in found
        if before.strip() and phrase and any(atom.counts for atom in atoms(phrase[1]))
    ]


def _cut(text: str) -> str:
    line = " ".join(text.split()).rstrip(".")
    return line if len(line) <= _QUOTED else f"{line[: _QUOTED - 1]}…"


# --- what a reader answered -------------------------------------------------------------------------------------------


def answered(
    value: Mapping[str, Any], candidate: KnowledgeCandidate, near: Sequence[Near], shown: Mapping[str, str]
) -> CandidateDecision:
    """The fate that a checked answer gives a candidate; `near` are the pages as they are now, `shown` what the reader
    saw of them. Raises where a page no longer has the words that would be replaced."""
    fate, reason = Fate(value["fate"]), value["reason"]
    if fate is Fate.DROP:
        return CandidateDecision(fate, candidate.origin, reason, value["page"])
    if fate is Fate.ADD:
        return CandidateDecision(fate, candidate.origin, reason, proposed_node=proposed(candidate))
    page = next((page for page in near if page.id == value["page"]), None)
    if page is None:
        raise Conflict(f"The page {value['page']} is no longer there.")
    revision = revision_in(value, page, shown.get(page.id, ""))
    after = revised(page, revision)
    node = after if fate is Fate.MODIFY else proposed(candidate)
    return CandidateDecision(fate, candidate.origin, reason, page.id, node, revision=revision)
