"""A sentence taken apart: what leads into it, the statements that it holds, and the reason that it gives."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

_I: Final = re.IGNORECASE


class Clause(NamedTuple):
    text: str
    """What is stated, without what leads into it and without its reason."""
    reason: str = ""
    corrects: bool = False
    """It began with a no: the agent did something else."""
    rule: bool = False
    """It says of itself that it holds from now on."""
    reacts: bool = False
    """It is said to an agent that has just done something."""
    in_task: bool = False
    """Its message begins with an order for this task, so what must be may be part of that."""

    @property
    def vouched(self) -> bool:
        return self.rule or bool(self.reason)


_CORRECTS: Final = re.compile(
    r"(?:nope|no(?!\s+(?!(?:we|you|it|that|this|the|they|i|our|your|please|use|don'?t|never|always|not|all|there)\b)"
    r"(?:[\w`./-]+\s+){1,5}?(?:should|may|must|can|shall|is|are|will|has|have|gets?|goes)\b)"
    r"(?!\s+(?:[\w-]+\s+){0,2}?[\w-]{2,}s\b(?:\s+(?:in|ever|at all|anywhere|allowed|please|pls)\b"
    r"|\s*[,.!]|\s*$))|nah|wrong|wait|stop(?!\s+\w+ing)|not like th(?:at|is)|actually"
    r"|that'?s (?:wrong|not right|incorrect|not how we do it|outdated|not enough)|(?:it'?s )?(?:the )?other way a?round"
    r"|(?:one|two) (?:isn'?t|is not|aren'?t|are not) enough"
    r"|incorrect|i (?:told|said)(?: you)?(?: \w+)?|as i said|like i said|don'?t do that)\b[\s,.:;!–—-]*",
    _I,
)
_RULE: Final = re.compile(
    r"(?:(?:please )?(?:remember|keep in mind|bear in mind|note to self|for the record|rule|lesson(?: learned)?"
    r"|gotcha|convention|decision|for future reference|general rule)(?: that| to)?"
    r"|from now on|going forward|in (?:the )?future|(?:for )?(?:the )?next time|for the future|as a (?:general )?rule"
    r"|by convention|(?:we|i)(?:'ve| have)? changed (?:our|my) minds?(?: (?:there|here|on that|about that|on this))?"
    r"|(?:the|our|one) (?:\w+ )?(?:rule|convention|policy|standard|agreement|practice)"
    r"(?: (?:here|in this \w+|for us))?(?: (?:is|are)(?: that| to)?|(?=:))"
    r"|in (?:this|our) (?:repo|repository|project|codebase|code base|monorepo|code|team|company)"
    r"|on this (?:project|repo|team)|around here|(?:it )?turns out(?: that)?"
    r"|the (?:trick|fix|solution|key|lesson|takeaway|moral|point|(?:important|main) thing)"
    r" (?:here )?(?:is|was)(?: that| to)?)"
    r"(?:[\s,:;–—-]+|$)",
    _I,
)
_LEADS: Final = re.compile(
    r"(?:yes|yeah|yep|ok|okay|well|hm+|oh|ah|sorry|please|pls|also|and|but|so|btw|by the way|right|great|thanks"
    r"|thank you|good|cool|nice|perfect|fine|one (?:more |small |last )?thing|another thing|nit|minor"
    r"|listen|look|hey|in general"
    r"|generally(?: speaking)?|then|additionally|plus|lastly|finally|first of all|firstly|secondly|basically"
    r"|we (?:already )?have (?:that|one|this)(?: already)?"
    r"|there(?:'s| is) (?:already )?an? [\w -]{2,30}? for (?:that|this|it)"
    r"|obviously|of course|as always|as usual|note(?: that)?|reminder|important|fyi|heads[- ]up"
    r"|just so you know(?: that)?|for context|context)\b[\s,.:;!–—-]+",
    _I,
)
_TRAILS: Final = re.compile(
    r"[\s,;–—-]*(?:\b(?:from now on|going forward|in (?:the )?future|please|ok(?:ay)?|thanks|thank you"
    r"|as a rule|by convention"
    r"|around here|here|in this (?:repo|repository|project|codebase)|in our (?:repo|codebase|project)|alright"
    r"|got it|too|(?:as )?you know(?: (?:that|this))?|(?:same )?as (?:always|usual)|nothing else"
    r"|as well|period|remember)\b[\s.!,]*)+$",
    _I,
)
_RULE_TRAIL: Final = re.compile(
    r"\b(?:from now on|going forward|in (?:the )?future|as a rule|by convention|around here|in this (?:repo"
    r"|repository|project"
    r"|codebase)|in our (?:repo|codebase|project))\b",
    _I,
)
_REASON: Final = re.compile(
    r"(?<!\bmerely)(?<!\bjust)(?<!\bsimply)(?<!\bsolely)(?<!\bonly)(?<!\bnot)(?<!\beven)"
    r"[\s,;(–—-]+(?P<word>because|since(?! (?:v?\d|version|yesterday|last|then"
    r"|the (?:last|beginning|start|move|switch|release|upgrade|migration)"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|spring|summer|autumn|fall|winter|january|february|march|april|may|june"
    r"|july|august|september|october|november|december))"
    r"|so that|otherwise|or else|(?<=, )else|in order to"
    r"|to (?:avoid|prevent|make sure|ensure|guard against|keep (?:the|our"
    r"|it|them))"
    r"|due to|that way|as (?:it|they|the|we|otherwise|that)|which (?:breaks|causes|means|makes|would|is why)"
    r"|or (?:it|they|the \w+|we|you|ci|builds?|tests?)(?: will|'ll)? (?:\w+ )?(?:fails?|breaks?|hangs?"
    r"|crash(?:es)?|times? out"
    r"|loses?|leaks?|deadlocks?))\b(?P<rest>[^\n]*)$",
    _I,
)
_SO: Final = re.compile(
    r",\s+so (?P<rest>(?:that |we |it |they |the |nothing |nobody |you |a |an |our |everyone )[^\n]+)$", _I
)
_COLON: Final = re.compile(r"\s*(?::|\s[–—-]{1,2})\s+(?P<rest>(?:it|they|the|that|we|otherwise)\s[^\n]{8,})$", _I)
_SPLICE: Final = re.compile(
    r",\s+(?P<rest>(?:we (?:(?:don'?t|do not) (?:want|need)|lost|broke|spent|learned|got burned|were burned|had)\s"
    r"|(?:they|it|that|nobody(?! else)|nothing(?! else)|everyone|everybody"
    r"|[\w-]+s(?= (?:fail|break|hang|crash|time out|won'?t|can'?t|get lost)\b))(?:'s|'re|'ll)?\s+"
    r"(?!should|would|could|might|goe?s?|lives?|belongs?)\w+)[^\n]{4,})$",
    _I,
)
_SPLICE_THE: Final = re.compile(
    r",\s+(?P<rest>(?:the|our)\s+(?:[\w-]+\s+){1,3}?(?:is|are|has|have|can'?t|cannot|needs?|breaks?|drops?|gets?|gives?"
    r"|fails?|runs?|will|would|won'?t|does(?:n'?t| not)|do(?:n'?t| not))\b[^\n]{2,})$",
    _I,
)
"""Behind a rule, what is said of something else is why."""
_SPLICE_ANY: Final = re.compile(
    r",\s+(?P<rest>(?!so\b|and\b|but\b|or\b|please\b|we\b|i\b|you\b|just\b)[\w-]+(?:\s+[\w-]+){0,2}?"
    r"\s+(?:is|are|gets?|breaks?|fails?|chokes?|complains?|hangs?|crash(?:es)?|leaks?|can'?t|cannot|won'?t"
    r"|does(?:n'?t| not)|do(?:n'?t| not)|would|blocks?|drops?|loses?)\s[^\n]{2,}|[\w -]{6,60}? otherwise)$",
    _I,
)
"""Behind an order or a must, anything that is so."""
_SPLICE_TOO: Final = re.compile(
    r",\s+(?P<rest>(?:[\w'-]+\s+){1,4}?(?:is|are|was|were|gets?|got|becomes?|became)\s+(?:just\s+|simply\s+|way\s+)?"
    r"too\s+\w[^\n]*)$",
    _I,
)
"""What is too much of something is always why."""
_ORDERS: Final = re.compile(
    r"^(?:always|never|do not|don'?t|dont|avoid|prefer|use|keep|put|write|store|name|let'?s keep"
    r"|you can'?t|you cannot)\b|\b(?:must|have to|has to|may only|should never|should always)\b",
    _I,
)
_FIRM: Final = re.compile(r"\b(?:always|never|must|have to|has to|don'?t|do not)\b", _I)
_SINCE: Final = re.compile(
    r"[\s,]+since (?:the (?:\w+ )?(?:move|switch|release|upgrade|migration|update|merge)|last \w+|v?\d[\w.]*|then"
    r"|\w+day|spring|summer|autumn|winter|january|february|march|april|may|june|july|august|september|october|november|december)$",
    _I,
)
_NOW: Final = re.compile(r"[\s,]*\b(?:by now|now|nowadays|these days)$", _I)
_CHANGED: Final = re.compile(
    r"\b(?:must|have to|has to|always|never|may only"
    r"|(?:is|are) (?:made|built|written|kept|stored|based|run|deployed))\b|^we\s",
    _I,
)
"""What says so and ends with `now` is a rule that has changed; anything else that does is about the task."""
_SPLIT: Final = re.compile(
    r"(?:\s*;\s*|,?\s+(?:and|but|plus)\s+|,\s+)(?=(?:also\s+|please\s+)*(?:always\b"
    r"|never\s+(?!from\b|in\b|into\b|to\b|on\b|at\b|by\b|with\b)\w+\s|don'?t\s|do not\s"
    r"|avoid\s|from now on\b|going forward\b|make sure\b|in (?:the )?future\b|remember\b"
    r"|we (?:always|never|use|(?:don'?t|do not)(?! (?:want|need|have))|keep|put)\b))",
    _I,
)
_I_DID: Final = re.compile(
    r",\s+(?:(?:i|he|she|somebody|someone) (?:just |only |have |had )?(?:\w+ed|did|made|put|set)"
    r"|we (?:just |only )?(?P<left>upgraded|moved|switched|migrated|changed|updated|renamed"
    r"|(?:dropped|left|replaced|abandoned|retired|got rid of)\s+(?P<old>(?!the\b|a\b|it\b|that\b)[\w.-]+)))\b.*$",
    _I,
)
"""How it came about, behind what is."""
_PARENTHESES: Final = re.compile(r"\s+\((?:[^()]{0,200})\)")
_EXAMPLE: Final = re.compile(r",?\s+(?:(?:like|such as|as in)\s+[\"“]|(?:e\.g\.|for example|for instance)\s).*$", _I)
_RATHER: Final = re.compile(r"^(?:always|use|prefer|call|run|write)\b[^,;]{1,60},\s+never\s+\S+(?:\s+\S+){0,3}$", _I)


def clauses(sentence: str) -> Iterator[Clause]:
    """The statements of a sentence. What says of the first that it is a rule, or corrects, says it of all of them."""
    text, corrects, rule = led(sentence)
    came = _I_DID.search(text)
    if came and came["left"] and _NOW.search(text[: came.start()]):
        rule, text = True, text[: came.start()] + (f", not {came['old']}" if came["old"] else "")
        text = re.sub(r"\s+(?:by now|now|nowadays|these days)(?=, not )", "", text, flags=_I)
    for index, part in enumerate(_parts(text)):
        part, more_corrects, more_rule = led(part)
        corrects, rule = corrects or (more_corrects and index == 0), rule or more_rule
        part, reason = reasoned(part)
        trail = _TRAILS.search(part)
        if trail:
            rule = rule or bool(_RULE_TRAIL.search(trail[0]))
            part = part[: trail.start()]
        part = _EXAMPLE.sub("", _PARENTHESES.sub("", part)).strip(" ,;:.!–—-\"'")
        part = _SINCE.sub("", part)
        part = _NOW.sub("", part) if rule or _CHANGED.search(part) else part
        if part:
            yield Clause(part, reason, corrects, rule)


def led(text: str) -> tuple[str, bool, bool]:
    """The text without what leads into it; whether that corrects somebody; whether it says that a rule follows."""
    corrects = rule = False
    while True:
        if found := _CORRECTS.match(text):
            corrects = True
        elif found := _RULE.match(text):
            rule = True
        else:
            found = _LEADS.match(text)
        if not found or not found[0] or found.end() >= len(text):
            return text, corrects, rule
        text = text[found.end() :]


def _parts(text: str) -> list[str]:
    """`Always use A, never B` is one statement; `never A, use B` too."""
    if _RATHER.match(text):
        return [text]
    return [part for part in _SPLIT.split(_I_DID.sub("", text)) if part.strip()]


def reasoned(text: str) -> tuple[str, str]:
    """A statement, and why."""
    for form, guard in _WHYS:
        found = form.search(text)
        if not found or found.start() < _LEAST or (guard and not guard.search(text[: found.start()])):
            continue
        word = found.groupdict().get("word") or ""
        rest = found["rest"].strip(" ,;:.)!")
        if word.lower() == "because" and rest.startswith("of "):
            word = "because of"
            rest = rest[3:]
        reason = rest if word.lower() in ("because", "since", "that way", "so that", "") else f"{word} {rest}"
        if len(reason.split()) > 1:
            return text[: found.start()], reason
    return text, ""


_LEAST: Final = 4
"""Letters of a statement before its reason."""
_WHYS: Final = (
    (_REASON, None),
    (_SO, None),
    (_COLON, None),
    (_SPLICE, None),
    (_SPLICE_TOO, None),
    (_SPLICE_THE, _FIRM),
    (_SPLICE_ANY, _ORDERS),
)
"""How reasons are said, and what has to stand before some of them."""
