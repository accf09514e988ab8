"""Asks readers whether sentences about changed code still hold, and makes findings of those that do not."""

import re
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
from cairn.lib.code.model import Symbol
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
    lines: tuple[int, ...] = ()
    """Of the same sentence, as far as they name something that changed."""


def judge_mentions(
    ports: FreshnessPorts, found: SurveyResult, span: StateSpan, reader: ReadNow | None = None
) -> JudgedMentions:
    """Uses the answers that exist, asks what is missing, and with a reader has it answered now."""
    ranked = _ranked(found.mentions)
    material = _Material(ports.vcs, ports.files, span)
    asked = _one_for_each_sentence([_Asked(one, material.question(one)) for one in ranked[:_MOST_LOOKED_AT]])
    outcomes = [(one, look_up(one.question, store=ports.store.jobs)) for one in asked]
    missing = [one for one, out in outcomes if out is None or (reader is not None and isinstance(out, Unanswered))]
    for one in missing[:MOST_ASKED]:
        ask_fresh(ports, one.question, again=reader is not None)
    spent = reader((QUESTION.id,)) if reader is not None and not _all_answered(outcomes) else None
    judged = _judged(ports, found, asked)
    return judged._replace(left=judged.left + max(0, len(ranked) - _MOST_LOOKED_AT), spent=spent)


def question_about(ports: FreshnessPorts, mention: StaleSentence, span: StateSpan) -> AskedQuestion:
    """About one sentence, whoever names it."""
    return _Material(ports.vcs, ports.files, span).question(mention)


def _one_for_each_sentence(asked: Sequence[_Asked]) -> list[_Asked]:
    """About the name of the first; the other lines of the sentence need no question of their own."""
    kept: dict[tuple[str, str, str], _Asked] = {}
    for one in asked:
        given = one.question.input
        sentence = given["document"], given["paragraph"], given["sentence"]
        first = kept.setdefault(sentence, one)
        kept[sentence] = first._replace(lines=(*first.lines, one.mention.line))
    return list(kept.values())


def _all_answered(outcomes: Sequence[tuple[_Asked, Outcome | None]]) -> bool:
    return all(isinstance(one, Answer) for _, one in outcomes)


def _judged(ports: FreshnessPorts, found: SurveyResult, asked: Sequence[_Asked]) -> JudgedMentions:
    counts: Counter[str] = Counter()
    false: list[StaleSentence] = []
    settled: set[tuple[str, int]] = set()
    for mention, question, lines in asked:
        match look_up(question, store=ports.store.jobs):
            case Answer(value):
                counts[value["answer"]] += 1
                if value["answer"] != "cannot-tell":
                    settled.update((mention.document, line) for line in lines)
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
    """One for each line, the most doubtful first. A move changes nothing that a sentence says."""
    some = [one for one in mentions if one.reason is not StaleReason.MOVED]
    return list({(one.document, one.line): one for one in reversed(some)}.values())[::-1]


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
        texts = self._text(mention.path, now=False), self._text(mention.path, now=True)
        before, after = _definitions(mention, *texts)
        facts = {
            "document": mention.document,
            "heading": _heading(mention.document, page, mention.line),
            "sentence": sentence,
            "paragraph": paragraph,
            "named": mention.written,
            "code": {"path": mention.path, "before": before, "after": after, "diff": _hunks(*texts, mention)},
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


def _definitions(mention: StaleSentence, before: str, after: str) -> tuple[str, str]:
    """What holds the lines of a mention, on both sides. Where one side has no such line, its definition of the same
    name."""
    old, new = _holding(mention.path, before, mention.old_line), _holding(mention.path, after, mention.code_line or 0)
    if old is None and new is not None and not mention.old_line:
        old = _named(mention.path, before, new.name)
    if new is None and old is not None and not mention.code_line:
        new = _named(mention.path, after, old.name)
    return _shown(before, old, mention.old_line), _shown(after, new, mention.code_line or 0)


def _holding(path: str, text: str, line: int) -> Symbol | None:
    """The smallest definition that a line is in."""
    holding = [one for one in _symbols(path, text) if one.line <= line <= one.end_line and one.kind != "module"]
    return min(holding, key=lambda one: one.end_line - one.line, default=None)


def _named(path: str, text: str, name: str) -> Symbol | None:
    return next((one for one in _symbols(path, text) if one.name == name), None)


def _symbols(path: str, text: str) -> Sequence[Symbol]:
    from cairn.lib.code.read import outline as code_outline

    return code_outline(path, text.encode("utf-8", "surrogatepass")).symbols if text else ()


def _shown(text: str, definition: Symbol | None, line: int) -> str:
    """A definition, else the lines around a line; empty where there is none."""
    if definition is None and not (line and text):
        return ""
    first, last = (definition.line, definition.end_line) if definition else (max(1, line - _AROUND), line + _AROUND)
    return "\n".join(text.split("\n")[first - 1 : last])[:_LONGEST]


def _hunks(before: str, after: str, mention: StaleSentence) -> str:
    """The one at the place of the mention first, then those that have its name, as many as fit."""
    diff = list(unified_diff(before.split("\n"), after.split("\n"), lineterm="", n=3))[2:]
    hunks: list[list[str]] = []
    for line in diff:
        if line.startswith("@@"):
            hunks.append([])
        hunks[-1].append(line)
    ordered = sorted(hunks, key=lambda hunk: (not _is_at(hunk[0], mention), not _has(hunk, mention.written)))
    return "\n".join(_within(ordered))


def _is_at(head: str, mention: StaleSentence) -> bool:
    """Whether the lines that a hunk is about have that of the mention."""
    sides = re.findall(r"[-+](\d+)(?:,(\d+))?", head)
    places = (mention.old_line, mention.code_line or 0)
    return any(
        line and int(first) <= line < int(first) + int(count or 1)
        for (first, count), line in zip(sides[:2], places, strict=False)
    )


def _has(hunk: Sequence[str], name: str) -> bool:
    plain = _plain(name)
    return any(plain in _plain(line) for line in hunk if line[:1] in "+-")


def _plain(text: str) -> str:
    """`storage-file`, `storage_file` and `StorageFile` are one name."""
    return text.replace("-", "").replace("_", "").lower()


def _within(hunks: Sequence[Sequence[str]]) -> Iterator[str]:
    length = 0
    for hunk in hunks:
        text = "\n".join(hunk)
        length += len(text)
        if length > _LONGEST and length > len(text):
            return
        yield text[:_LONGEST]
