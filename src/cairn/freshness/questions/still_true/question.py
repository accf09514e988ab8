"""Asks whether an entry still says what its sources say, and checks the quotes and sentences of the answer."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from cairn.freshness.questions.checked_words import AnswerProblem, cut, must_fit
from cairn.jobs.question import CheckedAnswer, Input, Question, items_of
from cairn.lib.text.copied_words import CopyProblem, first_copied, replaced
from cairn.lib.text.quotes import find_quote, is_quoted

_MARKS: Final = {"gone": "- ", "new": "+ ", "kept": "  "}
_WORDS: Final = {"changed": "changed", "whole": "shown whole", "same": "unchanged"}


def material(input: Input) -> str:
    return "\n".join((*_entry(input["entry"]), *_sources(input["sources"]), *_check_list(input["lost"])))


def _entry(entry: Mapping[str, Any]) -> Iterator[str]:
    yield f"ENTRY {entry['path']}: {entry['title']}"
    if entry["summary"]:
        yield f"summary: {entry['summary']}"
    if entry["edition"]:
        yield f"edition: {entry['edition']}"
    yield f"\n{entry['text'].strip()}\nEND OF ENTRY\n"


def _sources(sources: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for number, source in enumerate(sources, 1):
        cut_off = ", and cut off" if source["cut"] else ""
        yield f"SOURCE {number} {source['reference']} ({_WORDS[source['standing']]}{cut_off})"
        if source["text"]:
            yield source["text"].strip()
        for section in source["sections"]:
            yield f"[{section['heading'] or 'at the top'}]"
            yield from (f"{_MARKS[one['mark']]}{one['text']}" for one in section["passages"])
        if source["left_out"]:
            yield f"({source['left_out']} more passages differ that have little in common with the entry.)"
        yield f"END OF SOURCE {number}\n"


def _check_list(lost: Sequence[str]) -> Iterator[str]:
    if lost:
        yield "CHECK"
        yield from (f"- {sentence}" for sentence in lost)


# --- the answer -------------------------------------------------------------------------------------------------------


class _SourceWords(NamedTuple):
    number: int
    now: str
    before: str


class _Words:
    """What was shown, as text to find quotes in."""

    def __init__(self, input: Input) -> None:
        entry = input["entry"]
        self.body: str = entry["text"]
        self.summary: str = entry["summary"]
        self.sources = [_words_of(number, source) for number, source in enumerate(input["sources"], 1)]
        self.repairs: list[str] = []

    def sentence(self, copied: str, where: str, *, in_part: bool = False) -> str:
        found = first_copied(copied, self.body) or first_copied(copied, self.summary)
        if found is None and in_part and (is_quoted(copied, self.body) or is_quoted(copied, self.summary)):
            return copied
        if found is None:
            raise AnswerProblem(f"{where}: “{cut(copied)}” is not in the entry; copy it exactly")
        return self._repaired(copied, found, where)

    def replaced(self, copied: str, new: str, where: str) -> tuple[str, str]:
        """The sentence as the entry has it, and the new one as it fits there."""
        text = self.body if first_copied(copied, self.body) or not first_copied(copied, self.summary) else self.summary
        try:
            words = replaced(copied, new, text)
        except CopyProblem as problem:
            raise AnswerProblem(f"{where}: “{cut(copied)}” {problem.told('the entry')}") from None
        return self._repaired(copied, text[words.start : words.end], where), words.new

    def _repaired(self, copied: str, found: str, where: str) -> str:
        if found != copied:
            self.repairs.append(f"{where} is now as the entry has it")
        return found

    def quoted(self, item: Mapping[str, Any], where: str, *, now: bool = False) -> dict[str, Any]:
        """The source that has the quote, and whether it has it now."""
        named = [one for one in self.sources if one.number == item["source"]]
        for source in (*named, *(one for one in self.sources if one not in named)):
            for text, is_now in ((source.now, True), ("" if now else source.before, False)):
                if is_quoted(item["quote"], text):
                    if source not in named:
                        self.repairs.append(f"{where}: its source is {source.number}")
                    return {"source": source.number, "now": is_now}
        if now and any(is_quoted(item["quote"], one.before) for one in self.sources):
            raise AnswerProblem(
                f"{where}: “{cut(item['quote'])}” is gone from the source; quote words that are there now"
            )
        raise AnswerProblem(f"{where}: “{cut(item['quote'])}” is in no source; copy the words exactly")

    @property
    def shown(self) -> list[str]:
        return [one.now for one in self.sources] + [self.body]


def _words_of(number: int, source: Mapping[str, Any]) -> _SourceWords:
    some = [one for section in source["sections"] for one in section["passages"]]
    headings = [section["heading"] for section in source["sections"]]
    now = [source["text"], *(one["text"] for one in some if one["mark"] != "gone"), *headings]
    return _SourceWords(number, "\n".join(now), "\n".join(one["text"] for one in some if one["mark"] == "gone"))


def check(input: Input, report: Mapping[str, Any]) -> CheckedAnswer:
    """Each sentence by itself: those that hold count, also when another one does not."""
    words, problems = _Words(input), list[str]()
    drifted = _each(report, "drifted", problems, lambda one, where: _drifted(one, where, words))
    drifted = _apart(drifted, problems)
    said = _each(report, "still_said", [], lambda one, where: _still_said(one, where, words))
    value = {"verdict": report["verdict"], "reason": report["reason"], "drifted": drifted, "still_said": said}
    value["unanswered"] = _unanswered(input["lost"], drifted, said)
    value["superseded_by"] = _superseded_by(report["superseded_by"], words, problems)
    problems += _contradictions(report, value)
    proofs = {"drifted": drifted, "superseded": value["superseded_by"]}.get(report["verdict"])
    return CheckedAnswer(value if proofs or not problems else {}, tuple(problems), tuple(words.repairs))


def _each(report: Mapping[str, Any], name: str, problems: list[str], checked: Any) -> list[dict[str, Any]]:
    kept = []
    for number, item in items_of(report, name):
        try:
            kept.append(checked(item, f"item {number} of `{name}`"))
        except AnswerProblem as problem:
            problems.append(str(problem))
    return kept


def _drifted(item: Mapping[str, Any], where: str, words: _Words) -> dict[str, Any]:
    found = words.quoted(item, f"`quote` of {where}")
    new = (item["new_sentence"] or "").strip() or None
    if new is None:
        sentence = words.sentence(item["sentence"], f"`sentence` of {where}")
    else:
        sentence, new = words.replaced(item["sentence"], new, f"`sentence` of {where}")
        must_fit(new, sentence, words.shown, f"`new_sentence` of {where}")
    return {"sentence": sentence, "new_sentence": new, "quote": item["quote"], **found}


def _still_said(item: Mapping[str, Any], where: str, words: _Words) -> dict[str, Any]:
    sentence = words.sentence(item["sentence"], f"`sentence` of {where}", in_part=True)
    return {"sentence": sentence, "quote": item["quote"], **words.quoted(item, f"`quote` of {where}", now=True)}


def _apart(drifted: list[dict[str, Any]], problems: list[str]) -> list[dict[str, Any]]:
    """Of two items about the same words, the first."""
    kept: list[dict[str, Any]] = []
    for item in drifted:
        same = next((one for one in kept if _overlap(one["sentence"], item["sentence"])), None)
        if same is None:
            kept.append(item)
        elif same["new_sentence"] != item["new_sentence"]:
            problems.append(f"`drifted` has two items for “{cut(item['sentence'])}”; join them")
    return kept


def _overlap(one: str, other: str) -> bool:
    return one in other or other in one


def _unanswered(
    lost: Sequence[str], drifted: Sequence[Mapping[str, Any]], said: Sequence[Mapping[str, Any]]
) -> list[str]:
    sentences = [item["sentence"] for item in (*drifted, *said)]
    return [one for one in lost if not any(_are_one(one, sentence) for sentence in sentences)]


def _are_one(listed: str, sentence: str) -> bool:
    """A listed sentence is on one line and may be cut; an item of the answer may be a part of it."""
    return find_quote(listed, sentence) is not None or find_quote(sentence, listed) is not None


def _superseded_by(given: Mapping[str, Any] | None, words: _Words, problems: list[str]) -> dict[str, Any] | None:
    if given is None:
        return None
    try:
        found = words.quoted(given, "`quote` of `superseded_by`", now=True)
    except AnswerProblem as problem:
        problems.append(str(problem))
        return None
    digits = [word for word in given["edition"].split() if any(map(str.isdigit, word))]
    if digits and not any(word.strip("().,:") in given["quote"] for word in digits):
        problems.append(
            f"`superseded_by`: the quote does not name the edition `{cut(given['edition'])}`; quote words that do"
        )
        return None
    return {"edition": " ".join(given["edition"].split()), "quote": given["quote"], **found}


def _contradictions(report: Mapping[str, Any], value: Mapping[str, Any]) -> Iterator[str]:
    """Between the verdict and its proofs."""
    verdict = report["verdict"]
    if verdict == "drifted" and not report["drifted"]:
        yield "the verdict is `drifted`, and `drifted` is empty; list the sentences, or answer `current`"
    if verdict in ("current", "unverifiable") and report["drifted"]:
        yield f"the verdict is `{verdict}`, and `drifted` lists sentences; answer `drifted`, or leave the list empty"
    if verdict == "superseded" and report["superseded_by"] is None:
        yield "the verdict is `superseded`; name the newer edition in `superseded_by`, with a quote"
    if verdict != "unverifiable":
        for sentence in value["unanswered"]:
            yield (
                f"“{cut(sentence)}” is listed under `CHECK`, since its source lost what it states; put it into "
                "`drifted`, or into `still_said` with words that are in the source now"
            )


QUESTION: Final = Question(__file__, material=material, check=check)
