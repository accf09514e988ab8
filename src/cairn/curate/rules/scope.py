"""Whether a sentence holds beyond this task: what is asked, imagined, told or meant for now only does not."""

import re
from typing import Final

from cairn.curate.rules.words import ONCE, TASKS

_I: Final = re.IGNORECASE
_QUESTION: Final = re.compile(
    r"^(?:what|why|how|where|who|which|is|are|was|were|does|did|can|could|would|should|will|shall|may|have you|has"
    r"|am i|do (?:you|we|i|they|the|these|any))\b|\?[\"')\]]*$",
    _I,
)
_IMAGINED: Final = re.compile(
    r"\b(?:maybe|perhaps|might|what if|suppos(?:e|ing)|imagin(?:e|ing)|hypothetical\w*|i think|i guess|i wonder"
    r"|i believe"
    r"|i feel|not sure|unsure|not certain|probably|possibly|in theory|ideally|i wish|i hope|hopefully|considering"
    r"|let'?s (?:try|see|say|assume)|let me|apparently|iirc|if i remember|for example|for instance|e\.g\.|someday"
    r"|eventually|one day|joking|kidding|lol|haha|would be (?:nice|good|great|better|cool)|could also|you could"
    r"|we could"
    r"|i'd|we'd|seems? (?:like|to)|looks like|as far as i know|afaik|either|or something|somehow|whatever|\w+ or so"
    r"|tbd|to be decided|dream|debat\w+|weigh(?:ing|ed)?|thinking (?:about|of)|open question)\b",
    _I,
)
_THINGS: Final = (
    r"pr|pull request|mr|task|ticket|change|commit|branch|session|feature|bug|fix|one|release|sprint|demo|test"
    r"|file|function"
    r"|method|class|component|line|step|case|directory|folder|script|issue|patch|refactor\w*|migration|call"
    r"|block|section"
    r"|example|screen|page|query|endpoint|conversation|chat|iteration|round|run|experiment|spike|story|customer"
    r"|deploy\w*"
    r"|machine|laptop|env|workaround|hotfix|draft|version|test run|place|spot|loop|module|view|handler|table"
    r"|field|column"
)
_TASK: Final = re.compile(
    r"\b(?:for now|in here"
    r"|for the moment|for the time being|at the moment|right now|this time|just this once|only this once"
    rf"|(?:for|in|on|to|of|with|from|at|by) (?:just |only )?(?:this|that) (?:\w+ )?(?:{_THINGS})"
    r"|temporar(?:y|ily)|today|tomorrow|tonight|yesterday|this (?:week|sprint|morning|afternoon|month|quarter)"
    r"|while (?:you|i|we)(?:'re|'m| are| am)|in the meantime|meanwhile|quick (?:fix|hack)|as a workaround|work-?around"
    r"|(?:last|previous|above|latest|first|second|third|next|other|current|new|same) (?:one|change|commit"
    r"|message|answer|edit"
    r"|attempt|approach|version|patch|idea|suggestion|option|thing|step|file|function|two|pr)"
    r"|before (?:you|we) (?:continue|go on|start|proceed|move on|merge this|do)"
    r"|(?:when|once|after|as soon as) (?:you(?:'re| are)|you have|that(?:'s| is)|this|it(?:'s| is)|it|done|finished)\b"
    r"|(?:by|before|on|after) (?:mon|tues|wednes|thurs|fri|satur|sun)day|asap|on monday|end of (?:day|week)"
    r"|your (?:last|latest|change|changes|code|fix|patch|plan|answer|summary|reply|response|output|diff"
    r"|suggestion|edit)s?"
    r"|(?<![.\w])now(?!\()|so far|the rest|leave (?:it|that|the|those)|back to|go back|undo|revert"
    r"|the failing|the bug|the error|the demo|the review comments?|i just|you just|just (?:do|use|run|make|add"
    r"|leave|fix|skip"
    r"|delete|remove|rename|copy|put|comment|hardcode|hard-code|mock|stub|return))\b",
    _I,
)
_PERHAPS_TASK: Final = re.compile(r"\b(?:until|till|already|still|again|yet|first,|then)\b", _I)
"""A rule may say so too; anything else that does is about the task."""
_STORY: Final = re.compile(
    r"\b(?:i|you|he|she|they)(?:'ve|'d|'ll|'m|'re| have| had| will| am| are| was| were)\b"
    r"|\b(?:i|you|he|she|they|it) (?:\w+ly )?(?:\w{2,}ed|was|were|did|didn'?t|made|wrote|ran|broke|got|went|put"
    r"|took|saw|found"
    r"|thought|tried|forgot|meant|said|told)\b"
    r"|\bwe (?:had|were|did|didn'?t|made|wrote|ran|broke|got|saw|found|tried|forgot|need(?:ed)?|want(?:ed)?"
    r"|should|will|would"
    r"|can|could|may|just|added|changed|removed|fixed|renamed|refactored|updated|deleted|introduced|merged|released"
    r"|deployed|upgraded|rewrote|replaced|implemented|created|discussed|talked|noticed|have been|'ve been)\b"
    r"|\bwe'll\b|\bused to\b|\b(?:was|were|has been|have been|had been) (?:\w+ly )?\w+ed\b|\blast (?:week|month"
    r"|year|quarter|time"
    r"|night|sprint|friday|monday)\b|\b\w+ ago\b|\bgoing to\b|\bgonna\b",
    _I,
)
_POINTING: Final = re.compile(
    r"\bthis\b(?! (?:repo|repository|project|codebase|code base|workspace|monorepo|package|team|company|org)\b)"
    r"|\b(?:these|those)\b|\bthat\b(?=\s*(?:$|[.,;:!)]|one\b|file\b|function\b|test\b|line\b|branch\b|way\b|approach\b"
    r"|method\b|class\b|module\b|thing\b|instead\b|part\b|stuff\b|kind\b|for\b|to\b|in\b|is\b|was\b|too\b|too$))"
    r"|^(?:that|it|they|these|those)\b|\b(?:he|she|him|his|her)\b|\b(?:(?:above|below)(?!\s+(?:[\d`]|an?\b|the\b|zero\b))|attached)\b|\b(?:my|mine|me|i)\b",
    _I,
)
_EARLY_PRONOUN: Final = re.compile(r"^(?:\S+\s+){0,2}(?:it|them|they|him|her|there|one|ones|both|either|another)\b", _I)
_MANNERS: Final = re.compile(
    r"\b(?:reply|answer(?!ing machine)|respond|explain|summari[sz]e|apologi[sz]e|ask (?:me|before|first)"
    r"|tell me|show me"
    r"|let me know|be (?:concise|brief|careful|quick|honest|nice)|emojis?|congratulat\w+|verbose"
    r"|worry|guess)\b",
    _I,
)
_OTHER_TONGUE: Final = re.compile(
    r"\b(?:der|die|das|und|nicht|ist|für|mit|auf|ein|eine|wir|immer|nie|kein|keine|bitte|weil|statt"
    r"|le|la|les|des|et|est|une|pas|pour|dans|nous|toujours|jamais|car|avec"
    r"|el|los|las|es|para|con|siempre|nunca|porque|nosotros|una|del"
    r"|il|gli|che|non|per|sempre|mai|perché|uma|não|sempre|nunca|het|een|niet|altijd|nooit|voor)\b",
    _I,
)
_CODE: Final = re.compile(r"`[^`]*`")


def passing(text: str, *, firm: bool = False) -> str | None:
    """Why a sentence is no rule and no fact of the project; None when it may be one. Code in it says nothing. `firm`
    when it says itself that it is a rule."""
    words = _CODE.sub(" X ", text)
    for why, pattern in _WHOLE:
        if pattern.search(words):
            return why
    if not firm and _PERHAPS_TASK.search(words):
        return "task"
    return "other language" if len(set(map(str.lower, _OTHER_TONGUE.findall(words)))) >= 2 else None


_ORDER: Final = re.compile(
    r"^(?:\W*(?:please|ok|okay|hi|hey|now|next|and|also|then|so|can you|could you)\b)*\W*(\w+)", _I
)


def is_task(sentence: str) -> bool:
    """Whether a message that begins so orders some work."""
    found = _ORDER.match(sentence)
    return found is not None and found[1].lower() in (ONCE | TASKS) - {"wait"}


def is_question(sentence: str) -> bool:
    return bool(_QUESTION.search(_CODE.sub(" X ", sentence)))


def pointing(clause: str) -> bool:
    """Whether a clause can't be understood without what stands around it, or is about the one who says it."""
    words = _CODE.sub(" X ", clause)
    return bool(_POINTING.search(words) or _EARLY_PRONOUN.match(words))


def is_story(clause: str) -> bool:
    return bool(_STORY.search(_CODE.sub(" X ", clause)))


def is_manners(clause: str) -> bool:
    """About how the agent should talk, not about the project."""
    return bool(_MANNERS.search(_CODE.sub(" X ", clause)))


_WHOLE: Final = (("imagined", _IMAGINED), ("task", _TASK))
