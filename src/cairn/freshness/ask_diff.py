"""Asks readers whether sentences about changed code still hold, and makes findings of those that do not."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import unified_diff
from typing import Any, Final, NamedTuple

from cairn.core.ports.runtime import Files
from cairn.core.ports.vcs import Vcs
from cairn.freshness.ask_reader import ask_fresh
from cairn.freshness.diff.doubt import StaleReason, StaleSentence
from cairn.freshness.diff.survey import SurveyResult
from cairn.freshness.ports import FreshnessPorts
from cairn.freshness.questions.still_holds.question import QUESTION
from cairn.freshness.states import RepositoryState, RevisionState, StateSpan, WorkTree
from cairn.jobs.ask import Answer, AskedQuestion, Outcome, ReadNow, Unanswered, Waiting, look_up
from cairn.jobs.run import JobRunSummary
from cairn.lib.document.document import outline
from cairn.lib.markdown.blocks import sentences
from cairn.lib.markdown.frontmatter import decode

MOST_ASKED: Final = 50
"""Sentences of one run; the rest are counted."""
_MOST_LOOKED_AT: Final = 500
_AROUND: Final = 12
"""Lines of code around a change whose definition nobody found."""
_LONGEST: Final = 6_000
"""Characters of a definition or a diff."""
_PARAGRAPH: Final = 2_000


class JudgedMentions(NamedTuple):
    """What became of the sentences that name something that changed."""

    survey: SurveyResult
    """With the sentences that a reader found false among the doubts, and without those that hold."""
    false: int = 0
    holds: int = 0
    undecided: int = 0
    failed: int = 0
    waiting: int = 0
    left: int = 0
    """Not asked: there were more than a run asks about."""
    spent: JobRunSummary | None = None


class _Asked(NamedTuple):
    mention: StaleSentence
    question: AskedQuestion


def judge_mentions(
    ports: FreshnessPorts, found: SurveyResult, span: StateSpan, reader: ReadNow | None = None
) -> JudgedMentions:
    """Uses the answers that exist, asks what is missing, and with a reader has it answered now."""
    ranked = _ranked(found.mentions)
    material = _Material(ports.vcs, ports.files, span)
    asked = [_Asked(one, material.question(one)) for one in ranked[:_MOST_LOOKED_AT]]
    outcomes = [(one, look_up(one.question, store=ports.store.jobs)) for one in asked]
    missing = [one for one, out in outcomes if out is None or (reader is not None and isinstance(out, Unanswered))]
    for one in missing[:MOST_ASKED]:
        ask_fresh(ports, one.question, again=reader is not None)
    spent = reader((QUESTION.id,)) if reader is not None and not _all_answered(outcomes) else None
    judged = _judged(ports, found, asked)
    return judged._replace(left=judged.left + len(ranked) - len(asked), spent=spent)


def question_about(ports: FreshnessPorts, mention: StaleSentence, span: StateSpan) -> AskedQuestion:
    """About one sentence, whoever names it."""
    return _Material(ports.vcs, ports.files, span).question(mention)


def _all_answered(outcomes: Sequence[tuple[_Asked, Outcome | None]]) -> bool:
    return all(isinstance(one, Answer) for _, one in outcomes)


def _judged(ports: FreshnessPorts, found: SurveyResult, asked: Sequence[_Asked]) -> JudgedMentions:
    counts: Counter[str] = Counter()
    false: list[StaleSentence] = []
    settled: set[tuple[str, int]] = set()
    for mention, question in asked:
        match look_up(question, store=ports.store.jobs):
            case Answer(value):
                counts[value["answer"]] += 1
                if value["answer"] != "cannot-tell":
                    settled.add((mention.document, mention.line))
                if value["answer"] == "false":
                    false.append(_false(mention, value))
            case Waiting():
                counts["waiting"] += 1
            case Unanswered():
                counts["failed"] += 1
            case None:
                counts["left"] += 1
    doubts = sorted((*found.doubts, *false), key=lambda one: (one.document, one.line, one.written))
    left = tuple(one for one in found.mentions if (one.document, one.line) not in settled)
    return JudgedMentions(
        found._replace(doubts=tuple(doubts), mentions=left),
        len(false),
        counts["holds"],
        counts["cannot-tell"],
        counts["failed"],
        counts["waiting"],
        counts["left"],
    )


def _false(mention: StaleSentence, answer: Mapping[str, Any]) -> StaleSentence:
    new = answer["new_sentence"]
    fix = f"Replace it with: {' '.join(new.split())}" if new else "Delete this sentence."
    reason = " ".join(answer["reason"].split())
    return mention._replace(
        reason=StaleReason.READ,
        message=f"{mention.message} A reader: {reason}",
        old="",
        new=" ".join(answer["quote"].split()),
        fix=fix,
    )


def _ranked(mentions: Sequence[StaleSentence]) -> list[StaleSentence]:
    """One for each line: values and signatures before bodies, and names that few sentences have before frequent ones.
    A move changes nothing that a sentence says."""
    some = [one for one in mentions if one.reason is not StaleReason.MOVED]
    often = Counter(one.cause for one in some)
    ranked = sorted(some, key=lambda one: (one.old == one.new, often[one.cause], one.document, one.line))
    return list({(one.document, one.line): one for one in reversed(ranked)}.values())[::-1]


# --- material -------------------------------------------------------------------------------------------------------


class _Material:
    def __init__(self, vcs: Vcs, files: Files, span: StateSpan) -> None:
        self._old = RevisionState(vcs, span.old)
        self._new: RepositoryState = WorkTree(files) if span.new is None else RevisionState(vcs, span.new)
        self._commit = span.new or "worktree"
        self._texts: dict[tuple[bool, str], str] = {}

    def question(self, mention: StaleSentence) -> AskedQuestion:
        page = self._text(mention.document, now=True)
        sentence, paragraph = _sentence(page, mention)
        before, after = self._text(mention.path, now=False), self._text(mention.path, now=True)
        facts = {
            "document": mention.document,
            "heading": _heading(mention.document, page, mention.line),
            "sentence": sentence,
            "paragraph": paragraph,
            "named": mention.written,
            "code": {
                "path": mention.path,
                "before": _definition(mention.path, before, mention.old_line),
                "after": _definition(mention.path, after, mention.code_line or 0),
                "diff": _hunks(before, after, mention),
            },
        }
        return AskedQuestion(QUESTION, f"change:{self._commit}:{mention.document}:{mention.line}", facts)

    def _text(self, path: str, *, now: bool) -> str:
        if (now, path) not in self._texts:
            data = (self._new if now else self._old).read([path]).get(path)
            self._texts[now, path] = decode(data or b"").text.replace("\r\n", "\n")
        return self._texts[now, path]


def _sentence(page: str, mention: StaleSentence) -> tuple[str, str]:
    """The sentence that names it, as it stands in the page, and the paragraph around it."""
    lines = page.split("\n")
    start = end = min(mention.line, len(lines)) - 1
    while start > 0 and lines[start - 1].strip() and mention.line - start < _AROUND:
        start -= 1
    while end + 1 < len(lines) and lines[end + 1].strip() and end - mention.line < _AROUND:
        end += 1
    paragraph = "\n".join(lines[start : end + 1])
    at = sum(len(line) + 1 for line in lines[start : mention.line - 1])
    place = paragraph.find(mention.written, at)
    within = [one for one in sentences(paragraph) if one.start <= max(place, at) < one.end]
    sentence = paragraph[within[0].start : within[0].end].strip() if within and place >= 0 else mention.sentence.strip()
    return sentence or mention.sentence, paragraph[:_PARAGRAPH]


def _heading(path: str, page: str, line: int) -> str:
    above: dict[int, str] = {}
    for heading in outline(path, page).headings:
        if heading.line > line:
            break
        above = {level: text for level, text in above.items() if level < heading.level} | {heading.level: heading.text}
    return " > ".join(above.values())


def _definition(path: str, text: str, line: int) -> str:
    """The smallest definition that this line is in, else the lines around it; empty where there is none."""
    if not line or not text:
        return ""
    from cairn.lib.code.read import outline as code_outline

    symbols = code_outline(path, text.encode("utf-8", "surrogatepass")).symbols
    holding = [one for one in symbols if one.line <= line <= one.end_line and one.kind != "module"]
    lines = text.split("\n")
    first, last = max(1, line - _AROUND), line + _AROUND
    if holding:
        smallest = min(holding, key=lambda one: one.end_line - one.line)
        first, last = smallest.line, smallest.end_line
    return "\n".join(lines[first - 1 : last])[:_LONGEST]


def _hunks(before: str, after: str, mention: StaleSentence) -> str:
    """Those that touch the definition first, as many as fit."""
    diff = list(unified_diff(before.split("\n"), after.split("\n"), lineterm="", n=3))[2:]
    hunks: list[list[str]] = []
    for line in diff:
        if line.startswith("@@"):
            hunks.append([])
        hunks[-1].append(line)
    ordered = sorted(hunks, key=lambda hunk: not any(mention.written in line for line in hunk))
    return "\n".join(_within(ordered))


def _within(hunks: Sequence[Sequence[str]]) -> Iterator[str]:
    length = 0
    for hunk in hunks:
        text = "\n".join(hunk)
        length += len(text)
        if length > _LONGEST and length > len(text):
            return
        yield text[:_LONGEST]
