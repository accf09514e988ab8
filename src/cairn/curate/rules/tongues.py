"""Rules that people state in German, French, Spanish or Japanese: the few forms that can't be anything else.

There is no grammar here. A sentence is taken as it stands when it says always or never, belongs to the project rather
than to the task, and gives its reason or says `we`. A model reads the rest.
"""

import re
from typing import Final, NamedTuple

from cairn.curate.rules.words import begun, word_set

_I: Final = re.IGNORECASE


class Told(NamedTuple):
    statement: str
    reason: str


class _Tongue(NamedTuple):
    known_by: "re.Pattern[str]"
    """Two different ones of these, or one sign, and it is this language."""
    least: int
    firm: "re.Pattern[str]"
    ours: "re.Pattern[str]"
    """It says that a group does so, or orders it."""
    why: "re.Pattern[str]"
    passing: "re.Pattern[str]"
    """For this task, about one of the two who talk, told by others, in doubt, or about how the agent talks."""


def _words(text: str) -> "re.Pattern[str]":
    return re.compile(rf"\b(?:{text})\b", _I)


_TONGUES: Final = (
    _Tongue(
        _words(
            "der|die|das|den|dem|und|nicht|ist|sind|für|mit|auf|ein|eine|wir|immer|nie|kein|keine|weil|statt|sonst|vor|im"
        ),
        2,
        _words("immer|nie|niemals|stets|grundsätzlich"),
        re.compile(r"\b(?:wir|bei uns|unsere?[rsmn]?)\b(?: \S+){0,4} (?:immer|nie|niemals|stets|grundsätzlich)\b", _I),
        re.compile(r"[\s,;–—-]+(?P<word>weil|denn|sonst|damit)\s+(?P<rest>.+)$", _I),
        _words(
            r"jetzt|heute|morgen|gerade|erstmal|vorerst|diese[rsmn]?|dies|hier|ich|du|dir|dich|mir|mich|vielleicht|könnten?"
            r"|würden?|wenn wir|schon|wieder|(?:ist|sind|war) (?:ja )?immer"
            r"|bis (?:montag|dienstag|mittwoch|donnerstag|freitag)|sagt|meint|schreibt|angeblich|antwort\w*|erklär\w*"
        ),
    ),
    _Tongue(
        _words("le|la|les|des|du|et|est|sont|une?|pas|pour|dans|nous|on|toujours|jamais|car|avec|sinon|que|il|faut"),
        2,
        _words("toujours|jamais"),
        re.compile(r"\b(?:nous|nos|notre|on|chez nous)\b(?: \S+){0,4} (?:toujours|jamais)\b", _I),
        re.compile(r"[\s,;–—-]+(?P<word>parce qu'|(?:parce que|car|sinon|afin de|pour que)\b)\s*(?P<rest>.+)$", _I),
        _words(
            r"maintenant|aujourd'hui|demain|cette?|ces|cet|ici|je|j'|tu|toi|moi|peut-être|pourrait|serait|si on|encore"
            r"|(?:est|sont) toujours|pour (?:l'instant|le moment)|dit|écrit|répon\w+|expliqu\w+"
        ),
    ),
    _Tongue(
        _words("el|la|los|las|de|del|y|es|son|una?|no|para|con|siempre|nunca|porque|que|en|se|hay"),
        2,
        _words("siempre|nunca|jamás"),
        _words("nosotros|nuestr[oa]s?|usamos|ponemos|escribimos|hacemos|tenemos"),
        re.compile(r"[\s,;–—-]+(?P<word>porque|ya que|si no|para que|pues)\s+(?P<rest>.+)$", _I),
        _words(
            r"ahora|hoy|mañana|est[aeo]s?|aquí|yo|tú|mí|quizás?|tal vez|podría|sería|si (?:algún|alguna)|otra vez"
            r"|(?:es|está|son|están) siempre|(?:por el|de) momento|dice|escribe|respond\w+|explic\w+"
        ),
    ),
    _Tongue(
        re.compile(r"[ぁ-んァ-ヶ]"),
        1,
        re.compile(r"必ず|常に|絶対に|決して"),
        re.compile(r"ください|こと$|べき|ルール|私たち|弊社|(?:する|ない|ます|ません)$"),
        re.compile(r"(?P<rest>[^、。]+?)(?P<word>ので|から|ため(?:に)?)、"),
        re.compile(r"今|この|その|とりあえず|今日|明日|かもしれ|もし|思い|と言|答え|返事|説明|か[?？]?$"),
    ),
)


_BECAUSE: Final = word_set("weil denn car porque pues ので から ため ために") | {
    "parce que",
    "parce qu'",
    "ya que",
}
"""A page need not say these again."""


def told(sentence: str) -> Told | None:
    """The rule and why, when the sentence is one in a language that is known here."""
    text = sentence.strip(" .!。！")
    words = re.sub(r"`[^`]*`", " X ", text)
    tongue = next((one for one in _TONGUES if _is_in(one, words) and one.firm.search(words)), None)
    if tongue is None or "?" in text or "？" in text or tongue.passing.search(words):
        return None
    return _rule(text, words, tongue)


def _is_in(tongue: _Tongue, words: str) -> bool:
    return len({found.lower() for found in tongue.known_by.findall(words)}) >= tongue.least


def _rule(text: str, words: str, tongue: _Tongue) -> Told | None:
    why = tongue.why.search(text)
    if not why:
        return Told(begun(text), "") if tongue.ours.search(words) else None
    statement = (text[: why.start()] + text[why.end() :]).strip(" ,;、")
    if not tongue.firm.search(statement):
        return None
    reason = why["rest"] if why["word"].lower() in _BECAUSE else f"{why['word']} {why['rest']}"
    return Told(begun(statement), reason.strip())
