"""What becomes of a candidate, by rules: a page of its own, a part of one, a conflict for a person, or nothing."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from cairn.curate.shortlist import Near, higher, is_kind
from cairn.curate.statements import (
    ALIKE,
    HALF,
    Compared,
    Relation,
    Statement,
    all_said,
    compare,
    keys_of,
    other_amount,
    similar,
    statement,
    statements,
)
from cairn.curate.subject import likely
from cairn.kernel.model.candidate import Action, Candidate, Fate, ProposedNode
from cairn.kernel.model.change import Taint
from cairn.kernel.text.instructions import marks
from cairn.kernel.text.sentences import sentences

Decide = Callable[[Candidate, Sequence[Near]], Action]
"""Rules or a model: the same comes in, the same goes out."""

_SAME_TITLE: Final = 0.5
_RELATED: Final = 3
_TAGS: Final = 8
_QUOTED: Final = 120
_COUNTED: Final = re.compile(r"(?<![\w.-])\d[\w.:]*(?:\s+\w+)?")
_HEAD: Final = re.compile(
    r"^(?P<head>(?:[\w'`./-]+\s+){2,5}?)(?:also\s+)?(?:must|should|may|can|cannot|is|are|has|have|needs?|starts?|begins?"
    r"|ends?|goe?s?|lives?|runs?|takes?|uses?)\s",
    re.IGNORECASE,
)
_BEHIND: Final = re.compile(r"\s(?:of|in|for|on|from|with|to|at)\s")
_VERSIONED: Final = re.compile(r"\b([A-Z]\w+) v?(\d+(?:\.\d+)*)\b")
_VERB: Final = re.compile(
    r"^(?:is|are|has|have|lives?|sits?|stands?|gets?|comes?|uses?|keeps?|handles?|sends?|receives?|reads?|writes?|stores?"
    r"|owns?|runs?|serves?|listens?|builds?|renders?|requires?|needs?)\b",
    re.IGNORECASE,
)


class _Look(NamedTuple):
    """What one page makes of a candidate."""

    page: Near
    relation: Relation
    mine: str = ""
    theirs: str = ""
    why: str = ""


def decide(candidate: Candidate, shortlist: Sequence[Near]) -> Action:
    """Exactly one fate, with the reason. Nothing here believes what the text says about itself."""
    notes = _notes(candidate, shortlist)
    if refusal := _refused(candidate):
        return Action(Fate.DROP, candidate.origin, refusal, notes=notes)
    nearest = likely(candidate, shortlist)
    looks = [_look(candidate, page, about=page is nearest) for page in shortlist]
    said = next((look for look in looks if look.relation is Relation.SAID), None)
    opposed = next((look for look in looks if look.relation is Relation.OPPOSED), None)
    alike = next((look for look in looks if look.relation is Relation.ALIKE), None)
    if said is not None:
        return _already_said(candidate, said.page, notes)
    if opposed is not None:
        return _contradiction(candidate, opposed, notes)
    if alike is not None:
        return _modification(candidate, alike.page, notes)
    return _addition(candidate, shortlist, notes)


def _refused(candidate: Candidate) -> str:
    if not any(char.isalpha() for char in candidate.title + candidate.body):
        return "There is no word in it."
    orders = marks(f"{candidate.title}\n{candidate.summary}\n{candidate.body}")
    if orders and candidate.taint is not Taint.PERSON:
        return f"It talks to a machine (“{orders[0].excerpt}”) instead of saying something about this project."
    return ""


def _notes(candidate: Candidate, shortlist: Sequence[Near]) -> tuple[str, ...]:
    """Hints count only where the curator finds the same page."""
    known = {page.id for page in shortlist}
    hints = ((candidate.supports, "supports"), (candidate.contradicts, "contradicts"))
    left = [
        f"the hint that it {verb} `{id[:80]}` was left out: no such page is near"
        for id, verb in hints
        if id and id not in known
    ]
    orders = marks(f"{candidate.title}\n{candidate.body}") if candidate.taint is Taint.PERSON else ()
    return (*left, *(f"it reads like an order to a machine: “{mark.excerpt}”" for mark in orders[:1]))


# --- one page -------------------------------------------------------------------------------------------------------


def claims_of(candidate: Candidate) -> tuple[Statement, ...]:
    """What the candidate says; the text of a page says all that its title and summary say."""
    return statements(candidate.body) or tuple(one for one in (statement(candidate.summary),) if not one.empty)


def said_by(page: Near, about: frozenset[str] | None = None) -> tuple[Statement, ...]:
    """What a page says; `about` some words, where only what has one of them matters."""
    heads = tuple(one for one in (statement(page.title), statement(page.summary)) if not one.empty)
    return (*heads, *statements(page.body[:20_000], about))


def _look(candidate: Candidate, page: Near, *, about: bool) -> _Look:
    """`about`: whether of all pages near it this is the one that it is about."""
    mine = claims_of(candidate)
    words = frozenset().union(*(one.keys | one.rejected | one.reason for one in mine)) | keys_of(candidate.title)
    theirs = said_by(page, words)
    if all_said(mine, theirs, keys_of(f"{page.title}. {page.summary}. {' '.join(page.tags)}")):
        return _Look(page, Relation.SAID)
    heads = (statement(candidate.title), statement(candidate.summary))
    for one, other, compared in _compared((*mine, *(head for head in heads if not head.empty)), theirs):
        if compared.relation is Relation.OPPOSED:
            return _Look(page, Relation.OPPOSED, one.text, other.text, compared.why)
    if candidate.contradicts == page.id:
        return _Look(page, Relation.OPPOSED, candidate.summary, page.summary or page.title, "its author says so")
    same_kind = page.kind == candidate.kind
    same = about or _same_subject(candidate, page, mine, theirs)
    if same and (version := _other_version(candidate, page)):
        return _Look(page, Relation.OPPOSED, candidate.summary, version, "they name different versions")
    if (same_kind and (candidate.supports == page.id or same)) or (about and is_kind(page.kind)):
        return _other_amount(page, mine, theirs) or _Look(page, Relation.ALIKE)
    return _Look(page, Relation.OTHER)


def _other_amount(page: Near, mine: Sequence[Statement], theirs: Sequence[Statement]) -> _Look | None:
    """On a page about the same, half of the words will do: it must not say two numbers of one thing."""
    for one in mine:
        for other in theirs:
            if other_amount(one, other, within=HALF):
                return _Look(page, Relation.OPPOSED, one.text, other.text, "they name different values")
    return None


def _other_version(candidate: Candidate, page: Near) -> str:
    """What the page says of something that the candidate has in another version: *Postgres 15*."""
    mine = dict(_VERSIONED.findall(candidate.body))
    theirs = {name: version for name, version in _VERSIONED.findall(page.body) if name in mine}
    return next((f"{name} {theirs[name]}" for name in theirs if theirs[name] != mine[name]), "")


def _compared(
    mine: Sequence[Statement], theirs: Sequence[Statement]
) -> Iterator[tuple[Statement, Statement, Compared]]:
    """What is said elsewhere on the page is no contradiction of it."""
    for one in mine:
        found = [(one, other, compare(one, other)) for other in theirs]
        if not any(compared.relation is Relation.SAID for *_, compared in found):
            yield from found


def _same_subject(candidate: Candidate, page: Near, mine: Sequence[Statement], theirs: Sequence[Statement]) -> bool:
    title, other = keys_of(candidate.title), keys_of(page.title)
    if title and similar(title, other) >= _SAME_TITLE:
        return True
    subject = _subject(page.title)
    if len(subject) > 1 and subject <= title:
        return True
    if candidate.kind == "map" and (_is_named_by(other, candidate) or _same_thing(candidate, page)):
        return True
    heads = {head for one in mine if len(head := _head(one.text)) > 1}
    if heads and any(_head(one.text) in heads for one in theirs):
        return True
    pairs = ((one, another) for one in mine for another in theirs)
    return any(similar(one.keys, another.keys) >= ALIKE and len(one.keys & another.keys) > 1 for one, another in pairs)


def _head(text: str) -> frozenset[str]:
    """What a sentence says something of, before it says it: *commit subjects* start with a capital."""
    found = _HEAD.match(text)
    return keys_of(_BEHIND.split(found["head"], maxsplit=1)[0]) if found else frozenset()


def _subject(title: str) -> frozenset[str]:
    """What a title is about, without its numbers and what they count: *retry uploads at most 4 times*."""
    return keys_of(_COUNTED.sub(" ", title))


def _is_named_by(title: frozenset[str], candidate: Candidate) -> bool:
    """A page whose title is the name of one thing is about all that is said of it."""
    return 0 < len(title) <= 2 and title <= keys_of(" ".join(_without_article(candidate.title)[:3]))


def _same_thing(candidate: Candidate, page: Near) -> bool:
    """Two sentences that begin with the same two words are about the thing that these name: *the mail worker*."""
    mine, theirs = (_without_article(text) for text in (candidate.title, page.title))
    first, second = (keys_of(" ".join(words[:2])) for words in (mine, theirs))
    if len(first) == 2 and first == second:
        return True
    own, named = _named_first(mine), _named_first(theirs)
    return bool(own) and own == named


def _named_first(words: Sequence[str]) -> frozenset[str]:
    """The one thing that a sentence says something of: *the dashboard has*, *keycloak handles*."""
    return keys_of(words[0]) if len(words) > 2 and _VERB.match(" ".join(words[1:3])) else frozenset()


def _without_article(text: str) -> list[str]:
    return re.sub(r"^(?:the|a|an|our)\s+", "", text, flags=re.IGNORECASE).split()


# --- fates ----------------------------------------------------------------------------------------------------------


def _already_said(candidate: Candidate, page: Near, notes: tuple[str, ...]) -> Action:
    """A page that is only planned takes the provenance along; one that people know stays as it is."""
    if page.planned and (kind := is_kind(page.kind)):
        node = _as_it_is(page, kind, candidate)
        reason = f"{page.path}, which is being proposed, says so already; where else it was said is added."
        return Action(Fate.MODIFY, candidate.origin, reason, page.id, node, notes=notes)
    return Action(Fate.DROP, candidate.origin, f"{page.path} says so already.", page.id, notes=notes)


def _as_it_is(page: Near, kind: "str", candidate: Candidate) -> ProposedNode:
    return ProposedNode(
        page.title,
        "practice" if kind == "practice" else "map",
        page.tags,
        page.summary,
        page.body,
        higher(page.confidence, candidate.confidence),
        page.relates_to,
    )


def _contradiction(candidate: Candidate, look: _Look, notes: tuple[str, ...]) -> Action:
    reason = (
        f"{look.why[:1].upper()}{look.why[1:]}: “{_cut(look.mine)}”, but {look.page.path} has “{_cut(look.theirs)}”."
    )
    return Action(Fate.CONTRADICT, candidate.origin, reason, look.page.id, proposed(candidate), notes=notes)


def _modification(candidate: Candidate, page: Near, notes: tuple[str, ...]) -> Action:
    body, added = merged_body(page.body, candidate)
    if not added:
        return _already_said(candidate, page, notes)
    node = ProposedNode(
        page.title,
        is_kind(page.kind) or candidate.kind,
        tuple(dict.fromkeys((*page.tags, *candidate.tags)))[: max(_TAGS, len(page.tags))],
        page.summary,
        body,
        higher(page.confidence, candidate.confidence),
        page.relates_to,
    )
    reason = f"{page.path} is about the same; it adds “{_cut(added)}”."
    return Action(Fate.MODIFY, candidate.origin, reason, page.id, node, notes=notes)


def _addition(candidate: Candidate, shortlist: Sequence[Near], notes: tuple[str, ...]) -> Action:
    related = _related(candidate, shortlist)
    near = f"; near it is {', '.join(related)}" if related else ""
    node = proposed(candidate, related)
    return Action(Fate.ADD, candidate.origin, f"No page is about this yet{near}.", proposed_node=node, notes=notes)


def proposed(candidate: Candidate, related: tuple[str, ...] = ()) -> ProposedNode:
    """The candidate as a page of its own."""
    return ProposedNode(
        candidate.title,
        candidate.kind,
        candidate.tags,
        candidate.summary,
        candidate.body,
        candidate.confidence,
        related,
    )


def _related(candidate: Candidate, shortlist: Sequence[Near]) -> tuple[str, ...]:
    """Pages whose title shares two words with it, or the name of a thing."""
    own = keys_of(f"{candidate.title} {candidate.summary}")
    names = statement(candidate.body).names | statement(candidate.summary).names
    close = [page.id for page in shortlist if len(own & keys_of(page.title)) > 1 or names & statement(page.title).names]
    return tuple(close[:_RELATED])


def merged_body(body: str, candidate: Candidate) -> tuple[str, str]:
    """The page's text with what is new behind the rest of its last section, and what that is. Nothing is taken away."""
    known = statements(body)
    paragraphs = [part.strip() for part in candidate.body.strip().split("\n\n")]
    new = [text for part in paragraphs if (text := _new_of(part, known))]
    added = "\n\n".join(new)
    if not added:
        return body, ""
    return f"{body.rstrip()}\n\n{added}\n", added


def _new_of(paragraph: str, known: Sequence[Statement]) -> str:
    """A paragraph without the sentences that the page has already; one with code or a list in it stays whole."""
    found = sentences(paragraph)
    if any(one.fence is not None for one in found) or paragraph.startswith(("-", "*", "|", "#", ">")):
        return "" if all_said(statements(paragraph), known) else paragraph
    kept = [one.text for one in found if not all_said((statement(one.text),), known)]
    return " ".join(kept)


def _cut(text: str) -> str:
    line = " ".join(text.split()).rstrip(".")
    return line if len(line) <= _QUOTED else f"{line[: _QUOTED - 1]}…"
