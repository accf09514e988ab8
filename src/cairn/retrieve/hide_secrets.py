"""Hides secrets in what a search shows. They may stand in pages, and in notes from before the rules improved."""

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from cairn.retrieve.excerpt import Excerpt
    from cairn.retrieve.find import Hit

_MAY: Final = re.compile(
    r"(?:pass|pwd|pw|psk|secret|token|key|credential|kennwort|contrase\w|senha|wachtwoord|parol\w|has[łl]o|heslo|парол\w|密码|パスワード)"
    r"\w{0,24}[\"'`\])*]{0,3}(?:\s{0,3}[:=]|\s\w{0,12}\s?\S{0,40}\d)|://[^\s/@]{0,80}:[^\s/@]{1,80}@|-----BEGIN|"
    r"[A-Za-z0-9_-]{24}|\s-[pua]\s",
    re.IGNORECASE,
)
"""A text without any of this has no secret that a rule would find. Rules take longer to load than a search takes."""


def without_secrets(hit: "Hit") -> "Hit":
    """The hit as it may be shown; positions of marks fit the text again."""
    texts = (hit.title, hit.summary, hit.excerpt.heading, hit.excerpt.text, hit.excerpt.code)
    if not any(text and _MAY.search(text) for text in texts):
        return hit
    summary = _clean(hit.summary) if hit.summary else hit.summary
    return replace(hit, title=_clean(hit.title), summary=summary, excerpt=_excerpt(hit.excerpt))


def _clean(text: str) -> str:
    from cairn.lib.scrub.find import redact
    from cairn.lib.scrub.rules import SHOWN

    return redact(text, SHOWN).text


def _excerpt(excerpt: "Excerpt") -> "Excerpt":
    from cairn.lib.scrub.find import find
    from cairn.lib.scrub.rules import SHOWN

    pieces: list[str] = []
    marks = list(excerpt.marks)
    position = shift = 0
    moved: list[tuple[int, int]] = []
    for hit in find(excerpt.text, SHOWN):
        moved += [(a + shift, b + shift) for a, b in marks if position <= a and b <= hit.start]
        sign = f"[REDACTED:{hit.rule}]"
        pieces += (excerpt.text[position : hit.start], sign)
        shift += len(sign) - (hit.end - hit.start)
        position = hit.end
    moved += [(a + shift, b + shift) for a, b in marks if a >= position]
    text = "".join((*pieces, excerpt.text[position:]))
    return replace(excerpt, text=text, marks=tuple(moved), heading=_clean(excerpt.heading), code=_clean(excerpt.code))
