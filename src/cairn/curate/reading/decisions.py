"""A record of a decision: what was decided, in words that hold from now on, and why; nothing of one that is void."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from cairn.curate.reading.parts import Part
from cairn.curate.reading.place import is_stale
from cairn.curate.reading.sentence import Stated, is_whole
from cairn.curate.rules.clauses import clauses, reasoned
from cairn.curate.rules.practice import practice
from cairn.curate.rules.scope import pointing
from cairn.curate.rules.words import KNOWN, ONCE, is_base, is_plural, word_set

_I: Final = re.IGNORECASE
MOST: Final = 3
"""Statements of one decision: what is decided comes first, and then how it is done."""
_FOLDER: Final = re.compile(r"(?:^|[/_-])(?:adrs?|decisions?|decision-records?)(?=[/_-])|\badr[-_]?\d+", _I)
_DECISION: Final = re.compile(r"^(?:the )?decision(?:s| outcome| made)?$|^resolution$|^what we decided$", _I)
_WHY: Final = re.compile(r"^(?:rationale|reasons?|reasoning|why|justification|motivation)$", _I)
_STATUS: Final = re.compile(r"^\W*status\W+(?P<word>.+)$", _I)
_NUMBERED: Final = re.compile(r"^(?:\[?adr\]?[-\s]*(?:[a-z]+-)?\d*|\d+)\s*[:.\-–—)]*\s+", _I)
_CHOSEN: Final = re.compile(
    r"^chosen(?: option)?:?\s+[\"“']?(?P<what>[^\"”]+?)[\"”']?(?:[,.]?\s+(?:because|since|as)\s+(?P<why>.+))?$", _I
)
_WILL: Final = re.compile(
    r"^(?:we|(?:the|this) (?:team|project))\s+(?:will|shall|are going to|(?:have )?decided to|choose to|agree to)"
    r"(?P<not>\s+(?:not|never))?\s+(?P<rest>[a-z]+\b.*)$",
    _I,
)
_WILL_BE: Final = re.compile(r"^(?P<subject>(?:[\w`./-]+\s+){1,5}?)will(?P<not> not| never)? be\s+(?P<rest>\w+.*)$", _I)
_OPTION: Final = re.compile(
    r"^(?:option|alternative|solution|variant|approach|compromise|proposal|choice)\b|^\(?[a-d]\)", _I
)
_ORDERS: Final = (KNOWN - ONCE) | word_set("adopt develop introduce ignore don't never always avoid prefer")


def decided(parts: Sequence[Part], *, path: str, status: str = "") -> list[Stated] | None:
    """None for a document that is no such record."""
    titles = {title for part in parts for title in part.headings[1:]}
    records = [part for part in parts if any(_DECISION.match(title) for title in part.headings[1:])]
    if not (records and (_FOLDER.search(path) or titles & _BESIDE or _lower(titles) & _BESIDE)):
        return None if not _FOLDER.search(path) or not is_stale(status) else []
    if _out_of_force(parts, status):
        return []
    return list(_statements(parts, records))[:MOST]


_BESIDE: Final = frozenset({"context", "status", "consequences", "context and problem statement", "considered options"})


def _lower(titles: set[str]) -> set[str]:
    return {title.lower() for title in titles}


def _out_of_force(parts: Sequence[Part], status: str) -> bool:
    said = [status, *(part.text for part in parts if part.headings[-1:] and part.headings[-1].lower() == "status")]
    said += [found["word"] for part in parts[:12] if (found := _STATUS.match(part.text))]
    return any(is_stale(word) or "|" in word for word in said)


def _statements(parts: Sequence[Part], records: Sequence[Part]) -> Iterator[Stated]:
    why = _why(parts)
    found = [one for part in records if part.item in ("", "*") and (one := _statement(part)) is not None]
    if not found and (titled := _by_title(records[0])) is not None:
        found = [titled]
    for at, one in enumerate(found):
        yield one if one.reason or at or not why else one._replace(reason=why)


def _why(parts: Sequence[Part]) -> str:
    """The first sentence of the section that gives reasons, where that stands alone."""
    told = [part for part in parts if part.headings and _WHY.match(part.headings[-1])]
    first = told[0].text.rstrip(".") if told and told[0].item in ("", "*", "1") else ""
    return first if 3 <= len(first.split()) <= 30 and not pointing(first) and not first.endswith(":") else ""


def _statement(part: Part) -> Stated | None:
    text = part.text.rstrip(".")
    if chosen := _CHOSEN.match(text):
        return _of_choice(chosen["what"].strip(" .*"), chosen["why"] or "", part)
    if not is_whole(part.text, part):
        return None
    said, reason = reasoned(text)
    order = _ordered(said)
    if order is None:
        return None
    short = len(order.split()) < (2 if reason else 3)  # `Use PostgreSQL` says all there is, once it says why
    return None if pointing(order) or short else Stated("practice", order, reason, part, True)


def _of_choice(what: str, why: str, part: Part) -> Stated | None:
    if _OPTION.match(what) or not 1 <= len(what.split()) <= 16 or pointing(what):
        return None
    said = _capital(what) if _is_order(what) else f"Use {what}"
    why = why.strip(" .")
    return Stated("practice", said, why if len(why.split()) <= 40 and '"' not in why else "", part, True)


def _ordered(text: str) -> str | None:
    if (found := _WILL.match(text)) and is_base(found["rest"].split()[0]):
        return f"Don't {found['rest']}" if found["not"] else _capital(found["rest"])
    if found := _WILL_BE.match(text):
        verb = "are" if is_plural(found["subject"].split()[-1]) else "is"
        return f"{_capital(found['subject'])}{verb}{found['not'] or ''} {found['rest']}"
    if _is_order(text):
        return _capital(text)
    return next((said for clause in clauses(text) if (said := practice(clause._replace(rule=True)))), None)


def _by_title(part: Part) -> Stated | None:
    """`ADR 7: Use PostgreSQL for storage`."""
    title = _NUMBERED.sub("", part.headings[0]).strip(" .")
    return Stated("practice", _capital(title), "", part, True) if _is_order(title) and len(title.split()) >= 2 else None


def _is_order(text: str) -> bool:
    words = text.split()
    return len(words) > 1 and words[0].lower().strip(",") in _ORDERS


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
