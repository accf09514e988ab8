"""Whether two texts of a source can be compared at all: same language, still a page, still that page."""

import re
from collections import Counter

_WORD = re.compile(r"[^\W\d_]+")
_MARKERS = {
    "English": "the and of to is that for with are this be or not from when which can must should",
    "German": "der die das und ist nicht mit für ein eine auf werden wird sie von dem den im zu kann",
    "French": "le la les des et est une pour dans que qui sur avec pas par vous être sont au du",
    "Spanish": "el la los las de que y en una para con por es no se del al como puede su",
    "Portuguese": "o os as de que e em uma para com por não se do da no na como pode são",
    "Italian": "il lo la gli le di che e in una per con non si del della sono essere può nel",
    "Dutch": "de het een en van is niet met voor op zijn wordt dat die aan te kan bij als of",
    "Polish": "i w na z do nie się jest to że dla przez od jak są może po oraz być lub",
}
_SCRIPTS = {
    "Chinese or Japanese": re.compile("[\u3040-\u30ff\u3400-\u9fff]"),
    "Korean": re.compile("[\uac00-\ud7a3]"),
    "Cyrillic": re.compile("[\u0400-\u04ff]"),
    "Arabic": re.compile("[\u0600-\u06ff]"),
    "Hebrew": re.compile("[\u0590-\u05ff]"),
    "Greek": re.compile("[\u0370-\u03ff]"),
    "Thai": re.compile("[\u0e00-\u0e7f]"),
    "Devanagari": re.compile("[\u0900-\u097f]"),
}
_WALL = re.compile(
    r"""\b(?:(?:sign|log)\ ?in\ to|please\ (?:log|sign)\ in|page\ not\ found|not\ be\ found|no\ longer\ exists|404
    |does(?:n.t|\ not)\ exist|access\ denied|permission\ to|forbidden|you\ are\ (?:a\ )?human|checking\ your\ browser
    |captcha|enable\ javascript|javascript\ is\ (?:required|disabled)|unusual\ traffic|temporarily\ unavailable
    |under\ maintenance|service\ unavailable|accept\ cookies\ to\ continue|session\ (?:has\ )?expired
    |rate\ limit\ exceeded|too\ many\ requests|has\ moved|page\ (?:was\ )?moved)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_SAMPLE = 8_000
_LITTLE = 0.35
"""Of the old length: a page that lost more and says it is a wall is one."""
_SAME_SUBJECT = 0.18
"""Share of the old page's rare words that a page on the same subject still has."""


def why_not(old: str, new: str, share_kept: float) -> str | None:
    """The reason why nothing can be said, or None."""
    if not new.strip():
        return "the source has no text now"
    if len(new) < max(200, _LITTLE * len(old)) and share_kept < 0.3 and _WALL.search(new):
        return "the source shows a login, an error or a notice instead of its text"
    before, after = language(old), language(new)
    if before and after and before != after:
        return f"the source was in {before} and is in {after} now"
    if share_kept < 0.08 and _common(old, new) < _SAME_SUBJECT:
        return "the source has been replaced by a text about something else"
    if len(new) < 0.12 * len(old):
        return "nearly all of the source's text is gone"
    return None


def language(text: str) -> str | None:
    """The most likely one, or None when there is too little to tell."""
    sample = text[:_SAMPLE]
    letters = sum(map(str.isalpha, sample)) or 1
    for name, script in _SCRIPTS.items():
        if len(script.findall(sample)) / letters > 0.25:
            return name
    counts = Counter(_WORD.findall(sample.lower()))
    scores = {name: sum(counts[word] for word in words.split()) for name, words in _MARKERS.items()}
    ranked = sorted(scores.items(), key=lambda item: -item[1])
    (best, first), (_, second) = ranked[:2]
    total = sum(counts.values())
    return best if first >= 6 and first >= 0.08 * total and first > 1.4 * second else None


def _common(old: str, new: str) -> float:
    before = {word for word in _WORD.findall(old.lower()) if len(word) > 4}
    after = set(_WORD.findall(new.lower()))
    return len(before & after) / max(len(before), 1)
