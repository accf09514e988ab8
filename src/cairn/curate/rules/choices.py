"""This and not that: what people take, and what they reject for it."""

import re
from typing import Final

from cairn.curate.rules.clauses import Clause
from cairn.curate.rules.subjects import not_pronoun
from cairn.curate.rules.words import DET, KNOWN, ONE, begun

_I: Final = re.IGNORECASE
_NUMBER: Final = re.compile(r"^[\d.]+\b")
_WHERE: Final = re.compile(r"^(?:in|on|at|for|from|still|too)\b", _I)
_SHORT: Final = 3
_IDENTIFIER: Final = re.compile(r"^`?(?:\w+\(.*\)|[a-z]+[A-Z]\w*|[a-z]+_\w+)`?$")
_THING: Final = r"(?:`[^`]{1,80}`|[\w@./:+#-]+(?:\s+[\w@./:+#-]+){0,5}?)"
_NOT_USE: Final = re.compile(
    rf"^(?:do not|don'?t|never|stop|no)\s+(?:use|using|call|calling|run|running|write|writing|import|importing)?\s*"
    rf"(?P<bad>{_THING})\s*[,;:–—-]+\s*(?:but\s+|instead\s+)?(?:please\s+)?"
    rf"(?P<verb>use|prefer|call|run|write|import|we use)\s+(?P<good>.+?)(?:\s+instead)?$",
    _I,
)
_USE_NOT: Final = re.compile(
    r"^(?:(?:you|we) (?:should|must) |always )?(?P<verb>use|prefer|call|run|write|import|choose|pick|go with"
    r"|stick (?:to|with)"
    r"|put|throw|raise|return|name|store|log|mock)\s+(?P<good>.+?)(?:,\s*|\s+)(?P<how>instead of|rather than"
    r"|over|and not"
    r"|but not|not|never)\s+(?P<bad>.+)$",
    _I,
)
_WE_USE_NOT: Final = re.compile(
    rf"^(?:we|this (?:repo|project)) uses?\s+(?P<good>.+?)(?:\s+here)?(?:,\s*|(?<! is)(?<! are)\s+)"
    rf"(?:and not|not|instead of"
    rf"|rather than|never)"
    rf"\s+(?P<bad>{_THING})$",
    _I,
)
_JUST_NOT: Final = re.compile(
    r"^(?:it'?s |that'?s |use )?(?P<good>(?:`[^`]+`|[\w@./+-]+)(?: in (?:the )?[\w@./+-]+)?),?\s+(?:and )?not\s+"
    r"(?P<bad>`[^`]+`|[\w@./+-]+)$",
    _I,
)
_IS_NOT: Final = re.compile(
    r"^(?P<subject>(?:the |our )?(?:[\w-]+ ){1,4})(?P<is>is|are)\s+(?P<good>.+?),\s*(?:not|no|never)\s+(?P<bad>.+)$", _I
)


_GONE: Final = re.compile(
    rf"^(?P<bad>{_THING}) (?:is|are) (?:deprecated|gone|dead|banned|outdated|obsolete|legacy|unmaintained)"
    r"(?: here| for us)?\s*[,;:–—-]+\s*(?:so |please |we )?use\s+(?P<good>.+?)(?:\s+instead)?$",
    _I,
)


def this_not_that(clause: Clause) -> str | None:
    text = clause.text
    if found := _NOT_USE.match(text):
        verb = found["verb"].lower().removeprefix("we ")
        if not _is_general(clause, found["good"], found["bad"]):
            return None
        if found["bad"].split()[0].lower() in KNOWN:  # what is not done, and what is used for it
            return f"Don't {found['bad']}, {verb} {found['good']}"
        return f"{verb.capitalize()} {found['good']}, not {found['bad']}"
    if found := _WE_USE_NOT.match(text):
        return f"Use {found['good']}, not {found['bad']}"
    if found := _USE_NOT.match(text):
        return _preferred(clause, found)
    if (clause.corrects or clause.rule) and (found := _JUST_NOT.match(text)):
        return f"Use {found['good']}, not {found['bad']}"
    if (found := _IS_NOT.match(text)) and (clause.corrects or (clause.reacts and _is_of_all(found))):
        return begun(text)
    if found := _GONE.match(text):
        return f"Use {found['good']}, not {found['bad']}"
    return None


def _is_of_all(found: "re.Match[str]") -> bool:
    """`Ids are ULIDs, not UUIDs`; `the argument is a list, not a tuple` is about one."""
    good, bad, subject = found["good"], found["bad"], found["subject"]
    if DET.match(subject) or ONE.match(good) or _WHERE.match(good) or not not_pronoun(subject):
        return False
    return len(good.split()) <= _SHORT and len(bad.split()) <= _SHORT


def _preferred(clause: Clause, found: "re.Match[str]") -> str | None:
    how = found["how"].lower()
    if how == "over" and found["verb"].lower() not in ("prefer", "choose", "pick", "use"):
        return None
    if not _is_general(clause, found["good"], found["bad"]):
        return None
    link = {"and not": ", not", "but not": ", not", "not": ", not", "never": ", never"}.get(how, f" {how}")
    return f"{found['verb'].capitalize()} {found['good']}{link} {found['bad']}"


def _is_general(clause: Clause, good: str, bad: str) -> bool:
    """`a list instead of a tuple` is about one line; `pnpm instead of npm` about the project."""
    if clause.vouched:
        return not (ONE.match(good) and ONE.match(bad))
    if _NUMBER.match(bad) or (not clause.corrects and _IDENTIFIER.match(good) and _IDENTIFIER.match(bad)):
        return False
    local = ONE.match(good) or DET.match(bad) or bad.split()[0].lower().endswith("ing")
    return not local and len(good.split()) <= 8
