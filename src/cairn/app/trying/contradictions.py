"""Two documents that can't both be right: the same sentence with another number, or with and without a “not”."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from cairn.app.trying.finding import Finding
from cairn.app.trying.ground import Ground
from cairn.app.trying.sentences import Sentence, sentences
from cairn.kernel.text.tense import about_the_past, is_example

KIND = "contradiction"
_NUMBER = re.compile(r"(?<![\w.#/-])\d+(?:[.,]\d+)*(?![\w/]|\.\d|-\w)")
_WORD = re.compile(r"[^\W\d_]{2,}")
_NOT = re.compile(r"\b(?:not|never|no)\b|n['’]t\b", re.IGNORECASE)
_DUTY = re.compile(r"\b(?:must|should|shall|may|can|do|does|always|never|is|are|will)\b", re.IGNORECASE)
_FEWEST_WORDS = 6
_EXAMPLE = re.compile(
    r"\b(?:example|e\.g\.|step|figure|table|chapter|part|section|item|listing|version|copyright)\b", re.I
)
_MOST_SENTENCES = 200_000


def find(ground: Ground) -> Iterator[Finding]:
    numbers: dict[str, list[Sentence]] = defaultdict(list)
    duties: dict[str, list[Sentence]] = defaultdict(list)
    for count, sentence in enumerate(_all(ground)):
        if count >= _MOST_SENTENCES or ground.deadline.over():
            ground.deadline.say("some of the sentences, when looking for contradictions")
            break
        if _NUMBER.search(sentence.text) and not _EXAMPLE.search(sentence.text):
            numbers[_shape(sentence.text)].append(sentence)
        if _DUTY.search(sentence.text):
            duties[_without_not(sentence.text)].append(sentence)
    yield from (found for shape, same in _doubled(numbers) if (found := _by_number(shape, same)))
    yield from (found for shape, same in _doubled(duties) if (found := _by_not(shape, same)))


def _doubled(shapes: Mapping[str, list[Sentence]]) -> Iterator[tuple[str, list[Sentence]]]:
    """What is said more than once, without what is only imagined or about the past."""
    for shape, same in shapes.items():
        if len(same) > 1:
            yield shape, [sentence for sentence in same if _is_statement(sentence.text)]


def _all(ground: Ground) -> Iterator[Sentence]:
    for page in ground.pages(history=False):
        yield from (s for s in sentences(page) if 25 <= len(s.text) <= 400)


def _is_statement(text: str) -> bool:
    return "<" not in text and "{" not in text and not about_the_past(text) and not is_example(text)


def _shape(text: str) -> str:
    return re.sub(r"[\W_]*#[\W_]*", " # ", _NUMBER.sub("#", text.lower())).strip(" .!:;,")


def _by_number(shape: str, same: Sequence[Sentence]) -> Finding | None:
    """One sentence, two numbers, in two documents, each of which says it once."""
    pages = {sentence.page.path for sentence in same}
    values = {tuple(_NUMBER.findall(sentence.text)) for sentence in same}
    if len(values) != 2 or len(pages) < 2 or len(same) != len(pages) or len(_WORD.findall(shape)) < _FEWEST_WORDS:
        return None
    one, other = _different(same)
    first, second = _apart(one.text, other.text)
    message = f"Two documents say {first} and {second} of the same thing."
    because = f"apart from the number the sentences are the same, {len(_WORD.findall(shape))} words long"
    evidence = (one.page.evidence(one.line), other.page.evidence(other.line))
    return Finding(KIND, message, evidence, because, "Find out which is right, and say it in one place.", 0.85, 0.85)


def _different(same: Sequence[Sentence]) -> tuple[Sentence, Sentence]:
    one = same[0]
    return one, next(s for s in same if _NUMBER.findall(s.text) != _NUMBER.findall(one.text))


def _apart(one: str, other: str) -> tuple[str, str]:
    pairs = zip(_NUMBER.findall(one), _NUMBER.findall(other), strict=False)
    return next(((a, b) for a, b in pairs if a != b), ("one number", "another"))


def _without_not(text: str) -> str:
    plain = _NOT.sub(" ", text.lower().replace("cannot", "can not"))
    return " ".join(re.findall(r"[\w`-]+", plain.replace("does ", "").replace("do ", "")))


def _by_not(shape: str, same: Sequence[Sentence]) -> Finding | None:
    """One sentence that stands here with a “not” and there without."""
    denied = [s for s in same if _NOT.search(s.text)]
    stated = [s for s in same if not _NOT.search(s.text)]
    if len(denied) != 1 or len(stated) != 1 or denied[0].page.path == stated[0].page.path:
        return None
    if len(_WORD.findall(shape)) < _FEWEST_WORDS:
        return None
    message = "One document says that it is so, another that it is not."
    evidence = (stated[0].page.evidence(stated[0].line), denied[0].page.evidence(denied[0].line))
    because = "the two sentences differ in nothing but the “not”"
    return Finding(KIND, message, evidence, because, "Find out which is right, and say it in one place.", 0.88, 0.9)
