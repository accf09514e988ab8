"""Asks what should become of a candidate, and checks that the edits of a page are about words that it has."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from cairn.core.model.candidate import Fate
from cairn.jobs.question import CheckedAnswer, Input, NumberedItems, Question, items_of
from cairn.lib.injection.marks import exact_marks, marks
from cairn.lib.markdown.blocks import headings
from cairn.lib.scrub.find import redact
from cairn.lib.text.copied_words import CopyProblem, WordsToReplace, replaced

KEPT: Final = 0.5
"""Of a page's words, the share that a `modify` has to leave."""
_EDITING: Final = (Fate.MODIFY.value, Fate.CONTRADICT.value)
LOOK: Final = "look"
"""Not a fate: the reader wants to see another page first."""
_TOLD: Final = 80
_DESCRIPTIONS: Final = 2
"""Of the page that would already state a candidate."""
_DESCRIPTION: Final = 300
"""Characters of one."""


def material(input: Input) -> str:
    return "\n".join(
        (
            *_candidate(input["candidate"]),
            *_evidence(input["evidence"]),
            *_pages(input),
            *_others(input["others"]),
            *_decided(input),
        )
    )


def _candidate(one: Mapping[str, Any]) -> Iterator[str]:
    yield f"CANDIDATE ({one['kind']}) {one['title']}\nsummary: {one['summary']}\n{one['body'].strip()}\n"


def _evidence(evidence: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for one in evidence:
        yield f"EVIDENCE from {one['where']}"
        yield from (f"{'' if turn['quoted'] else '(around it) '}{turn['who']}: {turn['text']}" for turn in one["turns"])
        yield ""


def _pages(input: Input) -> Iterator[str]:
    if not input["pages"]:
        yield "PAGES\n(none is near)\n"
    for page in input["pages"]:
        part = f'section "{page["section"]}"' if page["section"] else "whole page"
        yield f"PAGE {page['id']} ({page['kind']}, {part})\ntitle: {page['title']}\nsummary: {page['summary']}\ntext:"
        yield f"{page['text'].strip()}\nEND OF PAGE {page['id']}\n"


def _others(others: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if others:
        yield "OTHER PAGES\n" + "\n".join(f"- {one['id']}: {one['title']}: {one['summary']}" for one in others) + "\n"


def _decided(input: Input) -> Iterator[str]:
    words = {"kept": "both were kept", "rejected": "the statement was rejected"}
    if input["decided"]:
        yield "DECIDED"
    for one in input["decided"]:
        reason = f" ({one['reason']})" if one["reason"] else ""
        yield f"- about {one['page']}: {words[one['decision']]}{reason}: {one['statement']}"


# --- the answer -------------------------------------------------------------------------------------------------------


class EditProblem(Exception):
    """Why an answer can't be carried out, a sentence for the reader."""


def check(input: Input, report: Mapping[str, Any]) -> CheckedAnswer:
    """All or nothing: half of a set of edits is another page than the reader meant."""
    try:
        value, repairs = _checked(input, report)
    except EditProblem as problem:
        return CheckedAnswer({}, (str(problem),))
    return CheckedAnswer(value, repairs=tuple(repairs))


def _checked(input: Input, report: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    known = {page["id"]: page for page in input["pages"]}
    value = {name: report[name] for name in ("fate", "page", "reason", "edits", "title", "summary")}
    value["would_be_in"] = _descriptions(report) if value["fate"] == Fate.ADD else []
    if value["fate"] == LOOK:
        return _looked(value, input)
    if value["fate"] not in _EDITING:
        return _without_edits(value, known)
    page = known.get(value["page"])
    if page is None:
        raise EditProblem(f"`page`: `{value['page']}` is none of the pages; name one of {', '.join(known) or 'none'}")
    _must_be_harmless(value, input["candidate"])
    if isinstance(report["edits"], NumberedItems):
        raise EditProblem("`edits`: not all of them have the right form, and some alone would make another page")
    value["edits"], repairs = _exact(report, page)
    if not (value["edits"] or _changes(value, page)):
        raise EditProblem("`edits`: nothing on the page changes; answer `drop` if it states this already")
    _must_leave_a_page(value, page)
    return value, repairs


def _looked(value: dict[str, Any], input: Input) -> tuple[dict[str, Any], list[str]]:
    if all(value["page"] != one["id"] for one in input["others"]):
        raise EditProblem(f"`page`: `{value['page']}` is none of the other pages; `look` names one of them")
    return {**value, "edits": [], "title": None, "summary": None}, []


def _without_edits(value: dict[str, Any], known: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    kept = value["page"] if value["fate"] == Fate.DROP and value["page"] in known else None
    left = [name for name in ("edits", "title", "summary") if value[name]] + (["page"] if kept != value["page"] else [])
    repairs = [f"`{name}` was left out: the fate is {value['fate']}" for name in left]
    return {**value, "page": kept, "edits": [], "title": None, "summary": None}, repairs


def _descriptions(report: Mapping[str, Any]) -> list[str]:
    """Words to search for, which may be missing."""
    given = (" ".join(text.split())[:_DESCRIPTION] for text in report.get("would_be_in") or ())
    return [text for text in given if text][:_DESCRIPTIONS]


def _changes(value: Mapping[str, Any], page: Mapping[str, Any]) -> bool:
    return any(value[name] and value[name] != page[name] for name in ("title", "summary"))


def _must_be_harmless(value: Mapping[str, Any], candidate: Mapping[str, Any]) -> None:
    """What the small model marks in a candidate, it marks in an edit that says the same; the candidate was checked."""
    texts = [value["title"] or "", value["summary"] or "", *(edit["new"] for edit in value["edits"])]
    if found := redact("\n\n".join(texts)).counts:
        raise EditProblem(f"it holds what looks like a secret or personal data ({', '.join(sorted(found))})")
    said = {mark.excerpt for edit in value["edits"] for mark in marks(edit["old"])}
    known = {mark.why for mark in marks("\n".join(str(candidate[name]) for name in ("title", "summary", "body")))}
    exact = {mark.why for text in texts for mark in exact_marks(text)}
    given = [mark for text in texts for mark in marks(text) if mark.excerpt not in said]
    if orders := [mark for mark in given if mark.why in exact or mark.why not in known]:
        raise EditProblem(f"it addresses a machine (“{_cut(orders[0].excerpt)}”) instead of describing this project")


def _exact(report: Mapping[str, Any], page: Mapping[str, Any]) -> tuple[list[dict[str, str]], list[str]]:
    """With the old words as the page has them."""
    repairs: list[str] = []
    found: list[tuple[WordsToReplace, dict[str, str]]] = []
    for number, edit in items_of(report, "edits"):
        words = _place(edit, page, number)
        exact = page["text"][words.start : words.end]
        if exact != edit["old"]:
            repairs.append(f"`old` of edit {number} is now as the page has it")
        _must_not_add_headings(words.new, exact, f"`new` of edit {number}")
        if words.new != exact:
            found.append((words, {"old": exact, "new": words.new}))
    ordered = sorted(words for words, _ in found)
    if any(one.end > two.start for one, two in pairwise(ordered)):
        raise EditProblem("`edits`: two of them replace the same words; join them")
    return [edit for _, edit in found], repairs


def _place(edit: Mapping[str, str], page: Mapping[str, Any], number: int) -> WordsToReplace:
    try:
        return replaced(edit["old"], edit["new"], page["text"])
    except CopyProblem as problem:
        raise EditProblem(
            f"`old` of edit {number}: “{_cut(edit['old'])}” {problem.told('the page')} (page `{page['id']}`)"
        ) from None


def _must_not_add_headings(new: str, old: str, where: str) -> None:
    before = [one.text for one in headings(old)]
    if len(list(headings(new))) > len(before):
        raise EditProblem(f"{where}: it adds a heading; write the text only")


def _must_leave_a_page(value: Mapping[str, Any], page: Mapping[str, Any]) -> None:
    """A page that says nothing is deleted by a person; one that is mostly new was not modified."""
    old = Counter(word for edit in value["edits"] for word in edit["old"].split())
    new = Counter(word for edit in value["edits"] for word in edit["new"].split())
    left = page["words"] - (old - new).total()
    if left + (new - old).total() < 1 or not any(char.isalpha() for char in _after(value["edits"], page["text"])):
        raise EditProblem("`edits`: nothing would be left on the page; a page is never emptied")
    if value["fate"] == Fate.MODIFY and left < KEPT * page["words"]:
        raise EditProblem(
            "`edits`: most of the page would be rewritten; `modify` keeps what the candidate does not concern"
        )


def _after(edits: Sequence[Mapping[str, str]], text: str) -> str:
    for edit in edits:
        text = text.replace(edit["old"], edit["new"], 1)
    return "\n".join(line for line in text.splitlines() if not line.startswith("#"))


def _cut(words: str) -> str:
    line = " ".join(words.split())
    return line if len(line) <= _TOLD else f"{line[:_TOLD]}…"


QUESTION: Final = Question(__file__, material=material, check=check)
