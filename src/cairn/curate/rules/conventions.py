"""Conventions as people state them to somebody who did otherwise: how things are, and what there is none of.

Without an answer before them the same words only describe, so these readers ask for one, or for a reason.
"""

import re
from typing import Final

from cairn.curate.rules.clauses import Clause
from cairn.curate.rules.subjects import TROUBLE, are_people, is_generic, is_seen, is_universal
from cairn.curate.rules.words import KNOWN, begun, is_plural, word_set

_I: Final = re.IGNORECASE
_NO: Final = re.compile(r"^no (?P<what>(?:(?!more\b)[\w`-]+ ){0,2}?(?P<noun>[\w`-]+s)\b(?P<rest>.*))$", _I)
_EVER: Final = re.compile(r"[\s,]+(?:ever|at all|anywhere|allowed|please|pls|,\s*(?:just|only)?\s*\w+ ones)+$", _I)
_NAMED_ONES: Final = re.compile(r",\s*(?P<which>(?:only |just )?[\w-]+) ones$", _I)
_TALK: Final = word_set(
    """
    worries problems thanks errors issues changes comments questions ideas warnings conflicts results matches yes
    failures surprises regrets differences plans objections guarantees words news this was is as has
    """
)
_PRESENT: Final = re.compile(
    r"^(?P<subject>(?:[\w`./@-]+\s+){1,6}?)(?P<verb>(?:runs?|starts?|begins?|ends?) (?:with|against|on|from|as|under)"
    r"|uses?|returns?|logs?|extends?|inherits?|imports?|raises?|throws?|carry|carries|includes?|follows?"
    r"|wraps?|contains?|declares?|owns?|depends? on)"
    r"\s+(?P<rest>.+)$",
    _I,
)
_NEED: Final = re.compile(
    r"^(?P<subject>(?:[\w`./@-]+\s+){1,6}?)(?:needs?|requires?)\s+(?!to\b|\d|more\b|some\b|longer\b).+$", _I
)
_COMES: Final = re.compile(r"^(?P<subject>(?:[\w`./@-]+\s+){1,6}?)comes? from\s+.+$", _I)
_ONE_NEEDS: Final = re.compile(
    r"^(?P<subject>an?\s+(?:[\w-]+\s+){1,3}?)(?:needs|requires)\s+(?:an?|its|two|both)\s.+$", _I
)
_ALWAYS_DO: Final = re.compile(
    r"^(?P<subject>(?:[\w`./@-]+\s+){1,5}?)(?:always|never|only)\s+(?P<verb>[a-z]+)\s+.+$", _I
)
_DONE: Final = re.compile(
    r"^(?P<subject>(?:[\w`'./@-]+\s+){1,6}?)(?:are|is|gets?)\s+(?:always |only |never |all )?"
    r"(?:named|called|written|kept|stored|built|put|sent|generated|shown|signed|formatted|prefixed|suffixed|sorted|versioned|reviewed|tested|deployed"
    r"|published|released|tagged|squashed|encoded|encrypted|measured|passed|declared|defined|registered|imported"
    r"|exported|logged|documented|translated|rounded|converted|quoted|wrapped|validated)\b"
    r"(?:\s+(?:in|by|with|as|after|from|to|at|under|through|via|for|on|before|without)\s+.+|)$",
    _I,
)
_EVERY_IS: Final = re.compile(
    r"^(?P<subject>(?:all|every|each)\s+(?!time\b|second\b|day\b|morning\b|week\b|now\b)(?:[\w`'./@-]+\s+){1,5}?)(?:are|is|needs?|gets?|has|have"
    r"|takes?|carry|carries|returns?|uses?|defines?|implements?|goes)\s+(?!not\b)"
    r"(?!(?:\w+ )?(?:green|red|fine|ok|done|here|there|gone|empty|ready|offline|online|down|up|back|passing)\b)\w.+$",
    _I,
)
_ALWAYS_IS: Final = re.compile(
    r"^(?P<subject>(?:[\w`'./@-]+\s+){1,5}?)(?:is|are)\s+(?:always|never|only)\s+(?!such|so|the same|like|been)\w.+$",
    _I,
)
_SUBJECT_WORDS: Final = 5
_THEN: Final = re.compile(r",\s+(?:so |please )?(?P<verb>[a-z]+)\s+(?:it|them|that|this|the)\b", _I)
_ONLY_MAY: Final = re.compile(
    r"^only\s+(?:[\w`./@-]+\s+){1,4}?(?:may|must|should|is allowed to|are allowed to)\s+\w.+$", _I
)
_ONE_PER: Final = re.compile(
    r"^(?:one\s+[\w -]+\s+(?:per|for each|at a time)\b"
    r"|(?:max(?:imum)?|min(?:imum)?|at most|at least|no more than)\s+(?:\d+|one|two|three|five|ten)\s+[\w -]+"
    r"\s+(?:per|for|in|on)\b).*$",
    _I,
)


_DONE_TOO: Final = word_set("get have describe explain")
_FORMS: Final = (_PRESENT, _NEED, _COMES, _DONE, _EVERY_IS, _ALWAYS_IS, _ALWAYS_DO, _ONE_NEEDS)


def no_things(clause: Clause) -> str | None:
    """`No default exports`: of all of them, said to somebody who made one."""
    found = _NO.match(clause.text)
    if not found or found["noun"].lower() in _TALK or not (clause.vouched or clause.reacts or clause.corrects):
        return None
    if not (clause.rule or " " in found["what"].strip()):
        return None
    which = _NAMED_ONES.search(found["what"])
    what = _EVER.sub("", found["what"][: which.start()] if which else found["what"])
    if not which:
        return f"Don't {_use(what, found['noun'])}"
    rejected = what[: what.lower().index(found["noun"].lower())] + found["noun"]
    return f"Use {which['which']} {what[len(rejected) - len(found['noun']) :]}, not {rejected}"


def _use(what: str, noun: str) -> str:
    """*No deploys on Fridays* is about deploying; of other things one says that they are used."""
    verb = noun.lower().removesuffix("s")
    return f"{verb}{what[len(noun) :]}" if what.startswith(noun) and verb in KNOWN else f"use {what}"


def present(clause: Clause) -> str | None:
    """`Commit subjects start with the component`."""
    if not _is_told(clause) or TROUBLE.search(clause.text) or _orders_then(clause.text):
        return None
    for form in _FORMS:
        found = form.match(clause.text)
        if found and _is_about_all(found["subject"].strip(), form, clause) and _is_done(found):
            return begun(clause.text)
    return begun(clause.text) if clause.rule and _does_all(clause) else None


def _does_all(clause: Clause) -> bool:
    """`Calls to other services time out after 12 seconds`: nearly everything, so it is for what says that it is a
    rule."""
    words = clause.text.split()
    verbs = (
        at
        for at in range(1, min(len(words) - 1, _SUBJECT_WORDS + 1))
        if words[at - 1].isalpha() and is_plural(words[at - 1])
    )
    at = next((at for at in verbs if words[at].lower() in KNOWN | _DONE_TOO), 0)
    return at > 0 and _is_about_all(" ".join(words[:at]), None, clause)


def _is_told(clause: Clause) -> bool:
    return (clause.vouched or clause.reacts or clause.corrects) and not clause.in_task


def _is_about_all(subject: str, form: "re.Pattern[str] | None", clause: Clause) -> bool:
    if are_people(subject) or (is_seen(subject) and form is not _COMES):
        return False
    if form is _ONE_NEEDS:
        return True
    if form is _EVERY_IS or (form is _NEED and not (clause.corrects or clause.rule)):
        return is_universal(subject)
    return is_generic(subject)


def _orders_then(text: str) -> bool:
    """`…, skip it`: what was said before is how it is, and the order is what it is said for."""
    return any(found["verb"].lower() in KNOWN for found in _THEN.finditer(text))


def _is_done(found: "re.Match[str]") -> bool:
    """Of `plots always get a unit`: whether somebody does that, or it only happens."""
    if found.re is not _ALWAYS_DO:
        return True
    return found["verb"].lower() in KNOWN | _DONE_TOO


def only_some(clause: Clause) -> str | None:
    """`Only the gateway may talk to the database`, `one table per migration`."""
    if clause.in_task:
        return None
    limits = _ONE_PER.match(clause.text) and (clause.rule or clause.reacts)
    if _ONLY_MAY.match(clause.text) or limits:
        return begun(clause.text)
    return None
