"""What the page of status says about sessions that wait to become knowledge."""

import os
from contextlib import closing
from pathlib import Path

import pytest

from cairn.app.build import build_app
from cairn.workspace.status.page import status
from curation import candidate, keep_session
from repository import put

SAID = [candidate("Write commits in English.")]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    put(tmp_path, {".cairn/settings.json": "{}"})
    return tmp_path


def lines(root: Path) -> dict[str, str]:
    """By the command that settles it."""
    with closing(build_app(root, env={"PATH": os.environ["PATH"]}, installed=False)) as app:
        page = status(app)
    assert page.problems == ()
    return {line.next: line.text for line in page.lines if line.next}


def keep(root: Path, session: str, **facts: str) -> None:
    file = keep_session(root, SAID, session=session)
    text = file.read_text()
    for key, value in facts.items():
        before = next(line for line in text.splitlines() if line.startswith(f"{key}:"))
        text = text.replace(before, f"{key}: {value}")
    file.write_text(text)


def test_sessions_that_are_waiting_to_be_read(root: Path):
    keep(root, "s-1", proposal_log="logs/s-1.jsonl")
    assert "cairn judge" not in lines(root)
    keep(root, "s-2", proposal_status="pending")
    keep(root, "s-3", proposal_status="pending")
    said = lines(root)
    assert said["cairn judge"] == "2 sessions are waiting to be read"
    assert said["cairn curate"] == "3 candidates to curate"


def test_sessions_that_could_not_be_read(root: Path):
    keep(root, "s-1", proposal_status="failed", proposal_error="the model gave no answer")
    assert lines(root)["cairn session retry"] == "1 session could not be read: the model gave no answer"
