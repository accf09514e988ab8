"""A second opinion about a change: does what it would write agree with what the sources say?

Whoever gives it, it is advice: it says `warn` at most, and a person decides.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

from cairn.core.model.change import Level, Ruling
from cairn.core.model.knowledge import Entry
from cairn.freshness.editions import pins_of
from cairn.freshness.extractive.audit import MODEL
from cairn.freshness.extractive.claims import Claim, Fact, bond, claims, facts_of, stands_in, weights_of
from cairn.freshness.extractive.passages import Passage, passages
from cairn.freshness.frontier import Ahead, shortened
from cairn.freshness.normalise_verdict import SourceText
from cairn.lib.text.atoms import VALUES, Atom

GATE: Final = "review"
EXTRACTIVE: Final = MODEL

Kind = Literal["differs", "unsupported", "edition", "disagrees"]

_ALIKE: Final = 0.5
"""Of a passage that says the same with another value."""
_RELATED: Final = 0.3
"""Below, a passage is about something else."""
_MOST: Final = 40


class Doubt(NamedTuple):
    path: str
    kind: Kind
    claim: str
    """As the change would write it."""
    why: str
    """One sentence."""
    source: str = ""
    """Reference."""
    quote: str = ""
    """What the source says."""

    def json(self) -> dict[str, Any]:
        return {**self._asdict(), "source": self.source or None, "quote": self.quote or None}


class Opinion(NamedTuple):
    reviewer: str
    """`extractive/2`, or provider and model."""
    doubts: tuple[Doubt, ...] = ()
    remarks: tuple[str, ...] = ()
    """What the reader should know, one sentence each."""
    looked_at: int = 0
    """Statements that are new."""

    @property
    def level(self) -> Level:
        if any(doubt.kind != "unsupported" for doubt in self.doubts):
            return Level.WARN
        return Level.NOTE if self.doubts or self.remarks else Level.PASS

    def ruling(self, head: str) -> Ruling:
        facts = ({"reviewer": self.reviewer, "head": head, "remarks": list(self.remarks)},)
        return Ruling(GATE, self.level, self._reason(), facts + tuple(doubt.json() for doubt in self.doubts[:_MOST]))

    def _reason(self) -> str:
        counts = {kind: sum(doubt.kind == kind for doubt in self.doubts) for kind in _WORDS}
        found = [f"{count} {_WORDS[kind]}" for kind, count in counts.items() if count]
        if found:
            return f"By {self.reviewer}, of {_counted(self.looked_at)}: {', '.join(found)}."
        if self.remarks:
            return f"By {self.reviewer}: {self.remarks[0]}"
        return f"By {self.reviewer}: nothing speaks against {_counted(self.looked_at)}."


_WORDS: Final[Mapping[Kind, str]] = {
    "differs": "not what the source says",
    "edition": "about another edition",
    "disagrees": "contradicted by a source",
    "unsupported": "that no source bears out",
}


def _counted(number: int) -> str:
    return f"{number} new statement{'' if number == 1 else 's'}"


class Proposed(NamedTuple):
    """A page as a change would leave it."""

    entry: Entry
    body: str
    before: str
    """The body as it is; empty when the page is new."""
    edition_before: str | None
    sources: tuple[SourceText, ...]


def opinion_of(kind_of_reviewer: str, pages: Sequence[Proposed], ahead: Mapping[str, Ahead]) -> Opinion:
    """By comparison alone: no model, nothing sent."""
    doubts: list[Doubt] = []
    count = 0
    for page in pages:
        fresh = new_claims(page)
        count += len(fresh)
        doubts += _about_edition(page, ahead.get(page.entry.path))
        doubts += _Sources(page).doubts(fresh)
    return Opinion(kind_of_reviewer, tuple(doubts), looked_at=count)


def new_claims(page: Proposed) -> list[Claim]:
    """What the page says that it did not say before; code shows, and claims nothing."""
    known = {claim.text for claim in claims(page.entry, page.before)} if page.before else set()
    return [claim for claim in claims(page.entry, page.body) if claim.text not in known and not claim.code]


def _about_edition(page: Proposed, ahead: Ahead | None) -> Iterator[Doubt]:
    entry = page.entry
    if ahead is not None and ahead.own.pinned:
        claim = f"version-pin: {entry.edition}"
        yield Doubt(entry.path, "edition", claim, ahead.said, ahead.source.reference, ahead.sentence)
    if entry.edition and entry.edition != page.edition_before and page.sources:
        for pin in pins_of(entry.edition):
            if pin.version not in (page.edition_before or "") and not any(pin.version in s.text for s in page.sources):
                why = f"No source that was kept says {pin.version} of {pin.family}."
                yield Doubt(entry.path, "edition", f"version-pin: {entry.edition}", why)


# --- claims and passages --------------------------------------------------------------------------------------------


class _Sources:
    def __init__(self, page: Proposed) -> None:
        self._path = page.entry.path
        self._passages = [(one, text.reference) for text in page.sources for one in passages(text.text)]
        whole = "\n".join(text.text for text in page.sources)
        self._weights = weights_of(whole, len(self._passages))

    def doubts(self, fresh: Sequence[Claim]) -> Iterator[Doubt]:
        if self._passages:
            for claim in fresh:
                yield from self._about(claim)

    def _about(self, claim: Claim) -> Iterator[Doubt]:
        values = frozenset(atom.key for atom in claim.atoms if atom.kind in VALUES)
        scored = [(bond(claim, one, self._weights, values), one, where) for one, where in self._passages]
        best, passage, where = max(scored, key=lambda scored_one: scored_one[0])
        if best < _RELATED:
            if nowhere := next((fact for fact in facts_of(claim) if not self._contains(fact, claim)), None):
                why = f"No source that was kept contains `{nowhere.text}`."
                yield Doubt(self._path, "unsupported", shortened(claim.text), why)
            return
        near = [one for bound, one, _ in scored if bound >= min(best, _ALIKE)]
        missing = [atom for atom in claim.atoms if atom.key in values and not any(atom.key in one.keys for one in near)]
        if best >= _ALIKE and (pair := _other_value(missing, passage)):
            why = f"It says {pair[0].text}, the source {pair[1].text}."
            yield Doubt(self._path, "differs", shortened(claim.text), why, where, shortened(passage.text))

    def _contains(self, fact: Fact, claim: Claim) -> bool:
        return any(stands_in(fact, one, claim) for one, _ in self._passages)


def _other_value(missing: Sequence[Atom], passage: Passage) -> tuple[Atom, Atom] | None:
    """A value of the claim that the passage has not, and one of the same kind that it has instead."""
    for atom in missing:
        for other in passage.atoms:
            if other.kind == atom.kind and _unit(other) == _unit(atom) and other.key != atom.key:
                return atom, other
    return None


def _unit(atom: Atom) -> str:
    return atom.key.partition(" ")[2]
