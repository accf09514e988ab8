"""Folds candidates with the same text into one: the most confident leads, the others add their provenance."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from cairn.core.model.candidate import CONFIDENCES, Action, Candidate, Fate
from cairn.curate.literal import plain

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
    return candidate.kind, plain(candidate.body), candidate.supports, candidate.contradicts


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


Key = tuple[str, str, str]


def key_of(action: Action) -> Key | None:
    """What an action does; None if it changes nothing. The fate is part of it, so that a contradiction survives beside
    a modification; so is the text, so that two modifications of one page both survive."""
    node = action.proposed_node
    if action.fate is Fate.DROP or node is None:
        return None
    about = action.target_node_id or f"{node.kind}-{plain(node.title)}"
    return action.fate.value, about, plain(f"{node.title}\n{node.body}")
