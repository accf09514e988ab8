"""Heads of logs: written, read again, and what others wrote into them stays."""

from typing import Any

import pytest

from cairn.capture.session_log import HEAD_LIMIT, PROPOSAL, TRANSCRIPT, head_bytes, read_head, text_end
from cairn.core.model.session import SessionLog

LOG = SessionLog(
    "s-1",
    "codex",
    "stop",
    "2026-05-04T10:00:00.000Z",
    "sha256:00",
    proposal_status="failed",
    proposal_error="the model said: {no}",
    read_through=1234,
    curated_through=56,
    topics=("a b", "c: d"),
    transcript_bytes=3,
)


def test_what_is_written_is_read() -> None:
    head = read_head(head_bytes(LOG) + b"abc")
    assert head is not None
    assert head.log == LOG
    assert head.length == len(head_bytes(LOG))


def test_what_somebody_else_wrote_stays() -> None:
    theirs: dict[str, Any] = {
        "proposals": {"practice": [{"title": "Wait: 30 s", "tags": ["a"], "body": "two\nlines"}], "map": []},
        "x_mood": "fine",
    }
    first = read_head(head_bytes(LOG, theirs))
    assert first is not None
    second = read_head(head_bytes(first.log, first.values))
    assert second is not None
    assert (second.values, second.log) == (first.values, LOG)
    assert second.values["proposals"] == theirs["proposals"]
    assert second.values["x_mood"] == "fine"


OLD = b"""---
schema_version: 1
session_id: 5f1c8d1e-6f3a-4b52-9c3e-0d8a6f2b7c11
captured_by: session_end
captured_at: '2026-05-13T09:12:44.101Z'
transcript_hash: sha256:aa
proposal_status: done
secret_scan_status: clean
proposals:
  practice: []
  map: []
curator_processed_at: '2026-05-14T09:12:44.101Z'
---

## Transcript

[USER]: Hi
"""


def test_a_log_of_something_older_is_read() -> None:
    head = read_head(OLD)
    assert head is not None
    assert (head.log.host, head.log.proposal_status, head.log.captured_by) == (None, "done", "session_end")
    assert head.log.curator_processed_at == "2026-05-14T09:12:44.101Z"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"# Notes\n",
        b"---\nsession_id: x\n---\n",
        b"---\nsession_id: 7\ncaptured_at: x\n---\n\n## Transcript\n\n",
        b"---\n: [\n---\n\n## Transcript\n\n",
        b"---\n" + b"x" * HEAD_LIMIT + b"\n---\n\n## Transcript\n\n",
    ],
)
def test_what_is_no_log_is_none(data: bytes) -> None:
    assert read_head(data) is None


def test_values_of_the_wrong_type_count_as_missing() -> None:
    values = (
        "session_id: s\ncaptured_at: x\nhost: emacs\nproposal_status: 7\nread_through: many\ntopics: 3\nparts: -4\n"
    )
    head = read_head(b"---\n" + values.encode() + b"---\n" + TRANSCRIPT)
    assert head is not None
    log = head.log
    assert (log.host, log.proposal_status, log.read_through, log.topics, log.parts) == (None, "pending", 0, (), 0)


def test_the_text_ends_where_the_head_says_and_nowhere_else() -> None:
    head = read_head(head_bytes(LOG) + b"abc")
    assert head is not None
    end = head.length + 3
    assert text_end(head, 9_999, PROPOSAL + b"x") == end
    assert text_end(head, 9_999, b"\n\nmore of what somebody wrote") is None
    assert text_end(head, end - 1, b"") is None
