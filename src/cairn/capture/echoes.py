"""What Cairn itself put before an agent is not captured as if the agent had found it out.

Text that Cairn injects ends with a mark, `<!-- cairn:recall v2 407211935083… -->`, with a fingerprint of each of its
paragraphs. The mark is plain ASCII without quotes, so it survives in a transcript whatever escapes the text around it.
Fingerprints are nine digits each, one behind the other: three tokens, where hexadecimal ones cost an agent eight.
"""

import re
from collections.abc import Iterable, Iterator

from cairn.capture.fingerprint import content_words, digest

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
