"""`jobs`: questions that wait to be read, and their answers."""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from cairn.core.ports.jobs import Execution, JobClaim
from cairn.errors import CairnError
from cairn.jobs.action import find_action
from cairn.jobs.claim import ClaimedJob, reap
from cairn.jobs.finish import JobAnswer, JobUsage
from cairn.jobs.follow import follow_up
from cairn.jobs.model import run_id
from cairn.jobs.outside import QueueForAgent, most_taint, queue_for_agent
from cairn.jobs.several import Recorded, claim_several, last_failures, record_several
from cairn.mcp.tools.tool import Arguments, Tool, ToolAnswer, ToolCallContext, number, rows, text, texts

if TYPE_CHECKING:
    from cairn.app.build import App

_MOST: Final = 10
_TOKENS: Final = 20_000
_FAILURES: Final = 5


def answer(call: ToolCallContext, given: Arguments) -> ToolAnswer:
    app = call.app
    recorded = list(_record(call, given.get("answers", ())))
    is_used = any(one.state == "completed" for one in recorded) or _waiting(app).own < given.get("claim", 0)
    followed = _follow(app) if is_used else []  # asks what is missing, too
    claimed = _claim(app, given) if "claim" in given else []
    failures = [] if recorded or claimed else last_failures(app.store.jobs, _FAILURES)
    queue = _waiting(app)
    data = {
        "waiting": queue.own,
        "kept": queue.kept,
        "jobs": [{"id": one.job.id, "nonce": one.job.nonce, "content": one.content} for one in claimed],
        "recorded": [{**one._asdict(), "problems": list(one.problems)} for one in recorded],
        "followed": followed,
        "failed": [_failure(row) for row in failures],
    }
    return ToolAnswer(data, "\n\n".join(_sentences(recorded, followed, claimed, failures, queue)))


def _waiting(app: "App") -> QueueForAgent:
    return queue_for_agent(app.store.jobs, app.settings)


def _claim(app: "App", given: Arguments) -> list[ClaimedJob]:
    store, now_ms = app.store.jobs, app.clock.now_ms()
    reap(store=store, now_ms=now_ms)
    only = (find_action(given["only"], app.actions()).id,) if "only" in given else ()
    run, tokens = run_id(now_ms, os.urandom(2).hex(), "ext"), given.get("tokens", _TOKENS)
    wanted = JobClaim("skill", run, now_ms, only, most_taint(app.settings), tokens)
    return claim_several(wanted, given["claim"], store=store)


def _record(call: ToolCallContext, answers: Sequence[Mapping[str, Any]]) -> Iterator[Recorded]:
    app, model = call.app, JobUsage(model=call.caller.agent)
    if answers:
        said = [_answer(one, model) for one in answers]
        yield from record_several(said, store=app.store.jobs, actions=app.actions(), now_ms=app.clock.now_ms())


def _answer(given: Mapping[str, Any], usage: JobUsage) -> JobAnswer:
    report = given.get("report")
    text = report if isinstance(report, str) else json.dumps(report)
    id, nonce = (str(given.get(name, "")).encode("utf-8", "replace").decode() for name in ("id", "nonce"))
    if report is None:
        error = str(given.get("error", "no report was given")).encode("utf-8", "replace").decode()
        return JobAnswer(id, nonce, "failed", error=error[:500], usage=usage)
    return JobAnswer(id, nonce, "completed", text, usage=usage)


def _follow(app: "App") -> list[str]:
    from cairn.app.questions import follow_ups

    try:
        return follow_up(follow_ups(app))
    except CairnError as error:  # the answers are safe: what follows from them can follow later
        return [f"The answers are kept, but nothing was done with them yet: {error.message}"]


def _failure(row: Execution) -> dict[str, str]:
    return {"question": row.extension_id, "subject": row.node_id, "reason": row.message or row.failure_reason or ""}


# --- to be read -------------------------------------------------------------------------------------------------------


def _sentences(
    recorded: Sequence[Recorded],
    followed: Sequence[str],
    claimed: Sequence[ClaimedJob],
    failures: Sequence[Execution],
    queue: QueueForAgent,
) -> Iterator[str]:
    yield from map(_recorded, recorded)
    yield from followed
    for one in claimed:
        yield f"Job {one.job.id}, nonce {one.job.nonce}:\n\n{one.content}"
    for row in failures:
        told = _failure(row)
        yield f"Failed: {told['question']} about {told['subject']}: {told['reason']}"
    left = max(0, queue.own - len(claimed))
    yield f"{left:,} more questions wait for you." if left or claimed else "No question waits for you."
    if queue.kept:
        yield queue.kept_sentence


def _recorded(one: Recorded) -> str:
    if not one.problems:
        return f"{one.id} is {one.state}."
    again = " It is asked once more, with these problems: claim it." if one.asked_again else ""
    return f"{one.id} is {one.state}: {'; '.join(one.problems)}.{again}"


JOBS = Tool(
    "jobs",
    "Answer questions about knowledge",
    "Claim questions that wait to be read, and record the answers; only when the user asks. Answer from the prompt "
    "alone, as JSON. Without arguments: what waits and failed.",
    takes={
        "claim": number(1, _MOST, "How many"),
        "tokens": number(500, 500_000, "Of their prompts (20000)"),
        "only": text("One kind, like learned", 80),
        "answers": {
            "type": "array",
            "maxItems": 50,
            "items": {
                "type": "object",
                "properties": {
                    "id": text(),
                    "nonce": text(),
                    "report": {"type": ["object", "string"]},
                    "error": text(),
                },
                "required": ["id", "nonce"],
            },
        },
    },
    gives={
        "waiting": {"type": "integer"},
        "kept": {"type": "integer"},
        "jobs": rows(id=text(), nonce=text(), content=text()),
        "recorded": rows(id=text(), state=text(), problems=texts()),
        "followed": texts(),
        "failed": {"type": "array"},
    },
    answer=answer,
    writes=True,
    repeatable=False,
    reaches_out=True,
)
