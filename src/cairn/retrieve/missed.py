"""What a question was about that nothing here answers: a few telling words, or nothing worth counting."""

import re
from collections.abc import Iterator
from typing import Final

from cairn.errors import UsageError
from cairn.knowledge.topics import LONGEST, normalize_topic
from cairn.lib.text.stem import stem
from cairn.lib.text.stop_words import LIGHT, STOP
from cairn.retrieve.query import Query, parse_query

_WORDS: Final = 5
"""Of a topic; whoever asks in more words mostly says the subject first."""
_MOST: Final = 12
"""Telling words of a question. With more it is a story, or something that was pasted."""
_MASKED: Final = "[REDACTED"
_NUMBER: Final = re.compile(r"\d{6,}")
"""Of a telephone, an order, a customer: private, and no subject either."""
_RUDE: Final = re.compile(
    "(?:mother|bull|dumb)?(?:arse|ass|bastard|bitch|bollock|crap|cunt|damn|dick|fuck|piss|shit|slut|wank|whore)"
    "(?:hole|head|er|ed|ing|y)?s?|wtf"
)
"""Said in anger, and no subject."""


def missed_topic(question: str) -> str | None:
    """As topics are written. None for what had a secret in it, for what only has filters or little words, and for what
    is too long to be a question."""
    if _MASKED in question:
        return None
    try:
        words = list(dict.fromkeys(_telling(parse_query(question))))
    except UsageError:
        return None
    if not 0 < len(words) <= _MOST or not any(_is_name(word) for word in words):
        return None
    topic = normalize_topic("-".join(words[:_WORDS]))
    while len(topic) > LONGEST:
        topic = topic.rpartition("-")[0]
    return topic or None


def _telling(query: Query) -> Iterator[str]:
    run, known = "", None
    for unit in query.units:
        if unit.run is not None and unit.run == known:
            run += unit.shown[-1] if run.endswith(unit.shown[:-1]) else unit.shown
            continue
        if run:
            yield run
        run, known = (unit.shown, unit.run) if unit.run is not None else ("", None)
        if unit.run is None and unit.weight >= 1:
            yield from filter(_tells, normalize_topic(unit.shown).split("-"))
    if run:
        yield run


def _tells(word: str) -> bool:
    known = word in STOP or stem(word) in LIGHT
    return len(word) > 1 and not known and not _RUDE.fullmatch(word) and not _NUMBER.fullmatch(word)


def _is_name(word: str) -> bool:
    """Whether it can stand for a subject; numbers and two letters can't."""
    return not word.isascii() or (len(word) > 2 and not word.isdigit())
