"""Asks readers whether sentences about changed code still hold, and makes findings of those that do not."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from cairn.freshness.ask_reader import ask_fresh
from cairn.freshness.diff.doubt import StaleReason, StaleSentence
from cairn.freshness.diff.survey import SurveyResult
from cairn.freshness.ports import FreshnessPorts
from cairn.freshness.questions.still_holds.question import QUESTION
from cairn.freshness.sentence_material import SentenceMaterial
from cairn.freshness.states import StateSpan
from cairn.jobs.ask import Answer, AskedQuestion, Outcome, ReadNow, Unanswered, Waiting, look_up
from cairn.jobs.run import JobRunSummary

MOST_ASKED: Final = 50
"""Sentences of one run; the rest are counted."""
_MOST_LOOKED_AT: Final = 500


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
    material = SentenceMaterial(ports.vcs, ports.files, span)
    asked = _one_for_each_sentence(_questions(material, ranked[:_MOST_LOOKED_AT]))
    outcomes = [(one, look_up(one.question, store=ports.store.jobs)) for one in asked]
    missing = [one for one, out in outcomes if out is None or (reader is not None and isinstance(out, Unanswered))]
    for one in missing[:MOST_ASKED]:
        ask_fresh(ports, one.question, again=reader is not None)
    spent = reader((QUESTION.id,)) if reader is not None and not _all_answered(outcomes) else None
    judged = _judged(ports, found, asked)
    return judged._replace(left=judged.left + max(0, len(ranked) - _MOST_LOOKED_AT), spent=spent)


def question_about(ports: FreshnessPorts, mention: StaleSentence, span: StateSpan) -> AskedQuestion:
    """About one sentence, whoever names it."""
    [asked] = _questions(SentenceMaterial(ports.vcs, ports.files, span), [mention])
    return asked.question


def _questions(material: SentenceMaterial, mentions: Sequence[StaleSentence]) -> list[_Asked]:
    subjects = (f"change:{material.moment}:{one.document}:{one.line}" for one in mentions)
    facts = material.about(mentions)
    return [
        _Asked(mention, AskedQuestion(QUESTION, subject, about))
        for mention, subject, about in zip(mentions, subjects, facts, strict=True)
    ]


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
