"""How a project is built, as people say it: corrections, rules, conventions, decisions, what is needed for what.

Each reader takes a clause and gives the statement in words that hold from now on, or None. The first one counts.
"""

import re
from collections.abc import Callable
from typing import Final

from cairn.curate.rules.choices import this_not_that
from cairn.curate.rules.clauses import Clause
from cairn.curate.rules.conventions import no_things, only_some, present
from cairn.curate.rules.subjects import TROUBLE, are_people, is_generic, is_seen, not_pronoun
from cairn.curate.rules.words import (
    DET,
    DURABLE,
    KNOWN,
    ONCE,
    ONE,
    VERBS,
    begun,
    is_base,
    is_plural,
    names_in,
    word_set,
)

Reader = Callable[[Clause], str | None]

_I: Final = re.IGNORECASE
_FOR: Final = re.compile(
    r"^(?P<for>(?:for|in|inside|on|with|to)(?:\s+[\w`./@-]+){1,5}?),?\s+(?P<do>(?:always|never|use|prefer|put|call"
    r"|write|run|don'?t|do not|we (?:always |never )?(?:use|put|keep|write|have))\s.+)$",
    _I,
)
_FOR_MANY: Final = re.compile(
    rf"^(?P<for>(?:for|in|inside|on|with|to)(?:\s+[\w`./@-]+){{0,3}}?\s+[\w-]+s),?\s+"
    rf"(?P<do>(?:{'|'.join(sorted(VERBS))})\s.+)$",
    _I,
)
_PLACED: Final = re.compile(r"^(?:this|that|these|those|the other|another)\b", _I)


def practice(clause: Clause) -> str | None:
    """The statement, when the clause is one about how things are done here."""
    for read in _READERS:
        if (said := read(clause)) is not None:
            return said
    found = _FOR.match(clause.text) or (_FOR_MANY.match(clause.text) if clause.rule else None)
    if found and not _PLACED.match(found["for"].partition(" ")[2]):
        does = re.sub(r"^we have\b", "use", found["do"]) if clause.reacts else found["do"]
        of_all = clause.reacts and is_plural(found["for"].split()[-1])
        said = practice(clause._replace(text=does, rule=clause.rule or of_all or does != found["do"]))
        return said and f"{_sentence(found['for'].strip())}, {said[0].lower()}{said[1:]}"
    return None


# --- always and never -------------------------------------------------------------------------------------------------

_ALWAYS: Final = re.compile(
    r"^(?:(?:you|we|one|everyone|everybody|people|devs|developers|agents)\s+(?:should|must|have to|need to|shall)\s+"
    r"|we\s+|i (?:want|need|expect|would like|'d like) (?:you|us|everyone) to\s+|do\s+)?"
    r"(?P<how>always|never)\s+(?P<verb>[\w`'-]+)(?P<rest>\b.*)$",
    _I,
)
_NEVER_EVER: Final = re.compile(r"^(?:do not|don'?t) ever\s+(?P<verb>\w+)(?P<rest>\b.*)$", _I)
_MAKE_SURE: Final = re.compile(r"^(?:make sure|ensure)\s+(?P<rest>.+)$", _I)
_GENERAL: Final = re.compile(r"\b(?:always|never|every|all|each|any|no)\b", _I)


def _always(clause: Clause) -> str | None:
    if found := _NEVER_EVER.match(clause.text):
        return f"Never {found['verb']}{found['rest']}"
    if found := _ALWAYS.match(clause.text):
        verb = found["verb"]
        known = verb.lower() in KNOWN or (clause.vouched and is_base(verb))
        if not known or (clause.in_task and not clause.vouched):
            return None
        return f"{found['how'].capitalize()} {verb}{found['rest']}"
    if (found := _MAKE_SURE.match(clause.text)) and (clause.rule or _GENERAL.search(found["rest"])):
        return f"Make sure {found['rest'].removeprefix('that ')}" if clause.rule or clause.reason else None
    return None


# --- don't ------------------------------------------------------------------------------------------------------------

_AVOID: Final = re.compile(r"^avoid\s+(?P<what>(?P<noun>[\w`'-]+)\b.*)$", _I)
_DONT: Final = re.compile(r"^(?:do not|don'?t|dont|stop)\s+(?P<verb>\w+)(?P<rest>\b.*)$", _I)
_SMALL_TALK: Final = word_set(
    """
    worry forget bother need think know want mind see understand believe like have care get do be start stop panic
    hesitate give tell ask assume wait overthink
    """
)
_TOUCHING: Final = ONCE | word_set("run push commit deploy touch edit change test check show send print stop break")
"""Verbs that are forbidden for a while rather than for good."""
_BY_HAND: Final = re.compile(r"^\S+\s+(?:edit|change|modify|touch|write|patch|update)\s.+\s(?:by hand|manually)$", _I)
"""Of what is generated; nobody forbids that for one task."""
_ONE_PERSON: Final = re.compile(
    r"\b(?:i'?m|i am|i'?ve|i'?ll|i |someone|somebody|working on|still|yet|in progress|wip)\b", _I
)
_IN_MANY: Final = re.compile(r"\b(?:in|from|inside|within|into)\s+(?:[\w`-]+\s+){0,2}?(?P<noun>[\w`-]+)$", _I)


def _dont(clause: Clause) -> str | None:
    if (found := _AVOID.match(clause.text)) and not DET.match(found["what"]):
        noun = found["noun"].lower()
        return f"Avoid {found['what']}" if clause.vouched or is_plural(noun) or noun.endswith("ing") else None
    found = _DONT.match(clause.text)
    if not found or _ONE_PERSON.search(clause.reason):
        return None
    verb = found["verb"].lower()
    first = clause.text.split()[0].lower()
    if first == "stop" and not verb.endswith("ing"):
        return None
    if verb in _SMALL_TALK and not clause.rule:
        return None
    place = _IN_MANY.search(found["rest"])
    many = place is not None and is_plural(place["noun"]) and not DET.match(found["rest"].strip())
    many = many or (verb in KNOWN - _TOUCHING and not clause.in_task and _is_many(found["rest"]))
    if not (clause.rule or clause.reason or many or _BY_HAND.match(clause.text)):
        return None
    return f"Avoid {verb}{found['rest']}" if verb.endswith("ing") else f"Don't {verb}{found['rest']}"


def _is_many(rest: str) -> bool:
    """`exceptions`, `default exports`: all of them, and nothing behind."""
    words = rest.split()
    return 1 <= len(words) <= 3 and is_plural(words[-1]) and not DET.match(rest.strip())


# --- what we do -------------------------------------------------------------------------------------------------------

_WE: Final = re.compile(
    r"^(?:we|our team|the team)\s+(?P<not>(?:do not|don'?t|dont)\s+)?(?P<how>(?:only|usually|generally|normally"
    r"|typically|also"
    r"|all)\s+)?(?P<verb>\w+)(?P<rest>\b.*)$",
    _I,
)
_AND_THEN: Final = re.compile(
    r"\s*,?\s+(?:and|but)\s+(?:it|that|this|they|now|then|i|we|something|there"
    r"|the [\w-]+ (?:is|are|was|were|has|have|keeps?|fails?))\b.*$",
    _I,
)
_PREFER: Final = re.compile(r"^(?:i|we)\s+(?:strongly |really |much )?prefer\s+(?P<rest>.+)$", _I)
_ORDER_BEHIND: Final = re.compile(
    rf",\s+(?:please |so )?(?:{'|'.join(sorted(VERBS))})\s+(?:it|that|this|them|the)\b", _I
)
"""`…, move it`: what was said before is how it is not to be."""
_HERE: Final = re.compile(r"\s+here(?=,|$)", _I)
_WAYS: Final = word_set("do ask aim run want")
_VAGUE: Final = word_set("have get make need want know see think like")


def _we(clause: Clause) -> str | None:
    if found := _PREFER.match(clause.text):
        compared = re.search(r"\b(?:over|to|instead of|rather than)\b", found["rest"])
        return f"Prefer {found['rest']}" if compared or clause.reason or clause.rule else None
    found = _WE.match(clause.text)
    if not found or not found["rest"].strip():
        return None
    verb = found["verb"].lower()
    if found["not"] and verb == "do":
        return f"Don't use{_HERE.sub('', found['rest'])}"
    often = clause.rule or bool(clause.reason or found["not"] or found["how"])
    known = VERBS if not (clause.reason or clause.corrects or clause.reacts) else KNOWN | _WAYS
    refused = found["not"] and clause.reacts and is_base(verb) and verb not in _SMALL_TALK
    if (verb not in known and not refused) or (verb in _VAGUE and not clause.rule) or (verb in ONCE and not often):
        return None
    rest = _AND_THEN.sub("", found["rest"])
    if not rest.strip() or TROUBLE.search(f"{verb}{rest}") or _ORDER_BEHIND.search(rest):
        return None
    if found["not"]:
        return f"Don't {verb}{rest}"
    how = (found["how"] or "").strip().lower()
    how = "" if how in ("also", "all") else how
    return f"{how.capitalize()} {verb}{rest}" if how else f"{verb.capitalize()}{rest}"


# --- what must be -----------------------------------------------------------------------------------------------------

_MUST: Final = re.compile(
    r"^(?P<subject>(?:[\w`./@-]+\s+){1,6}?)(?P<modal>must(?: never| always| not)?|should (?:always|never)"
    r"|should(?: not|n'?t)?|must ?n'?t"
    r"|may (?:not|only)|can ?not|can'?t|(?:also )?(?:has to|have to|needs? to))\s+(?P<verb>\w+)(?P<rest>\b.*)$",
    _I,
)
_FIXED: Final = re.compile(r"^(?:now )?(?:pass|work|succeed|be (?:green|fixed|fine|ok|done|ready|enough))\b", _I)
_GO: Final = re.compile(
    r"^(?P<subject>(?:[\w`./@-]+\s+){1,5}?)(?P<verb>(?:don'?t |do not |never )?(?:goe?s?|belongs?|lives?|sits?))\s+"
    r"(?P<where>(?:in|into|under|to|on|at|through|via|inside|next to|beside)\s.+)$",
    _I,
)
_ARE: Final = re.compile(
    r"^(?P<subject>(?:[\w`./@-]+\s+){1,5}?)(?:are|is)\s+(?:(?:always|never|only)\s+)?(?:\w+ed|written|named"
    r"|kept|built|run|put|"
    r"sent|forbidden|banned|mandatory|required|off limits|snake_case|kebab-case|camelCase)\b.*$",
    _I,
)
_VIA: Final = re.compile(
    r"^(?P<subject>(?:[\w`./@-]+\s+){1,5}?)(?:is|are)\s+(?:always |only )?(?:done|made|run|built|deployed"
    r"|managed|written|generated|created|released|configured|tested|formatted|published|reviewed)\s+(?:with|by|through|via|using|from)\s.+$",
    _I,
)
_FIRMLY_SO: Final = re.compile(
    r"\b(?:is|are) (?:(?:always|never) \w|forbidden|banned|mandatory|off limits|not allowed|required\s*$)", _I
)
_FIRM_MODALS: Final = re.compile(r"must|always|never|may (?:not|only)", _I)


def _must(clause: Clause) -> str | None:
    text = clause.text
    if found := _MUST.match(text):
        subject = found["subject"].strip()
        if not not_pronoun(subject):
            return None
        if _FIXED.match(f"{found['verb']}{found['rest']}"):
            return None
        wished = clause.in_task or are_people(subject) or not is_generic(subject)
        if wished and not clause.vouched:
            return None
        told = clause.vouched or (clause.reacts and not is_seen(subject))
        return _sentence(text) if told or _FIRM_MODALS.search(found["modal"]) else None
    if found := _GO.match(text):
        subject = found["subject"].strip()
        sure = re.search(r"\b(?:through|via)\b|, not\b", found["where"]) or clause.reason or clause.corrects
        general = is_generic(subject) or clause.rule or (sure and not DET.match(subject))
        return _sentence(text) if general and not_pronoun(subject) else None
    return None


def _is_so(clause: Clause) -> str | None:
    """`Flags are prefixed`, `money is always stored in cents`: what is done, by nobody in particular."""
    text = clause.text
    if TROUBLE.search(text):
        return None
    if (found := _VIA.match(text)) and is_generic(found["subject"].strip()):
        return _sentence(text)
    if not (found := _ARE.match(text)):
        return None
    subject = found["subject"].strip()
    if (clause.rule or clause.corrects) and is_generic(subject):
        return _sentence(text)
    wished = clause.in_task or DET.match(subject) or are_people(subject)
    return _sentence(text) if _FIRMLY_SO.search(text) and not wished and not_pronoun(subject) else None


# --- decisions --------------------------------------------------------------------------------------------------------

_WHO_DECIDES: Final = r"^(?:we|the team|i)(?:'ve| have|'re| are|'s| is)?\s+(?:all |finally |now )*"
_DECIDED: Final = (
    (re.compile(rf"{_WHO_DECIDES}(?:decided|agreed|chose|opted|resolved)\s+not to\s+(?P<x>.+)$", _I), "Don't {x}"),
    (re.compile(rf"{_WHO_DECIDES}(?:decided|agreed|chose|opted|resolved)\s+to\s+(?P<x>.+)$", _I), "{X}"),
    (re.compile(rf"{_WHO_DECIDES}(?:decided|agreed)\s+that\s+(?P<x>.+)$", _I), "{X}"),
    (re.compile(rf"{_WHO_DECIDES}decided\s+against\s+(?P<x>\w+ing\b.+)$", _I), "Avoid {x}"),
    (re.compile(rf"{_WHO_DECIDES}decided\s+against\s+(?P<x>.+)$", _I), "Don't use {x}"),
    (
        re.compile(
            rf"{_WHO_DECIDES}(?:decided on|agreed on|settled on|chose|opted for|went with|going with|standardi[sz]ed on"
            r"|standardi[sz]ing on|sticking (?:with|to)|stick (?:with|to))\s+(?P<x>.+)$",
            _I,
        ),
        "Use {x}",
    ),
    (
        re.compile(
            rf"{_WHO_DECIDES}(?:switched|moved|migrated)(?: over| away)?\s+from\s+(?P<old>.+?)\s+to\s+(?P<x>.+)$", _I
        ),
        "Use {x}, not {old}",
    ),
    (re.compile(rf"{_WHO_DECIDES}(?:switched|moved|migrated)(?: over)?\s+to\s+(?P<x>.+)$", _I), "Use {x}"),
)
_LETS_KEEP: Final = re.compile(r"^let'?s\s+(?:always\s+)?(?P<x>(?:keep|avoid)\s+.+)$", _I)
_LETS: Final = re.compile(r"^let'?s\s+(?:go with|use|stick (?:with|to)|standardi[sz]e on|settle on)\s+(?P<x>.+)$", _I)
_SAYS_WE: Final = re.compile(r"^(?:we|i)\b", _I)


def _decision(clause: Clause) -> str | None:
    if found := _LETS.match(clause.text):
        return f"Use {found['x']}" if clause.reason and not DET.match(found["x"]) else None
    if (found := _LETS_KEEP.match(clause.text)) and clause.reason:
        return _sentence(found["x"])
    for pattern, words in _DECIDED:
        if found := pattern.match(clause.text):
            x = found["x"]
            if clause.text.lower().startswith("i") and not clause.reason:
                return None
            if _SAYS_WE.match(x):
                return _we(clause._replace(text=x))
            return words.format(x=x, X=begun(x), old=found.groupdict().get("old") or "")
    return None


# --- what is needed for what ------------------------------------------------------------------------------------------

_YOU_NEED: Final = re.compile(
    r"^(?:you|we)(?:'ve got| have got)?\s+(?:have to|need to|must|got to)\s+(?P<verb>\w+)(?P<rest>\b.*)$", _I
)
_YOU_CANT: Final = re.compile(
    r"^(?:you|we)\s+(?:can'?t|cannot|must not|may not|mustn'?t)\s+(?P<verb>\w+)(?P<rest>\b.*)$", _I
)
_NEEDS: Final = re.compile(
    r"^(?P<subject>(?:[\w`./@-]+\s+){1,6}?)(?P<verb>needs?|requires?|expects?|depends? on|relies on"
    r"|rely on)\s+(?!to\b)(?P<what>.+)$",
    _I,
)
_ONLY: Final = re.compile(
    r"^(?P<subject>(?:[\w`./@-]+\s+){1,6}?)(?:only (?:works?|builds?|starts?|runs?|pass(?:es)?|compiles?)"
    r"|(?:works?|builds?|starts?|runs?)"
    r" only|does(?:n'?t| not) (?:work|build|start|run|compile)|do(?:n'?t| not) (?:work|pass|run)|fails?|breaks?"
    r"|hangs?|won'?t \w+)"
    r"\s+(?:if|when|with|on|after|under|unless|without|in)\s+(?P<what>.+)$",
    _I,
)
_UNLESS: Final = re.compile(r"\bonly\b|\bunless\b|\bwithout\b", _I)
_WHENEVER: Final = re.compile(
    r"^(?P<when>(?:when(?:ever)?|before|after|if|every time|each time)\s+(?:you|we|adding|changing|writing"
    r"|touching|editing"
    r"|renaming|releasing|committing|deploying|merging|creating|updating|somebody|someone|a|an|any"
    r"|anything)\b[^,]*?)(?:,\s*|\s+(?=you (?:must|have to|need to)\s))"
    r"(?P<do>(?:please |also |always |you (?:must|have to|need to|should) |we )?(?P<verb>[\w']+)\b.*)$",
    _I,
)
_WHEN_CHANGED: Final = re.compile(
    r"^(?:if|when) (?:you|we) (?:add|change|touch|rename|create|edit|introduce|move|delete|remove|update)\b", _I
)
_FIRMLY: Final = re.compile(r"^(?:whenever|every time|each time)\b|\b(?:always|must|never)\b", _I)
_SURELY: Final = re.compile(
    r"^(?!(?:the|a|an|our|all|every|each|no|it|we|you|i|they|this|that|there|only|is|are|not|and|or|of|for|in|on|with|to)\b)"
    r"[a-z]+\s+(?:the|a|an|all|every|each|any|our|your)\s",
    _I,
)
"""An order by its form, with a verb that nobody listed."""
_LASTING: Final = DURABLE - {"use", "put", "call", "log"}
_FOR_ALL: Final = re.compile(
    r"^(?:use (?!an? |the |that |this |it |my |your )[\w`./@-]+(?: [\w`./@-]+){0,3}"
    r" for (?:all |every |each |new )?(?:[\w-]+ ){0,2}[\w-]+s"
    r"|stick (?:to|with) (?!it\b|that\b|this\b)\w.+)$",
    _I,
)
"""`Use kebab-case for classes`: for all of them."""
_AS_THEY_ARE: Final = re.compile(r"\b(?:as (?:is|they are|before)|unchanged|alone|together|handy)\b|^\w+$", _I)
_COMMAND: Final = re.compile(r"^(?P<verb>\w+)\s+(?P<rest>.+)$", _I)


def _needed(clause: Clause) -> str | None:
    text, vouched = clause.text, clause.vouched
    if found := _YOU_NEED.match(text):
        verb, rest = found["verb"], found["rest"]
        lasting = clause.rule or (vouched and verb.lower() not in ONCE and not DET.match(rest.strip()))
        return f"{verb.capitalize()}{rest}" if lasting and verb.lower() in VERBS else None
    if (found := _YOU_CANT.match(text)) and vouched:
        return f"Don't {found['verb']}{found['rest']}" if found["verb"].lower() in KNOWN else None
    if found := _ONLY.match(text):
        firm = clause.rule or (_UNLESS.search(text) and _named(found["subject"]))
        return _sentence(text) if firm and not_pronoun(found["subject"]) else None
    if (found := _NEEDS.match(text)) and vouched and not_pronoun(found["subject"]):
        return _sentence(text) if _named(text) or clause.rule else None
    if found := _WHENEVER.match(text):
        does = re.sub(r"^(?:please|also|you (?:must|have to|need to|should)|we)\s+", "", found["do"], flags=_I)
        if (vouched or _FIRMLY.search(text) or (clause.reacts and _WHEN_CHANGED.match(text))) and is_base(
            does.split()[0]
        ):
            return f"{_sentence(found['when'])}, {does}"
    return None


def _named(text: str) -> bool:
    return bool(names_in(text)) or any(is_plural(word) for word in text.split())


def _ordered(clause: Clause) -> str | None:
    """A plain order is about the task, unless it is said to be a rule, or corrects and says why."""
    found = _COMMAND.match(clause.text)
    if clause.rule and _SURELY.match(clause.text) and is_base(clause.text.split()[0]):
        return _sentence(clause.text)
    if not found or found["verb"].lower() not in VERBS:
        return None
    if clause.rule:
        return _sentence(clause.text)
    if clause.reacts and not clause.in_task and _FOR_ALL.match(clause.text):
        return _sentence(clause.text)
    if found["verb"].lower() in _LASTING and not clause.in_task and is_plural(found["rest"].split()[0]):
        return None if _AS_THEY_ARE.search(found["rest"]) else _sentence(clause.text)
    if not clause.reason or found["verb"].lower() in ONCE or ONE.match(found["rest"]):
        return None
    taken = found["verb"].lower() == "use" and not DET.match(found["rest"]) and not clause.in_task
    general = clause.corrects or taken or any(is_plural(word) for word in found["rest"].split()[:3])
    return _sentence(clause.text) if general and not _ONE_PERSON.search(clause.reason) else None


def _sentence(text: str) -> str:
    return begun(text)


_READERS: Final[tuple[Reader, ...]] = (
    _decision,
    this_not_that,
    _always,
    _dont,
    _we,
    _needed,
    _must,
    _is_so,
    no_things,
    present,
    only_some,
    _ordered,
)
