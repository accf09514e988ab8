"""Asks what a session taught, and checks that each answer rests on words of the session."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from cairn.core.model.candidate import CONFIDENCES, Confidence
from cairn.core.model.change import Taint
from cairn.curate.questions.found_candidates import QuotedEvidence, checked, pages_text
from cairn.jobs.question import CheckedAnswer, Input, Question
from cairn.lib.markdown.blocks import fences
from cairn.lib.text.quotes import Span, find_quote

LEFT_OUT: Final = "\n[… {} characters are left out …]\n"
"""Stands where a long message was shortened."""
_NOT_OWN: Final = re.compile(r"^[ \t]*(?:>|\||\$ |[-+@]{2,3} |\d{4}-\d\d-\d\d[T ]\d\d:\d\d).*$", re.MULTILINE)
"""Quoted lines, tables, commands, diffs and logs."""


def material(input: Input) -> str:
    return "\n".join((pages_text(input["pages"]), *_found(input["found"]), _session(input)))


def _found(found: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if found:
        yield "FOUND BEFORE\n" + "\n".join(f"- [{one['kind']}] {one['title']}" for one in found) + "\n"


def _session(input: Input) -> str:
    shown = (_message(number, one) for number, one in enumerate(input["messages"], 1))
    return f"SESSION of {input['date']}\n" + "\n\n".join(shown)


def _message(number: int, message: Mapping[str, Any]) -> str:
    earlier = ", read before" if message["earlier"] else ""
    return f"[{number}] {message['who']}{earlier}: {message['text']}"


# --- the answer -------------------------------------------------------------------------------------------------------


class FoundPassage(NamedTuple):
    """Where a quote stands."""

    message: Mapping[str, Any]
    span: Span

    @property
    def is_own(self) -> bool:
        """Whether a person typed it, as opposed to pasting it."""
        return self.message["who"] == "person" and not self.is_pasted

    @property
    def is_pasted(self) -> bool:
        text = self.message["text"]
        pasted = [*fences(text), *(found.span() for found in _NOT_OWN.finditer(text))]
        return any(start < self.span.end and self.span.start < end for start, end in pasted)

    @property
    def is_outside(self) -> bool:
        return bool(self.message["outside"]) or (self.message["who"] == "person" and self.is_pasted)

    def in_log(self) -> tuple[str, int, int]:
        text = self.message["text"][self.span.start : self.span.end]
        return text, _offset(self.message, self.span.start), _offset(self.message, self.span.end - 1) + 1


def check(input: Input, report: Mapping[str, Any]) -> CheckedAnswer:
    return checked(report, lambda item: _evidence(item, input["messages"]))


def _evidence(item: Mapping[str, Any], messages: Sequence[Mapping[str, Any]]) -> QuotedEvidence | str:
    found = [(words, locate(words, messages)) for words in item["quotes"]]
    passages = [passage for _, passage in found if passage is not None]
    if missing := next((words for words, passage in found if passage is None), ""):
        return f"its quote “{_cut(missing)}” is in no message; copy it letter by letter from one message"
    if all(one.message["earlier"] for one in passages):
        return "all its quotes are in messages that were read before; it needs one that is new"
    if item["kind"] == "practice" and not any(one.is_own for one in passages):
        return "it is a practice, and none of its quotes is of words that the person typed (pasted text does not count)"
    taint = Taint.OUTSIDE if any(one.is_outside for one in passages) else Taint.MODEL
    return QuotedEvidence(tuple(one.in_log() for one in passages), taint, _confidence(item["confidence"], passages))


def _confidence(given: Confidence, passages: Sequence[FoundPassage]) -> Confidence:
    """As sure as whoever said it: what a person confirmed is `medium` at most, and an agent's words alone are `low`."""
    own = [one.is_own for one in passages]
    most: Confidence = "high" if all(own) else "medium" if any(own) else "low"
    return min(given, most, key=CONFIDENCES.index)


def locate(words: str, messages: Sequence[Mapping[str, Any]]) -> FoundPassage | None:
    """In a message of the person rather than of the agent, and in a new one rather than in one that was read."""
    order = sorted(messages, key=lambda one: (one["who"] != "person", one["earlier"]))
    found = (FoundPassage(one, span) for one in order if (span := find_quote(words, one["text"])))
    first = next(found, None)
    if first is None or first.is_own or first.message["who"] != "person":
        return first
    return next((one for one in found if one.is_own), first)


def _offset(message: Mapping[str, Any], at: int) -> int:
    """Of a character that is shown, its place in the log."""
    if not message["cut"]:
        return int(message["start"]) + at
    kept, gone = message["cut"]
    marker = len(LEFT_OUT.format(f"{gone:,}"))
    return int(message["start"]) + (at if at < kept else at - marker + gone)


def _cut(words: str) -> str:
    line = " ".join(words.split())
    return line if len(line) <= 80 else f"{line[:80]}…"


QUESTION: Final = Question(__file__, material=material, check=check)
