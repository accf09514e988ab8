"""Asks a question, or finds the answer that exists: asking twice is free."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from cairn.core.model.change import Taint
from cairn.core.model_budget import tokens_of
from cairn.core.ports.jobs import Execution, ExecutionFilter, Job, JobStore
from cairn.core.ports.runtime import Settings
from cairn.errors import Conflict
from cairn.jobs.action import action_of
from cairn.jobs.model import canonical_json, question_hash
from cairn.jobs.prompt import prompt_of
from cairn.jobs.question import Input, Question
from cairn.jobs.report import schema_problems
from cairn.jobs.run import JobRunSummary
from cairn.jobs.submit import JobRequest, submit, ttl_of


class AskedQuestion(NamedTuple):
    """One thing to ask."""

    question: Question
    subject: str
    """Path of a node, or a virtual id such as `session:<id>@<from>-<to>`."""
    input: Input
    taint: Taint = Taint.REPOSITORY
    """Of the worst of its material."""

    @property
    def hash(self) -> str:
        """Of version and input, not of the wording of the prompt."""
        return question_hash(self.question.id, self.question.version, canonical_json(self.input))

    @property
    def prompt(self) -> str:
        return prompt_of(self.question.prompt, self.subject, self.question.material(self.input))


class Answer(NamedTuple):
    value: Mapping[str, Any]
    """What passed the checks."""
    complete: bool
    """False where parts were set aside the second time, too."""
    problems: tuple[str, ...]
    model: str | None
    runner: str | None
    execution: str
    answered_at_ms: int


class Waiting(NamedTuple):
    job: Job
    """Queued or running."""


class Unanswered(NamedTuple):
    """Failed for good: refused twice, three readers lost, or cancelled."""

    reason: str
    message: str
    execution: str


class QuestionCost(NamedTuple):
    """In tokens."""

    reading: int
    writing: int


Outcome = Answer | Waiting | Unanswered

ReadNow = Callable[[Sequence[str]], JobRunSummary]
"""Has a reader answer what is waiting of these actions."""


def look_up(asked: AskedQuestion, *, store: JobStore) -> Outcome | None:
    """What became of a question; None when nobody asked it yet."""
    return outcome_of(asked.hash, store=store)


def outcome_of(hash: str, *, store: JobStore) -> Outcome | None:
    """Of a question by its hash: a whole answer, else what is waiting, else what passed, else why there is none."""
    rows = store.executions(ExecutionFilter(question_hash=hash))
    whole = next((row for row in rows if row.status == "completed" and row.report_json), None)
    if whole is not None:
        return _answer(whole, json.loads(whole.report_json or "{}"))
    live = store.live_question(hash)
    if live is not None:
        return Waiting(live)
    part = next((row for row in rows if row.kept_json), None)
    if part is not None:
        kept = json.loads(part.kept_json or "{}")
        return _answer(part, kept["answer"], tuple(kept["problems"]))
    return Unanswered(rows[0].failure_reason or "", rows[0].message or "", rows[0].id) if rows else None


def _answer(row: Execution, value: Mapping[str, Any], problems: tuple[str, ...] = ()) -> Answer:
    return Answer(value, not problems, problems, row.model, row.runner, row.id, row.finished_at_ms)


def ask(asked: AskedQuestion, *, store: JobStore, settings: Settings, now_ms: int, again: bool = False) -> Outcome:
    """The answer that exists; else the question waits now. With `again` one is asked anew that was not, or only partly,
    answered."""
    found = look_up(asked, store=store)
    unfinished = isinstance(found, Unanswered) or (isinstance(found, Answer) and not found.complete)
    if found is not None and not (again and unfinished):
        return found
    try:
        return Waiting(submit(_request(asked, settings), store=store, now_ms=now_ms))
    except Conflict as conflict:  # somebody else asked at the same time
        waiting = store.job(str(conflict.details["job"]))
        if waiting is None:
            raise
        return Waiting(waiting)


def _request(asked: AskedQuestion, settings: Settings) -> JobRequest:
    question, action = asked.question, action_of(asked.question)
    wrong = schema_problems(asked.input, question.input_schema)
    if wrong:
        raise ValueError(f"the input of {question.id} is not as its schema says: {wrong[0].text}")
    priority = settings.mapping("jobs.per_action_priority").get(action.id)
    return JobRequest(
        action,
        asked.subject,
        question.material(asked.input),
        ttl_of(action, settings, None).seconds,
        action.priority if priority is None else priority,
        input_json=canonical_json(asked.input),
        taint=asked.taint,
    )


def estimate(asked: AskedQuestion) -> QuestionCost:
    """What it takes to ask: the prompt, and an answer of the usual length."""
    return QuestionCost(tokens_of(asked.prompt), asked.question.facts["answer_tokens"])
