"""Fingerprints of what was said: equal for two tellings of the same. Text that Cairn injects is known again by them."""

import json
import re
from binascii import b2a_base64
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_PASSING = re.compile(
    r"\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)?\b"  # dates and moments
    r"|\b\d\d?:\d\d(?::\d\d)?\b"  # times of the day
    r"|\b(?:in|took|after) [0-9]\d*(?:[.,]\d+)?\s?(?:ms|s|sec|seconds?|min|minutes?)\b"  # how long it took
    r"|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b",  # ids that are made up each time
    re.IGNORECASE,
)
_LASTED = re.compile(r"[0-9](?:(?<=in .)|(?<=took .)|(?<=after .))")
"""Found quickly: without that, a hyphen or a colon `_PASSING` matches nothing."""
_BETWEEN = bytes(number if number < 128 and chr(number).isalnum() else 32 for number in range(256))
"""By byte, for a text of ASCII: twenty times as quick as by letter."""
_ARTICLES = ("a", "an", "the", "this", "that", "these", "those", "it", "its", "i", "we", "you")
_LITTLE = frozenset(
    (*_ARTICLES, "is", "are", "was", "were", "be", "been", "has", "have", "had", "and", "then", "so", "now", "just")
)
"""Words that two tellings of the same may differ in. `not`, `no` and their like are none of them."""


def digest(*parts: object) -> str:
    """Of a JSON array, so that no part can pretend to be two."""
    text = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def turn_id_of(
    source: str,
    agent: str,
    session: str | None,
    number: int | None,
    summary: str | None,
    decision: str | None,
    own: str = "",
) -> str:
    """For a turn without an id of its own: the same request gives the same one. `own` is an id that cannot be kept."""
    more = (own,) if own else ()
    return f"turn-{digest(source, agent, session or '', number, summary or '', decision or '', *more)[:16]}"


def fingerprint(source: str, summary: str, tools: Iterable[str]) -> str:
    """Of what was said and done: the same again within a session is no news."""
    return digest(source, " ".join(summary.lower().split()), sorted({tool.lower() for tool in tools}))


def gist(summary: str, decision: str | None = None) -> str:
    """The same for two tellings that differ in case, marks, little words, and in when and how long. Other numbers, a
    `not` or another order make another gist: what is not surely the same is kept."""
    words = " ".join(content_words(f"{summary}\n{decision or ''}")).encode("utf-8", "surrogatepass")
    return b2a_base64(sha256(words).digest()[:9], newline=False).decode() if words else ""


def content_words(text: str) -> list[str]:
    text = text.lower()
    if "-" in text or ":" in text or _LASTED.search(text):
        text = _PASSING.sub(" ", text)
    plain = text.isascii() and "'" not in text  # then it needs no pattern to find the words
    said = text.encode().translate(_BETWEEN).decode().split() if plain else _WORD.findall(text)
    return [word for word in said if word not in _LITTLE]


def note_digest(note: Mapping[str, Any]) -> str:
    """Of everything that a person would see: said again without a difference there, a turn is unchanged."""
    texts = [str(note.get(name) or "") for name in ("summary", "decision", "type")]
    lists = [list(note.get(name) or ()) for name in ("evidence", "tags")]
    return digest(*texts, *lists, dict(sorted((note.get("context") or {}).items())))


_MARK = re.compile(r"<!-- cairn:recall v2 ((?:[0-9]{9}){1,256}) -->")
_PARAGRAPH = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*+>#|]|\d+[.)])\s)")
_PLACE = re.compile(r"`[^`\s]{0,500}/[^`\s]{0,500}`(?:, [a-z]+)?")
"""Where to read on, and how far to trust it, stand behind what was said; nobody repeats them with the rest."""
_DIGITS = 9
_LEAST_WORDS = 4
"""Shorter paragraphs are said by everybody."""
_MOST = 256


def recall_mark(text: str) -> str:
    """To be printed behind injected text; empty when there is nothing in it that could be told again."""
    found = list(fingerprints(text))[:_MOST]
    return f"<!-- cairn:recall v2 {''.join(found)} -->" if found else ""


def marked(transcript: str | bytes) -> frozenset[str]:
    """The fingerprints of everything that was injected into a transcript, or a part of it."""
    text = transcript.decode("utf-8", "replace") if isinstance(transcript, bytes) else transcript
    return frozenset(one for found in _MARK.finditer(text) for one in _split(found[1]))


def _split(digits: str) -> list[str]:
    return [digits[at : at + _DIGITS] for at in range(0, len(digits), _DIGITS)]


def fingerprints(text: str) -> dict[str, str]:
    """Of each paragraph that is long enough to tell it from others, with that paragraph."""
    found: dict[str, str] = {}
    for mark, part in _marked_parts(_MARK.sub("", text)):
        found.setdefault(mark, part)
    return found


def _marked_parts(text: str) -> Iterator[tuple[str, str]]:
    """The same may stand there twice, in other words."""
    for part in _PARAGRAPH.split(text):
        words = content_words(_PLACE.sub(" ", part))
        if len(words) < _LEAST_WORDS:  # then it is the place that tells it from others
            words = content_words(part)
        if len(words) >= _LEAST_WORDS:
            yield _digits(words), part


def _digits(words: list[str]) -> str:
    return f"{int(digest(*words)[:15], 16) % 10**_DIGITS:0{_DIGITS}}"


def without_recalled(text: str, known: Iterable[str]) -> str:
    """The text without its marks and without paragraphs that Cairn injected; empty when hardly a word is left."""
    known = frozenset(known)
    rest = _MARK.sub("", text)
    for mark, part in list(_marked_parts(rest)):
        if mark in known:
            rest = rest.replace(part, "")
    if rest != text and len(content_words(rest)) < _LEAST_WORDS:
        return ""
    return rest.strip()
