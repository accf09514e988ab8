"""What people changed, told as it is from then on: *we switched from npm to pnpm* is a rule about pnpm."""

import re
from typing import Final, NamedTuple

from cairn.curate.rules.scope import passing
from cairn.curate.rules.words import DET, KNOWN, word_set
from cairn.kernel.model.candidate import Kind

_I: Final = re.IGNORECASE
_NAME: Final = r"`[^`]{1,60}`|[\w@./:+#-]+(?: [\w@./:+#-]+){0,2}?"
_WE: Final = r"^we(?:'ve| have|'re)?(?: just| recently| finally| now| all| already| completely)?"
_WHEN: Final = re.compile(
    r"[\s,]+(?:now|by now|nowadays|these days|entirely|completely|everywhere|for good|a while (?:ago|back)|recently"
    r"|(?:last|this|in|since|as of|back in) (?:week|month|year|quarter|sprint|spring|summer|autumn|winter|january"
    r"|february|march|april|may|june|july|august|september|october|november|december|\d{4}|v?\d+(?:\.\d+)*))+$",
    _I,
)
_WHY: Final = re.compile(r"(?:,\s*(?:because|since|as)?\s*|\s+(?:because|since)\s+)(?P<why>(?!not\b)[^,].{6,})$", _I)
_OLD, _NEW = rf"(?P<old>{_NAME})", rf"(?P<new>{_NAME})"
_FOR: Final = r"(?: for (?P<what>[\w `./-]{3,50}))?"
_FROM: Final = rf"(?: (?:from|off|away from) {_OLD})?"
_FORMS: Final = tuple(
    re.compile(form, _I)
    for form in (
        rf"{_WE} (?:switched|moved|migrated|changed|gone|went)(?: over)?{_FROM} (?:over )?to {_NEW}{_FOR}$",
        rf"{_WE} (?:moved|migrated|switched) (?P<what>(?:the|our|all) [\w-]+(?: [\w-]+)?){_FROM} (?:over )?to {_NEW}$",
        rf"{_WE} (?:replaced|swapped(?: out)?) {_OLD} (?:with|by|for) {_NEW}$",
        rf"{_WE} (?:dropped|abandoned|retired|ditched|left|got rid of|killed) {_OLD} (?:in favou?r of|for) {_NEW}$",
        rf"^we (?:no longer use|don'?t use|do not use|aren'?t on|are not on) {_OLD}(?: any ?more)?"
        rf"[,;.]? (?:but |and )?(?:it'?s|it is|we use|we'?re on|we are on|we have|use) {_NEW}$",
        rf"^{_OLD} is (?:gone|dead|history|deprecated|out)[,;.]? (?:we use|we'?re on|use|it'?s) {_NEW}$",
        rf"^we no longer use {_OLD}{_FOR}$",
        rf"{_WE} stopped using {_OLD}{_FOR}$",
    )
)
_VALUE: Final = re.compile(
    r"^(?P<subject>(?:the|our)\s+(?:[\w`./-]+\s+){1,4}?)"
    r"(?P<is>is|are|(?:went|is|was|has been|got) (?:up|down|raised|lowered|bumped|cut) to)\s+"
    r"(?P<value>(?:[\w`./-]+\s+){0,2}?\d[\w.,%]*(?:\s+[\w/-]+){0,4}?)\s*(?P<now>\s(?:by )?now)?$",
    _I,
)
_AMONG: Final = word_set("it that this them there and or main master work something")
_ORDERS: Final = word_set("please so then just can could let and but you i")


class Changed(NamedTuple):
    kind: Kind
    statement: str
    reason: str


def changed(core: str) -> Changed | None:
    """How it is since, where a sentence says that it was otherwise before."""
    text = core.strip(" .!;:")
    for said, reason in _with_reason(text):
        if found := _chosen(_WHEN.sub("", said), reason) or _valued(said, reason):
            return None if passing(re.sub(r"\bnow\b", "", core), firm=True) else found
    return None


def _with_reason(text: str) -> list[tuple[str, str]]:
    """The sentence as a whole, and without what may be why; an order behind it is not."""
    found = _WHY.search(text)
    if found is None:
        return [(text, "")]
    why = found["why"].strip()
    first = why.split()[0].lower()
    return [(text, ""), (text[: found.start()], "" if first in KNOWN or first in _ORDERS else why)]


def _chosen(text: str, reason: str) -> Changed | None:
    for form in _FORMS:
        if found := form.match(text):
            told = found.groupdict()
            old, new, what = (told.get(name) or "" for name in ("old", "new", "what"))
            if not all(_is_name(name) for name in (old, new) if name) or what.lower() in _AMONG:
                return None
            return Changed("practice", _use(old, new) + (f" for {what}" if what else ""), reason)
    return None


def _use(old: str, new: str) -> str:
    return f"Use {new}, not {old}" if old and new else f"Use {new}" if new else f"Don't use {old}"


def _is_name(text: str) -> bool:
    """`pnpm`, and not `the next one`."""
    return not DET.match(text) and not _AMONG.intersection(text.lower().split())


def _valued(text: str, reason: str) -> Changed | None:
    """`The retention is 90 days now`; without a word of change it only says how something is."""
    found = _VALUE.match(text)
    if not found or not (found["now"] or " to" in found["is"]):
        return None
    subject = found["subject"].strip()
    verb = "are" if found["is"].lower() == "are" else "is"
    return Changed("map", f"{subject[0].upper()}{subject[1:]} {verb} {found['value'].strip()}", reason)
