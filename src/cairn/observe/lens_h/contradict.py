"""Can two claims both be right? And which pairs of sentences in a set of documents can't."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from cairn.kernel.text.lexicon import BINARY
from cairn.observe.lens import Document
from cairn.observe.lens_h.claims import Claim, claims
from cairn.observe.lens_h.pairs import candidates, promising
from cairn.observe.lens_h.passages import is_current, passages
from cairn.observe.lens_h.subjects import NEEDED_APART, same_subject, weight
from cairn.observe.lens_h.words import CLASHES, FREELY_SAID, MANY_AT_ONCE, OPPOSITES

Conflict = Literal["value", "default", "duty", "opposite", "name", "choice", "order"]


class Contradiction(NamedTuple):
    kind: Conflict
    subject: tuple[str, ...]
    """The words that both are about, in order."""
    one: Claim
    other: Claim
    """Of the page that comes second in the alphabet."""

    @property
    def apart(self) -> str:
        """The two values as written, such as `30 seconds and 1 minute`; empty where there is none to show."""
        first, second = _only(self.one, self.other), _only(self.other, self.one)
        return f"{first} and {second}" if first and second and self.kind in ("value", "default", "name") else ""


def _only(claim: Claim, other: Claim) -> str:
    """The first value that the other does not give."""
    pairs = zip(claim.values, claim.written, strict=False)
    return next((written for value, written in pairs if value not in other.values), "")


SecondOpinion = Callable[[Sequence[Contradiction]], Sequence[Contradiction]]
"""Somebody, such as a model, who reads what was found and leaves out, or adds, what reading tells."""


def contradictions(
    documents: Iterable[Document], *, second_opinion: SecondOpinion | None = None
) -> tuple[Contradiction, ...]:
    """Every two sentences on two pages that can't both hold. The order of the documents does not matter."""
    told = [passage for document in documents if is_current(document) for passage in passages(document)]
    said = (claim for passage in promising(told) for claim in claims(passage))
    found = [
        Contradiction(kind, tuple(sorted(one.subject & other.subject)), one, other)
        for one, other in candidates(said)
        if (kind := conflict(one, other)) is not None
    ]
    kept = tuple(sorted(_telling(found), key=_order))
    return kept if second_opinion is None else tuple(sorted(second_opinion(kept), key=_order))


def _order(found: Contradiction) -> tuple[str, int, str, int, str]:
    return (found.one.path, found.one.line, found.other.path, found.other.line, found.kind)


def _telling(found: Sequence[Contradiction]) -> list[Contradiction]:
    """Each pair of sentences once, and of one subject only pairs with a page that no other has named. None of what
    many pages say in many ways, which is a form that they share."""
    values: Mapping[tuple[str, ...], set[tuple[str, ...]]] = defaultdict(set)
    for one in found:
        values[one.subject] |= {one.one.values, one.other.values}
    kept: dict[tuple[str, int, str, int], Contradiction] = {}
    named: Mapping[tuple[str, ...], set[str]] = defaultdict(set)
    for one in sorted(found, key=_order):
        pages = {one.one.path, one.other.path}
        pair = (one.one.path, one.one.line, one.other.path, one.other.line)
        if len(values[one.subject]) < MANY and pair not in kept and not pages <= named[one.subject]:
            kept[pair] = one
            named[one.subject] |= pages
    return list(kept.values())


MANY = 4
"""So many values of one thing are no mistake."""
SHORTEST = 3
"""Fewer words are a title."""
MARGIN = 9
"""What shares so much more than it needs may be said in another order."""


def conflict(one: Claim, other: Claim) -> Conflict | None:
    """In which way the two exclude each other. Asked the other way round, the answer is the same."""
    found = _COMPARE[one.kind](one, other) if one.kind == other.kind else None
    return found if found is not None and same_subject(one, other) else None


def _by_statement(one: Claim, other: Claim) -> Conflict | None:
    if one.hedged or other.hedged:
        return None
    if one.values != other.values:
        return "value" if _values_clash(one, other) else None
    if one.sides != other.sides:
        return "opposite" if _sides_clash(one, other) else None
    if frozenset((one.force, other.force)) in CLASHES and one.conditions == other.conditions:
        return "duty" if _nothing_else(one, other) and _said_alike(one, other) else None
    return None


def _nothing_else(one: Claim, other: Claim) -> bool:
    """Whether neither does something else with the same thing, and neither is a mere title."""
    apart = (one.subject ^ other.subject) - one.context.about - other.context.about - FREELY_SAID
    titles = [claim for claim in (one, other) if claim.force == "plain" and len(claim.text.split()) < SHORTEST]
    return not apart and not titles


def _said_alike(one: Claim, other: Claim) -> bool:
    """Whether both say the words that they share in one order: `never log it` is not about `it in logs`."""
    shared = one.subject & other.subject
    first, second = ([key for key in claim.order if key in shared] for claim in (one, other))
    return list(dict.fromkeys(first)) == list(dict.fromkeys(second)) or weight(one, other) >= NEEDED_APART + MARGIN


def _values_clash(one: Claim, other: Claim) -> bool:
    if one.sides != other.sides or _firm(one) != _firm(other) or not _may_only_with_bound(one, other):
        return False
    first, second = _left(one.values, other.values), _left(other.values, one.values)
    if len(first) != 1 or len(second) != 1:
        return False
    if not _unit(first[0]) and (one.subject | other.subject) & MANY_AT_ONCE:
        return False
    return _unit(first[0]) == _unit(second[0])


def _firm(claim: Claim) -> str:
    """Statements, duties and advice give numbers alike; denials and freedoms don't."""
    return "firm" if claim.force in ("plain", "must", "should", "may") else claim.force


def _may_only_with_bound(one: Claim, other: Claim) -> bool:
    return all(claim.force != "may" or any(f in ("bound", "compare") for f, _ in claim.sides) for claim in (one, other))


def _left(some: tuple[str, ...], others: tuple[str, ...]) -> list[str]:
    return list((Counter(some) - Counter(others)).elements())


def _unit(value: str) -> str:
    number, _, unit = value.partition(" ")
    return unit if number.replace(".", "").isdigit() else "as written"


def _sides_clash(one: Claim, other: Claim) -> bool:
    """One family differs, and neither a negation nor a condition turns it round."""
    first, second = dict(one.sides), dict(other.sides)
    if first.keys() != second.keys() or one.conditions != other.conditions:
        return False
    families = [family for family in first if first[family] != second[family]]
    if len(families) != 1 or families[0] not in OPPOSITES:
        return False
    forces = {one.force, other.force}
    if "deny" in forces and len(forces) == 2:
        return False
    return forces <= {"plain", "must", "should"} or (forces == {"deny"} and families[0] in BINARY)


def _by_default(one: Claim, other: Claim) -> Conflict | None:
    alike = one.sides == other.sides and one.conditions == other.conditions
    first, second = one.values[-1], other.values[-1]
    same_sort = first.startswith("is ") == second.startswith("is ")
    if alike and one.values[:-1] == other.values[:-1] and first != second and same_sort:
        return "default" if _unit(first) == _unit(second) or first.startswith("is ") else None
    return None


def _by_name(one: Claim, other: Claim) -> Conflict | None:
    (how, sort, value), (other_how, other_sort, other_value) = (
        one.values[-1].split(" ", 2),
        other.values[-1].split(" ", 2),
    )
    if how != other_how or "telling" not in (sort, other_sort) or one.values[:-1] != other.values[:-1]:
        return None
    short, long = sorted((value.lower().rstrip("/"), other_value.lower().rstrip("/")), key=len)
    return None if short in long or one.conditions != other.conditions else "name"


def _by_choice(one: Claim, other: Claim) -> Conflict | None:
    return "choice" if set(one.values) != set(other.values) and one.conditions == other.conditions else None


def _by_order(one: Claim, other: Claim) -> Conflict | None:
    return "order" if one.values == other.values[::-1] else None


_COMPARE: Mapping[str, Callable[[Claim, Claim], Conflict | None]] = {
    "statement": _by_statement,
    "default": _by_default,
    "name": _by_name,
    "choice": _by_choice,
    "order": _by_order,
}
