"""Places a candidate without a reader: dropped as an exact duplicate, a conflict for a person, or a page of its own.

No page is edited here. Whether two differently worded texts mean the same is a question for a reader (`model.py`).
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from cairn.curate.cues import contrasts
from cairn.curate.literal import other_value, plain, prose, stated
from cairn.curate.shortlist import Near
from cairn.curate.words import keys_of
from cairn.kernel.model.candidate import Action, Candidate, Fate, ProposedNode
from cairn.kernel.model.change import Taint
from cairn.kernel.text.instructions import marks

Decide = Callable[[Candidate, Sequence[Near]], Action]
"""Decides the fate of a candidate, given the nearest pages: this module, or a model."""

_QUOTED: Final = 120
_REJECTED: Final = re.compile(r"\s*([^\s,;.()。，]+(?:\s+[^\s,;.()。，]+){0,2})")
"""What follows a contrast: up to three words."""


class Opposed(NamedTuple):
    why: str
    mine: str
    theirs: str


def decide(candidate: Candidate, shortlist: Sequence[Near]) -> Action:
    """Exactly one fate, with the reason."""
    notes = _notes(candidate, shortlist)
    if reason := refused(candidate):
        return Action(Fate.DROP, candidate.origin, reason, notes=notes)
    if page := next((page for page in shortlist if has(page, candidate)), None):
        return Action(Fate.DROP, candidate.origin, f"{page.path} already states this.", page.id, notes=notes)
    for page in shortlist:
        if found := opposed(candidate, page):
            reason = f"{found.why}: “{_cut(found.mine)}”, but {page.path} has “{_cut(found.theirs)}”."
            return Action(Fate.CONTRADICT, candidate.origin, reason, page.id, proposed(candidate), notes=notes)
    reason = "No page states this or another value for it."
    return Action(Fate.ADD, candidate.origin, reason, proposed_node=proposed(candidate), notes=notes)


def refused(candidate: Candidate) -> str:
    """Why nobody should see this candidate; empty when there is no reason."""
    if not any(char.isalpha() for char in candidate.title + candidate.body):
        return "There is no word in it."
    orders = marks(f"{candidate.title}\n{candidate.summary}\n{candidate.body}")
    if orders and candidate.taint is not Taint.PERSON:
        return f"It addresses a machine (“{orders[0].excerpt}”) instead of describing this project."
    return ""


def proposed(candidate: Candidate) -> ProposedNode:
    """The candidate as a page of its own."""
    return ProposedNode(
        candidate.title, candidate.kind, candidate.tags, candidate.summary, candidate.body, candidate.confidence
    )


def _notes(candidate: Candidate, shortlist: Sequence[Near]) -> tuple[str, ...]:
    """A hint about a page counts only if that page is near."""
    known = {page.id for page in shortlist}
    hints = ((candidate.supports, "supports"), (candidate.contradicts, "contradicts"))
    left = [
        f"the hint that it {verb} `{id[:80]}` was ignored: no such page is near"
        for id, verb in hints
        if id and id not in known
    ]
    orders = marks(f"{candidate.title}\n{candidate.body}") if candidate.taint is Taint.PERSON else ()
    return (*left, *(f"it reads like an order to a machine: “{mark.excerpt}”" for mark in orders[:1]))


# --- one page ---------------------------------------------------------------------------------------------------------


def has(page: Near, candidate: Candidate) -> bool:
    """Whether the page has every sentence of the candidate, word for word."""
    there = {plain(page.title), plain(page.summary)} | stated(page.body)
    return said_in(candidate) <= there or _whole(candidate) in there


def said_in(candidate: Candidate) -> frozenset[str]:
    return stated(candidate.body) or frozenset({plain(candidate.title)})


def _whole(candidate: Candidate) -> str:
    """A body of one sentence without the cue that announces it; else something that no page has."""
    body, statement = plain(candidate.body), plain(candidate.summary)
    return statement if statement and body.endswith(statement) and len(stated(candidate.body)) == 1 else "\x00"


def opposed(candidate: Candidate, page: Near) -> Opposed | None:
    """The first thing on the page that the candidate can't stand beside."""
    mine = _sentences(candidate)
    theirs = [page.title, page.summary, *(one.text for one in prose(page.body))]
    for text in theirs:
        if found := next(_oppositions(mine, text), None):
            return found
    if candidate.contradicts == page.id:
        return Opposed("Its author names this page", candidate.summary, page.summary or page.title)
    if plain(candidate.title) == plain(page.title):
        return Opposed("The page has the same title", candidate.summary, page.summary or page.title)
    return None


def _oppositions(mine: Sequence[str], theirs: str) -> Iterator[Opposed]:
    for text in mine:
        if other_value(text, theirs):
            yield Opposed("The same words with another value", text, theirs)
            continue
        no = next((words for words in rejected(text) if _has_words(theirs, words)), "")
        if no and no not in rejected(theirs):
            yield Opposed(f"It rejects “{no}”", text, theirs)


def opposes(candidate: Candidate, text: str) -> bool:
    """Whether a sentence of a page can't stand beside the candidate."""
    return next(_oppositions(_sentences(candidate), text), None) is not None


def has_other_value(candidate: Candidate, text: str) -> bool:
    """Whether a sentence of a page is one of the candidate's with another value."""
    return any(other_value(mine, text) for mine in _sentences(candidate))


def _sentences(candidate: Candidate) -> list[str]:
    return list(dict.fromkeys((candidate.summary, *(one.text for one in prose(candidate.body)))))


# --- "X, not Y" -------------------------------------------------------------------------------------------------------


def rejected(text: str) -> tuple[str, ...]:
    """The Y of `X, not Y`, in up to three words, the longest first; where it ends only a reader can tell."""
    for pattern in contrasts():
        mark = pattern.search(text)
        behind = _REJECTED.match(text, mark.end()) if mark else None
        if mark and behind and text[: mark.start()].strip():
            words = plain(behind[1]).split()
            some = (" ".join(words[:size]) for size in range(len(words), 0, -1))
            return tuple(one for one in some if keys_of(one))  # `the` alone is on every page
    return ()


def _has_words(text: str, words: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", plain(text)) is not None


def _cut(text: str) -> str:
    line = " ".join(text.split()).rstrip(".")
    return line if len(line) <= _QUOTED else f"{line[: _QUOTED - 1]}…"
