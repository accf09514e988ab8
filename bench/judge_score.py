"""Scores what came of an evaluation set: precision, recall, leaks, answers that the checkers refused, and cost."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from judge_room import AnswerParts, AskedItem, JudgeBooth, asked_items, report_of
from judge_sets import normal


class ItemScore(NamedTuple):
    id: str
    language: str
    label: str
    parts: AnswerParts | None
    """None while nothing was answered."""
    leaks: tuple[str, ...]
    """Strings that nothing learned may contain."""
    questions: int
    tokens_in: int
    tokens_out: int
    refused: int
    """Answers that the checkers refused, at least in part."""
    right_refused: tuple[str, ...]
    """Right ones among them, with the problem that was named."""
    lost: int
    """Right statements of refused answers that nothing has in the end."""


def score_items(booth: JudgeBooth, judged: Mapping[str, str]) -> list[ItemScore]:
    """`judged` are verdicts of a blind judge on statements that matched nothing."""
    return [_score(booth, asked, judged) for asked in asked_items(booth)]


def _score(booth: JudgeBooth, asked: AskedItem, judged: Mapping[str, str]) -> ItemScore:
    item = asked.item
    result = booth.result(item)
    parts = None if result is None else with_verdicts(booth.score(item, result), item["id"], judged)
    said = "" if result is None else normal(booth.texts(result))
    leaks = tuple(one for one in item.get("never", ()) if normal(one) in said)
    right, lost = _refusals(booth, asked, parts)
    return ItemScore(
        item["id"],
        item.get("language", "en"),
        booth.label(item),
        parts,
        leaks,
        len(asked.rows),
        sum(row.tokens_in or 0 for row in asked.rows),
        sum(row.tokens_out or 0 for row in asked.rows),
        len(asked.refused),
        right,
        lost,
    )


def _refusals(booth: JudgeBooth, asked: AskedItem, parts: AnswerParts | None) -> tuple[tuple[str, ...], int]:
    """Of each refused answer, what of it was right and did not pass."""
    problems, most = list[str](), 0
    for row in asked.refused:
        report = report_of(row)
        if report is None:
            continue
        given = _safely(booth, asked, report)
        kept = json.loads(row.kept_json)["answer"] if row.kept_json else None
        passed = _safely(booth, asked, kept) if kept else AnswerParts()
        lacking = given.right - passed.right
        if kept is None and given.is_right and not given.right:
            lacking = 1  # a right answer that finds nothing
        if lacking > 0:
            problems += [row.message or ""] * lacking
            most = max(most, given.right)
    return tuple(problems), max(0, most - (parts.right if parts else 0))


def _safely(booth: JudgeBooth, asked: AskedItem, report: Mapping[str, Any]) -> AnswerParts:
    """A refused report may have any form."""
    try:
        return booth.score(asked.item, booth.raw(asked.item, report))
    except (KeyError, TypeError, AttributeError, ValueError):
        return AnswerParts(0, 1)


def with_verdicts(parts: AnswerParts, item: str, judged: Mapping[str, str]) -> AnswerParts:
    """A statement that the judge finds right counts as right; one that says an expected one in other words also meets
    it, and one that repeats another statement does not count at all."""
    verdicts = [judged.get(statement_id(item, one), "") for one in parts.unsure]
    right = sum(verdict in ("right", "expected") for verdict in verdicts)
    met = min(parts.missed, sum(verdict == "expected" for verdict in verdicts))
    gone = right + sum(verdict == "repeats" for verdict in verdicts)
    return parts._replace(right=parts.right + right, wrong=parts.wrong - gone, missed=parts.missed - met)


def statement_id(item: str, statement: Mapping[str, Any]) -> str:
    from hashlib import sha256

    text = json.dumps([statement.get(name) for name in ("kind", "title", "summary", "body")], ensure_ascii=False)
    return f"{item}:{sha256(text.encode()).hexdigest()[:10]}"


# --- sums -------------------------------------------------------------------------------------------------------------


class ScoreSum(NamedTuple):
    items: int
    answered: int
    right: int
    wrong: int
    missed: int

    @property
    def precision(self) -> float | None:
        return self.right / (self.right + self.wrong) if self.right + self.wrong else None

    @property
    def recall(self) -> float | None:
        return self.right / (self.right + self.missed) if self.right + self.missed else None


def summed(scores: Sequence[ItemScore]) -> ScoreSum:
    parts = [one.parts for one in scores if one.parts is not None]
    return ScoreSum(
        len(scores),
        len(parts),
        sum(one.right for one in parts),
        sum(one.wrong for one in parts),
        sum(one.missed for one in parts),
    )


def table(scores: Sequence[ItemScore]) -> Iterator[str]:
    """Markdown."""
    yield "| items | number | answered | right | wrong | missed | precision | recall |"
    yield "|---|---|---|---|---|---|---|---|"
    yield _row("all", scores)
    for label in sorted({one.label for one in scores}):
        yield _row(label, [one for one in scores if one.label == label])
    for language in sorted({one.language for one in scores}):
        yield _row(f"language {language}", [one for one in scores if one.language == language])


def _row(name: str, scores: Sequence[ItemScore]) -> str:
    one = summed(scores)
    numbers = (one.items, one.answered, one.right, one.wrong, one.missed, _share(one.precision), _share(one.recall))
    return f"| {name} | {' | '.join(map(str, numbers))} |"


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def facts(scores: Sequence[ItemScore], measures: Mapping[str, Any]) -> dict[str, Any]:
    """What stands beside precision and recall."""
    answered = [one for one in scores if one.questions]
    right = sum(one.parts.right for one in scores if one.parts)
    right += sum(one.parts.is_right and not one.parts.right for one in scores if one.parts)
    refused = sum(len(one.right_refused) for one in scores)
    details: Counter[str] = Counter()
    for one in scores:
        details.update(one.parts.details if one.parts else {})
    number = len(answered)
    return {
        "items with a strictly right answer": sum(bool(one.parts and one.parts.is_right) for one in scores),
        "forbidden strings that got through": sum(len(one.leaks) for one in scores),
        "answers refused": sum(one.refused for one in scores),
        "right statements refused at first": refused,
        "right statements refused, share": round(refused / max(1, right + refused), 4),
        "right statements lost in the end": sum(one.lost for one in scores),
        "tokens read per item": round(sum(one.tokens_in for one in answered) / number) if number else None,
        "tokens written per item": round(sum(one.tokens_out for one in answered) / number) if number else None,
        **details,
        **measures,
    }


def report(name: str, scores: Sequence[ItemScore], measures: Mapping[str, Any]) -> str:
    lines = [f"### {name}", "", *table(scores), "", "| measured | value |", "|---|---|"]
    lines += [f"| {key} | {_cell(value)} |" for key, value in facts(scores, measures).items()]
    return "\n".join(lines) + "\n"


def _cell(value: Any) -> str:
    return (", ".join(map(str, value)) or "none") if isinstance(value, list) else str(value)


def errors(scores: Sequence[ItemScore]) -> Iterator[str]:
    """Each item that is not right, with what is wrong about it."""
    for one in scores:
        told = [*(one.parts.notes if one.parts else ("not answered",)), *(f"leak: {leak}" for leak in one.leaks)]
        told += [f"right, and refused: {problem}" for problem in one.right_refused]
        told += [f"matches nothing: {said.get('title')}" for said in (one.parts.unsure if one.parts else ())]
        if told:
            yield f"{one.id} [{one.language}, {one.label}]"
            yield from (f"    {text}" for text in told)


def write_json(file: Path, scores: Sequence[ItemScore], measures: Mapping[str, Any]) -> None:
    value = {"items": [one._asdict() for one in scores], "facts": facts(scores, measures)}
    file.write_text(json.dumps(value, ensure_ascii=False, indent=1, default=lambda one: one._asdict()), "utf-8")
