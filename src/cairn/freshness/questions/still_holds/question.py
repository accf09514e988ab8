"""Asks whether a sentence is still true after a code change, and checks that a new sentence follows the change."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from cairn.freshness.questions.checked_words import AnswerProblem, cut, must_fit
from cairn.jobs.question import CheckedAnswer, Input, Question
from cairn.lib.text.quotes import is_quoted

_WORD: Final = re.compile(r"[^\W_]+")
_HUMPS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_]+")
_SMALL: Final = 4
"""Letters of words that hold a sentence together, whatever the language."""
_FREE: Final = 3
"""Words that may change with the ones that the code touches: a verb, its object, a preposition."""
_SHORTEST: Final = 4
"""Characters of a part of a line that proves something in code: `N = 5`."""
_CODE: Final = ("before", "after", "diff")


def material(input: Input) -> str:
    code = input["code"]
    parts = [f"SENTENCE {input['document']} [{input['heading'] or 'at the top'}]", input["sentence"], ""]
    if input["paragraph"].strip() != input["sentence"].strip():
        parts += ["PARAGRAPH", input["paragraph"], ""]
    parts += [f"CODE {code['path']} (the sentence names `{input['named']}`)", *_code(code)]
    for other in input["elsewhere"]:
        parts += ["", f"ALSO CHANGED {other['path']}", other["diff"].rstrip("\n")]
    return "\n".join((*parts, "", *_names(input["names"]), "END OF CODE"))


def _code(code: Mapping[str, str]) -> Iterator[str]:
    if code["before"] == code["after"]:
        same = {"before and after": code["before"], "diff": code["diff"]}
    else:
        same = {name: code[name] for name in _CODE}
    for name, text in same.items():
        if text:
            yield f"{name}:"
            yield text.rstrip("\n")


def _names(names: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for one in names:
        if one["lines"]:
            yield f"AFTER THE CHANGE `{one['name']}` stands in"
            yield from one["lines"]
        else:
            yield f"AFTER THE CHANGE `{one['name']}` stands nowhere in the code."


def check(input: Input, report: Mapping[str, Any]) -> CheckedAnswer:
    value = {name: report[name] for name in ("answer", "reason", "quote", "new_sentence", "also_changed")}
    if report["answer"] != "false":
        left = [name for name in ("quote", "new_sentence") if value[name]]
        value |= {"quote": None, "new_sentence": None, "also_changed": None}
        return CheckedAnswer(
            value, repairs=tuple(f"`{name}` was left out: the answer is {value['answer']}" for name in left)
        )
    try:
        value["new_sentence"] = _checked(input, report)
    except AnswerProblem as problem:
        return CheckedAnswer({}, (str(problem),))
    return CheckedAnswer(value)


def _checked(input: Input, report: Mapping[str, Any]) -> str | None:
    if not (report["quote"] or "").strip():
        raise AnswerProblem("`quote`: quote the line of the code that makes the sentence false")
    if not _is_in_code(report["quote"], input):
        raise AnswerProblem(f"`quote`: “{cut(report['quote'])}” is not in the code that is shown; copy a line exactly")
    if not (report["new_sentence"] or "").strip():
        return None
    sentence = input["sentence"]
    new = str(report["new_sentence"]).strip()
    must_fit(new, sentence, [input["paragraph"], *_shown(input)], "`new_sentence`")
    strangers = list(_untouched(sentence, new, input))
    if len(strangers) > _FREE and not (report["also_changed"] or "").strip():
        words = ", ".join(f"`{word}`" for word in strangers[:5])
        raise AnswerProblem(
            f"`new_sentence` also changes {words}, which the change does not touch; leave the rest of the sentence "
            "as it is, or say in `also_changed` why it has to change"
        )
    return new


def _is_in_code(quote: str, input: Input) -> bool:
    """In the file as it was or is, or in a diff, with or without the marks of its lines."""
    plain = ["\n".join(line[1:] if line[:1] in "+- " else line for line in diff.splitlines()) for diff in _diffs(input)]
    texts = [*_shown(input), *plain]
    is_exact = len(quote.strip()) >= _SHORTEST and any(quote.strip() in text for text in texts)
    return is_exact or any(is_quoted(quote, text) for text in texts)


def _shown(input: Input) -> list[str]:
    lines = (line for name in input["names"] for line in name["lines"])
    return [input["code"]["before"], input["code"]["after"], *_diffs(input), *lines]


def _diffs(input: Input) -> list[str]:
    return [input["code"]["diff"], *(other["diff"] for other in input["elsewhere"])]


def _untouched(sentence: str, new: str, input: Input) -> Iterator[str]:
    """Longer words that one of the sentences has, the other has not, and no diff has either."""
    old_words, new_words, touched = _words(sentence), _words(new), _touched(input)
    for word in dict.fromkeys(
        (*(w for w in new_words if w not in old_words), *(w for w in old_words if w not in new_words))
    ):
        if len(word) > _SMALL and not any(_alike(word, other) for other in touched):
            yield word


def _touched(input: Input) -> set[str]:
    lines = [line for diff in _diffs(input) for line in diff.splitlines() if line[:1] in ("+", "-")]
    return _words("\n".join(lines) or f"{input['code']['before']}\n{input['code']['after']}")


def _words(text: str) -> set[str]:
    """In small letters; a name counts as its parts, too."""
    return {part.casefold() for word in _WORD.findall(text) for part in (word, *_HUMPS.findall(word))}


def _alike(one: str, other: str) -> bool:
    """The same word in another form: `retries` and `retry`."""
    same = min(len(one), len(other), max(_SMALL, min(len(one), len(other)) - 3))
    return len(other) > _SMALL and one[:same] == other[:same]


QUESTION: Final = Question(__file__, material=material, check=check)
