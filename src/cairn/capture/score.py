"""How much a note is worth: 0 to 100, from what can be seen when it is written."""

import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from cairn.capture.fingerprint import content_words
from cairn.core.model.session import ToolCall, TurnRequest

NOVELTY: Final = 40
EVIDENCE: Final = 25
DECISION: Final = 15
RESOLVED: Final = 10
LENGTH: Final = 10
_A_POINTER: Final = 10
_POINTER = re.compile(
    r"(?:commit|pr|issue|file|test|story|url|run):\S|^[0-9a-f]{7,40}$|^\S+\.[a-z]{1,5}(?::\d+)?$|^https?://", re.I
)
_SANE: Final = (40, 1_200)
_SHORT: Final = 15


class Score(NamedTuple):
    novelty: int
    evidence: int
    decision: int
    resolved: int
    length: int

    @property
    def total(self) -> int:
        return sum(self)


def score(turn: TurnRequest, earlier: Iterable[frozenset[str]]) -> Score:
    """`earlier`: the words of the last notes."""
    summary = turn.summary or ""
    own = words_of(summary)
    likeness = max((similarity(own, words) for words in earlier), default=0.0)
    pointers = sum(bool(_POINTER.search(item)) for item in turn.evidence)
    return Score(
        novelty=round(NOVELTY * (1 - likeness)),
        evidence=min(EVIDENCE, _A_POINTER * pointers + (5 if turn.evidence else 0)),
        decision=DECISION if turn.decision else 0,
        resolved=RESOLVED if resolved(turn.tools) else 0,
        length=_length(len(summary)),
    )


def words_of(text: str) -> frozenset[str]:
    return frozenset(content_words(text))


def similarity(one: frozenset[str], other: frozenset[str]) -> float:
    """What they share of all their words."""
    return len(one & other) / len(one | other) if one and other else 0.0


def resolved(tools: Sequence[ToolCall]) -> bool:
    """Something failed, and the same went well later in the turn."""
    failed: set[tuple[str, str]] = set()
    for tool in tools:
        key = (tool.name, tool.target)
        if tool.ok is False:
            failed.add(key)
        elif tool.ok and key in failed:
            return True
    return False


def _length(characters: int) -> int:
    if _SANE[0] <= characters <= _SANE[1]:
        return LENGTH
    return LENGTH // 2 if characters >= _SHORT else 0
