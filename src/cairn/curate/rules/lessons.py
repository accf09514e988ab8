"""What a failure taught: the agent said what was missing, and then it worked."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from cairn.curate.rules.scope import is_story, passing, pointing
from cairn.curate.rules.speech import Said, Sentence, sentences
from cairn.curate.rules.words import names_in, word_set

_I: Final = re.IGNORECASE
_FAILED: Final = re.compile(
    r"\b(?:fail(?:s|ed|ing|ure)?|errors?|crash\w*|broken|breaks?|hangs?|doesn'?t (?:work|build|start|compile)"
    r"|timed? ?out"
    r"|exception|flaky|won'?t (?:start|build|run))\b",
    _I,
)
_WORKS: Final = re.compile(
    r"\b(?:(?:that|it|this|everything|all)(?:'s| is| are| has)? (?:\w+ )?(?:work(?:s|ed|ing)|fixed|did (?:it"
    r"|the trick)|pass(?:es|ed|ing)?"
    r"|green|solved|builds)|works(?: now| again| fine)?|fixed(?: it)?|(?:tests?|build|ci) (?:are |is "
    r"|all )?(?:pass\w*|green)"
    r"|(?:problem|issue) solved|that was (?:it|the (?:problem|reason|cause))"
    r"|(?:builds|runs|starts|compiles|passes|connects|loads|boots|green|resolved) (?:now|again|fine)"
    r"|now (?:it |they |everything )?(?:works?|builds?|runs?|starts?|compiles?|pass(?:es)?|connects?|loads?|boots?))\b",
    _I,
)
_NOT_YET: Final = re.compile(r"\b(?:not|still|doesn'?t|isn'?t|but|no luck|almost|nearly|again)\b", _I)
_TAUGHT: Final = re.compile(
    r"^(?P<subject>(?:the |our |all )?(?:[\w`./@-]+\s+){1,6}?)(?:needs?|requires?|only works?|must be \w+"
    r"|has to be \w+|have to be \w+"
    r"|fails? (?:unless|without|when)|expects?|depends? on)\s+.{4,}$",
    _I,
)
_VERSION: Final = re.compile(r"\b[A-Za-z]\w+ v?\d+(?:\.\d+)*\b")
_NOBODY: Final = word_set("i you we it this that they there")


class Lesson(NamedTuple):
    sentence: Sentence
    said: Said


def lessons(said: Sequence[Said]) -> Iterator[Lesson]:
    """What the agent said right before somebody confirmed that the failure is gone."""
    troubled = False
    for index, one in enumerate(said):
        if one.role == "user":
            if troubled and index and _confirms(one.text):
                yield from _taught(_before(said, index))
                troubled = False
            troubled = troubled or bool(_FAILED.search(one.text))
        else:
            troubled = troubled or bool(_FAILED.search(one.text))


def _confirms(text: str) -> bool:
    return len(text) <= 300 and bool(_WORKS.search(text)) and not _NOT_YET.search(text)


def _is_specific(text: str) -> bool:
    """It names something that can be looked up, or a version of it."""
    return bool(names_in(text) or _VERSION.search(text))


def _before(said: Sequence[Said], index: int) -> list[Said]:
    """What the agent said since the person spoke last."""
    found: list[Said] = []
    for one in reversed(said[:index]):
        if one.role == "user":
            break
        found.insert(0, one)
    return found


def _taught(answers: Sequence[Said]) -> Iterator[Lesson]:
    for one in answers:
        for sentence in sentences(one):
            match = _TAUGHT.match(sentence.text.rstrip("."))
            if match is None or match["subject"].lower().split()[0] in _NOBODY or not _is_specific(sentence.text):
                continue
            if not (passing(sentence.text) or pointing(sentence.text) or is_story(sentence.text)):
                yield Lesson(sentence, one)
                return
