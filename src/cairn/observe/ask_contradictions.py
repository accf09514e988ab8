"""Asks readers whether passages of documents disagree, and makes findings of those that do."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from cairn.core.model.change import Taint
from cairn.core.model.lens import Finding, finding_id
from cairn.core.ports.jobs import Execution, ExecutionFilter
from cairn.jobs.ask import Answer, AskedQuestion, ReadNow, Unanswered, ask, look_up
from cairn.jobs.run import JobRunSummary
from cairn.knowledge.values import take_sources
from cairn.lib.markdown.frontmatter import parse
from cairn.observe.lens import LensDocument
from cairn.observe.lens_contradictions.pairs import ComparedPassage, PassagePair, candidate_pairs
from cairn.observe.ports import ObservePorts
from cairn.observe.questions.contradiction.question import QUESTION

LENS: Final = "H-cross-doc"
KIND: Final = "contradiction"
MOST_ASKED: Final = 50
"""Pairs of one run."""
_MOST_LOOKED_AT: Final = 500
_SURE: Final = 0.8
"""From here on a reader is sure of its answer."""


class _Pair(NamedTuple):
    pair: PassagePair
    question: AskedQuestion


class Contradictions:
    """Uses the answers that exist, and asks what is missing where it may."""

    def __init__(self, ports: ObservePorts, *, asks: bool, reader: ReadNow | None = None) -> None:
        self._ports, self._asks, self._reader = ports, asks, reader
        self.spent: JobRunSummary | None = None
        self.left = 0
        """Pairs that nobody was asked about: there were more than a run asks about."""

    def look(self, documents: Sequence[LensDocument]) -> list[Finding]:
        if not self._asks and not answers(self._ports):
            return []
        pages = {document.path: document for document in documents}
        found = candidate_pairs(documents)[:_MOST_LOOKED_AT]
        asked = [_Pair(pair, _question(pair, pages)) for pair in found]
        if self._asks:
            self._ask([one.question for one in asked])
        return [finding for one in asked if (finding := self._finding(one)) is not None]

    def _ask(self, questions: Sequence[AskedQuestion]) -> None:
        jobs, now_ms = self._ports.store.jobs, self._ports.clock.now_ms()
        again = self._reader is not None
        found = [(one, look_up(one, store=jobs)) for one in questions]
        missing = [one for one, out in found if out is None or (again and isinstance(out, Unanswered))]
        for one in missing[:MOST_ASKED]:
            ask(one, store=jobs, settings=self._ports.settings, now_ms=now_ms, again=again)
        self.left = len(missing[MOST_ASKED:])
        if self._reader is not None and not all(isinstance(out, Answer) for _, out in found):
            self.spent = self._reader((QUESTION.id,))

    def _finding(self, one: _Pair) -> Finding | None:
        outcome = look_up(one.question, store=self._ports.store.jobs)
        return _of(one.pair, outcome) if isinstance(outcome, Answer) and outcome.value["disagree"] else None


def answers(ports: ObservePorts) -> list[Execution]:
    """The last one, if there is any."""
    rows: list[Execution] = ports.store.jobs.executions(ExecutionFilter(("completed",), (QUESTION.id,), limit=1))
    return rows


def _question(pair: PassagePair, pages: Mapping[str, LensDocument]) -> AskedQuestion:
    facts = {"a": _facts(pair.a, pages[pair.a.path]), "b": _facts(pair.b, pages[pair.b.path])}
    return AskedQuestion(QUESTION, f"pair:{pair.a.place}|{pair.b.place}", facts, Taint.REPOSITORY)


def _facts(passage: ComparedPassage, document: LensDocument) -> dict[str, Any]:
    """The date is the one that the page states: that of its file changes with every edit of something else."""
    fields = parse(document.text).frontmatter
    sources = [source.reference for source in take_sources(fields.get("sources"))]
    stated = (fields.get(name) for name in ("last-reviewed", "last_reviewed", "updated", "date"))
    date = next((one for one in stated if isinstance(one, str) and one), None)
    return {
        "path": passage.path,
        "headings": list(passage.headings),
        "text": passage.text,
        "sources": sources,
        "date": date,
    }


def _of(pair: PassagePair, answer: Answer) -> Finding:
    value = answer.value
    wrong, right = (pair.b, pair.a) if value["right"] == "a" else (pair.a, pair.b)
    quotes = {pair.a: _line(value["quote_a"]), pair.b: _line(value["quote_b"])}
    known = value["right"] in ("a", "b")
    who = f"Ask {_line(value['who_decides'])}" if value["who_decides"] else "Find out which one is right"
    fix = f"Correct `{wrong.path}`; `{right.path}` is right." if known else f"{who}, then correct the other passage."
    return Finding(
        finding_id(LENS, KIND, pair.a.path, pair.b.path, *sorted(quotes.values())),
        LENS,
        "P2",
        f"`{pair.a.path}` and `{pair.b.path}` disagree: “{quotes[pair.a]}” and “{quotes[pair.b]}”",
        _line(value["why"]),
        fix,
        wrong.path,
        wrong.line,
        "high" if answer.value.get("confidence", 1) >= _SURE else "medium",
        {
            "kind": KIND,
            "path": wrong.path,
            "line": wrong.line,
            "text": quotes[wrong],
            "other": {"path": right.path, "line": right.line, "text": quotes[right]},
            "right": right.path if known else None,
            "reader": f"{answer.runner or 'reader'}/{answer.model or '?'}",
        },
    )


def _line(text: str) -> str:
    return " ".join(text.split())
