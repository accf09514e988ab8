"""Candidates that say the same are one: the surest speaks, and the others add where else it was said."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from cairn.curate.statements import Keys, keys_of, statement, statements
from cairn.kernel.model.candidate import CONFIDENCES, Action, Candidate, Fate

_QUOTES = 5


class Folded(NamedTuple):
    leader: Candidate
    """With the provenance of all."""
    followers: tuple[Candidate, ...]


def fold(candidates: Iterable[Candidate]) -> list[Folded]:
    """Groups in the order in which they were first said. Of equals the first leads, and taint is the worst of all."""
    groups: dict[tuple[object, ...], list[Candidate]] = {}
    for candidate in candidates:
        groups.setdefault(_identity(candidate), []).append(candidate)
    return [_folded(group) for group in groups.values()]


def _identity(candidate: Candidate) -> tuple[object, ...]:
    """What it says, whatever the order and form of its words; with its polarity, its values and what it rejects."""
    found = statements(candidate.body) or (statement(candidate.title),)
    said = frozenset((one.keys, one.values, one.negated, one.sides, one.rejected, one.reason) for one in found)
    hints = (candidate.supports, candidate.contradicts)
    return candidate.kind, said if any(one.keys for one in found) else candidate.body.strip(), hints


def _folded(group: Sequence[Candidate]) -> Folded:
    leader = max(group, key=lambda one: CONFIDENCES.index(one.confidence))
    others = tuple(one for one in group if one is not leader)
    if not others:
        return Folded(leader, ())
    return Folded(
        replace(
            leader,
            derived_from=tuple(dict.fromkeys(place for one in (leader, *others) for place in one.derived_from)),
            quotes=tuple(quote for one in (leader, *others) for quote in one.quotes)[:_QUOTES],
            tags=tuple(dict.fromkeys(tag for one in (leader, *others) for tag in one.tags))[:5],
            taint=max(one.taint for one in group),
        ),
        others,
    )


FOLLOWS = "It says the same as "
"""Before the origin of the one that speaks."""


def follows(candidate: Candidate, leader: Candidate) -> Action:
    reason = f"{FOLLOWS}{leader.origin}, which carries on for both."
    return Action(Fate.DROP, candidate.origin, reason)


Key = tuple[str, str, Keys]


def key_of(action: Action) -> Key | None:
    """What an action is about. The fate is part of it, so a contradiction survives beside a modification; so is what
    it says, so two modifications of one page do, too. None for what changes nothing."""
    node = action.proposed_node
    if action.fate is Fate.DROP or node is None:
        return None
    about = action.target_node_id or f"{node.kind}-{' '.join(sorted(keys_of(node.title)))}"
    return action.fate.value, about, keys_of(f"{node.title}\n{node.body}")
