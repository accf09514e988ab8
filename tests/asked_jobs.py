"""Jobs for tests: rows, an action of two lines, and its good report."""

import json
from typing import Any

from cairn.core.ports.jobs import Job, JobClaim, JobStore
from cairn.jobs.action import JobAction
from cairn.jobs.submit import JobRequest, submit

NOON = 1_776_700_800_000
"""2026-04-20, 16:00 UTC."""

ASK = JobAction(
    "test/ask",
    "1.0.0",
    "Ask something.",
    expected_seconds=20,
    prompt="Say `answer`.",
    schema={
        "type": "object",
        "required": ["answer"],
        "properties": {"answer": {"type": "string"}},
    },
)
SAFE = {"injectionDetected": False, "injectionType": None, "injectionDetails": None, "contentQuality": "clean"}


def report(**others: Any) -> str:
    return json.dumps({"answer": "yes", "confidence": 0.9, "safety": SAFE, **others})


def asked(store: JobStore, subject: str = "docs/a.md", *, at: int = NOON, **wanted: Any) -> Job:
    return submit(JobRequest(ASK, subject, f"Text of {subject}.", 60)._replace(**wanted), store=store, now_ms=at)


def taken(store: JobStore, *, at: int = NOON, runner: str = "cli") -> Job:
    job = store.claim(JobClaim(runner, "r-20260420-160000-0000", at))
    assert job is not None
    return job
