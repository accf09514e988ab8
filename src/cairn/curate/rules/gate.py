"""Is this a session that something may be learnt from? Where that is in doubt, it is not."""

import re
from collections.abc import Sequence
from typing import Final, Literal

from cairn.curate.rules.speech import Said, sentences

Why = Literal["abandoned", "exploratory", "planning", "off-project", "empty"]

_ABANDONED: Final = re.compile(
    r"\b(?:never ?mind|forget (?:it|about (?:it|this|that|all)|this|that|everything|the whole)|scrap (?:it|this"
    r"|that|all"
    r"|everything|the whole)|abandon(?:ing)? (?:it|this|that)|drop (?:it|this (?:idea|task|branch)|the (?:idea|whole))"
    r"|revert (?:everything|all|it all)|throw (?:it|this|that|everything) away|not worth it|waste of time"
    r"|let'?s stop here|i give up|we(?:'re| are) not doing (?:this|that)|discard (?:everything|all|the branch))\b",
    re.IGNORECASE,
)
_EXPLORATORY: Final = re.compile(
    r"\b(?:just (?:exploring|curious|wondering|playing|experimenting|thinking|brainstorming)|brainstorm\w*"
    r"|thinking out loud|hypothetical(?:ly)?|thought experiment|throw-?away|toy (?:project|example)|proof of concept"
    r"|(?:quick|just a|only a) (?:spike|prototype|experiment)|spike (?:out|on)|for fun|playground"
    r"|scratch (?:repo|project)"
    r"|let'?s pretend|role-?play)\b",
    re.IGNORECASE,
)
_PLANNING: Final = re.compile(
    r"\b(?:(?:write|make|draft|give me|need|want|create|prepare|come up with|work out|sketch"
    r"|outline) (?:me )?(?:a|an|the|up a)"
    r" (?:\w+ ){0,2}(?:plan|proposal|rfc|roadmap|outline|design doc|estimate)|let'?s plan|plan mode|planning session"
    r"|don'?t (?:write|change|touch|implement) (?:any )?(?:code|anything)(?: yet)?|no code(?: yet)?|before we implement"
    r"|(?:just|only) (?:a )?(?:plan|planning|design)(?:ning)?)\b",
    re.IGNORECASE,
)
_GO_AHEAD: Final = re.compile(
    r"\b(?:go ahead|implement (?:it|this|that|the plan)|do it|build it|ship it|start (?:with|implementing"
    r"|coding)|proceed"
    r"|looks good|lgtm|let'?s (?:do|build|start|go)|make the change|approved|sounds good)\b",
    re.IGNORECASE,
)
_OFF_PROJECT: Final = re.compile(
    r"\b(?:off[- ]topic|(?:totally |completely )?unrelated (?:question|to this)|my homework"
    r"|(?:this is|it'?s|question|help me|i'?m working|asking|switch\w*)\b[^.\n]{0,40}\b(?:different|another"
    r"|my other|side"
    r"|personal|someone else'?s) (?:project|repo|repository|codebase|client)"
    r"|(?:not|nothing to do) (?:about|for|with) this (?:project|repo|codebase))\b",
    re.IGNORECASE,
)
_QUESTION: Final = re.compile(
    r"\W*(?:(?:ok|okay|and|so|hi|hey|hello|thanks|also|but)\b\W*)*(?:what|why|how|where|when|who|which|is|are"
    r"|was|does|do"
    r"|did|can|could|would|should|will|explain|tell me|show me|describe|walk me)\b|.*\?\W*$",
    re.IGNORECASE,
)
_PLEASANTRY: Final = re.compile(
    r"\W*(?:thanks?|thank you|hi|hello|hey|ok|okay|great|cool|nice|good|got it|interesting|perfect|i see"
    r"|makes sense)\b",
    re.IGNORECASE,
)
_FIRST: Final = 4
_LAST: Final = 2
"""Turns at the beginning and the end that say what kind of session this is."""


def closed(said: Sequence[Said]) -> Why | None:
    """Why nothing is taken from this session; None when it may be."""
    asked = [one.text for one in said if one.role == "user" and one.text.strip()]
    if not asked:
        return "empty"
    if any(_ABANDONED.search(text) for text in asked[-_LAST:]):
        return "abandoned"
    edges = asked if len(asked) <= _FIRST + _LAST else [*asked[:_FIRST], *asked[-_LAST:]]
    if any(_OFF_PROJECT.search(text) for text in edges):
        return "off-project"
    if any(_EXPLORATORY.search(text) for text in edges) or _only_asks(said):
        return "exploratory"
    planned = [index for index, text in enumerate(asked) if _PLANNING.search(text)]
    if planned and not any(_GO_AHEAD.search(text) for text in asked[planned[-1] + 1 :]):
        return "planning"
    return None


def is_aside(text: str) -> bool:
    """A message in the middle of a long session that has nothing to do with the rest of it."""
    return bool(_OFF_PROJECT.search(text) or _EXPLORATORY.search(text))


def _only_asks(said: Sequence[Said]) -> bool:
    told = [sentence.text for one in said if one.role == "user" for sentence in sentences(one)]
    return all(_QUESTION.match(text) or _PLEASANTRY.match(text) for text in told)
