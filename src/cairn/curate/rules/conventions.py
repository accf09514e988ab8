"""Conventions as people state them to somebody who did otherwise: how things are, and what there is none of.

Without an answer before them the same words only describe, so these readers ask for one, or for a reason.
"""

import re
from typing import Final

from cairn.curate.rules.clauses import Clause
from cairn.curate.rules.subjects import PEOPLE, TROUBLE, is_generic
from cairn.curate.rules.words import word_set

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
    r"^(?P<subject>(?:[\w`./@-]+\s+){1,6}?)(?P<verb>(?:run|start|begin|end|come|work)"
    r" (?:with|against|in|on|from|as|under)|use|return|log|extend|inherit|import|raise|throw"
    r"|carry|include|follow|wrap|contain|declare|own|depend on)"
    r"\s+(?P<rest>.+)$",
    _I,
)


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
        return f"Don't use {what}"
    rejected = what[: what.lower().index(found["noun"].lower())] + found["noun"]
    return f"Use {which['which']} {what[len(rejected) - len(found['noun']) :]}, not {rejected}"


def present(clause: Clause) -> str | None:
    """`Commit subjects start with the component`."""
    found = _PRESENT.match(clause.text)
    if not found or TROUBLE.search(clause.text) or not (clause.vouched or clause.reacts or clause.corrects):
        return None
    subject = found["subject"].strip()
    if PEOPLE.search(subject) or not is_generic(subject):
        return None
    return clause.text[:1].upper() + clause.text[1:]
