"""The desk of a blind reader: one file for each question, one for each answer; and answers from any reader of Cairn."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from cairn.app.build import App
from cairn.app.judging import budget_of, reader_of, run_of
from cairn.core.model_budget import tokens_of
from cairn.core.ports.jobs import Job, JobClaim, JobFilter
from cairn.jobs.claim import claim, lose
from cairn.jobs.finish import JobAnswer, JobUsage, record
from cairn.jobs.model import digest, run_id
from cairn.jobs.run import JobRunRequest, JobRunSummary, key_of

AGAIN = "again"
"""The folder of questions whose first answer was refused."""
MANIFEST = "asked.json"
PROMPTS = "prompts.json"
"""Beside recorded answers: the prompts that they answer."""


class DeskResult(NamedTuple):
    accepted: int = 0
    refused: int = 0
    """Answers with problems."""
    without: int = 0
    """Questions that wait without an answer."""


def write_prompts(app: App, out: Path, work: Path) -> list[Path]:
    """What waits, exactly as a reader gets it. A file is named by the question, its version, and its material."""
    waiting = app.store.jobs.jobs(JobFilter(("queued",)))
    known = _manifest(work)
    written = []
    for job in waiting:
        text = app.store.jobs.content(job.content_hash) or ""
        file = out / (AGAIN if job.retry_of else "") / f"{key_of(job)}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        known[key_of(job)] = template_hash(app, job)
        written.append(file)
    (work / MANIFEST).write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", "utf-8")
    return sorted(written)


def _manifest(work: Path) -> dict[str, str]:
    file = work / MANIFEST
    return dict(json.loads(file.read_text("utf-8"))) if file.is_file() else {}


def template_hash(app: App, job: Job) -> str:
    """Of what is asked, without what it is asked about."""
    action = app.actions()[job.action_id]
    return digest(f"{action.version}\n{action.prompt}\n{json.dumps(action.schema, sort_keys=True)}")[:16]


def refuse_other_versions(app: App, asked: dict[str, str], jobs: list[Job]) -> None:
    """A number would be about a question that nobody asks any more."""
    for job in jobs:
        key, now = key_of(job), template_hash(app, job)
        if app.actions()[job.action_id].version != job.action_version or asked.get(key, now) != now:
            raise SystemExit(
                f"{key}: {job.action_id} has changed since this was asked, so its answers say nothing about the "
                "question as it is; ask again, with a new --work"
            )


# --- answers in files -------------------------------------------------------------------------------------------------


def take_answers(app: App, answers: Path, work: Path, model: str) -> DeskResult:
    """Records each answer that lies there, as `cairn record` does. A question without an answer stays in the queue."""
    jobs = app.store.jobs
    refuse_other_versions(app, _manifest(work), jobs.jobs(JobFilter(("queued",))))
    result, unanswered = DeskResult(), list[Job]()
    run = run_id(app.clock.now_ms(), os.urandom(2).hex(), "ext")
    seen: set[str] = set()
    while any(_answer_file(answers, job) for job in jobs.jobs(JobFilter(("queued",))) if job.id not in seen):
        claimed = claim(JobClaim("skill", run, app.clock.now_ms()), store=jobs)
        if claimed is None:
            break
        job = claimed.job
        seen.add(job.id)
        file = _answer_file(answers, job)
        if file is None:
            unanswered.append(job)
            continue
        refused = _record(app, job, file, model)
        result = result._replace(accepted=result.accepted + (not refused), refused=result.refused + refused)
    for job in unanswered:
        lose(job, "abandoned", "nobody answered yet", store=jobs, now_ms=app.clock.now_ms(), counted=False)
    return result._replace(without=jobs.counts()["queued"])


def _answer_file(answers: Path, job: Job) -> Path | None:
    name = f"{key_of(job)}.json"
    return next((file for file in (answers / name, answers / AGAIN / name) if file.is_file()), None)


def _record(app: App, job: Job, file: Path, model: str) -> bool:
    """Whether it was refused."""
    text = file.read_text("utf-8", "replace")
    usage = JobUsage(job.tokens, tokens_of(text), model=model)
    answer = JobAnswer(job.id, job.nonce, "completed", text, usage=usage)
    return bool(record(answer, store=app.store.jobs, actions=app.actions(), now_ms=app.clock.now_ms()).problems)


# --- a reader ---------------------------------------------------------------------------------------------------------


def read_with(app: App, name: str, model: str | None, *, kept: Path | None) -> JobRunSummary:
    """As `cairn judge --with NAME` has them read. Recorded answers have to be to the same questions, word for word."""
    waiting = app.store.jobs.jobs(JobFilter(("queued",)))
    if name.startswith("replay:"):
        _refuse_other_recordings(app, Path(name.removeprefix("replay:")), waiting)
    chosen = reader_of(app, name, model, record=kept)
    if kept is not None:
        prompts = {**_prompts(kept), **{key_of(job): template_hash(app, job) for job in waiting}}
        (kept / PROMPTS).write_text(json.dumps(prompts, indent=1, sort_keys=True) + "\n", "utf-8")
    return run_of(app, chosen.reader, budget_of(app, None)).work(JobRunRequest("all", None))


def _prompts(folder: Path) -> dict[str, str]:
    file = folder / PROMPTS
    return dict(json.loads(file.read_text("utf-8"))) if file.is_file() else {}


def _refuse_other_recordings(app: App, folder: Path, waiting: list[Job]) -> None:
    known = _prompts(folder)
    missing = [key_of(job) for job in waiting if key_of(job).removesuffix("-again") not in known]
    if missing:
        raise SystemExit(
            f"{folder} has no recording of {missing[0]} ({len(missing)} of {len(waiting)} questions): it is of another "
            "version or of other material, and no number comes from that"
        )
    refuse_other_versions(app, {key: known[key.removesuffix("-again")] for key in map(key_of, waiting)}, waiting)


def waiting_files(out: Path) -> Iterator[Path]:
    yield from sorted(out.rglob("*.md"))
