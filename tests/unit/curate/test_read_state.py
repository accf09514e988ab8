"""When a session is read, and what its log records afterwards."""

from dataclasses import replace

import pytest

from cairn.core.model.candidate import KnowledgeCandidate
from cairn.core.model.session import SessionLog
from cairn.curate.session_candidates import (
    ERROR_LONGEST,
    LONGEST_PAUSE_MS,
    MOST_ATTEMPTS,
    CueOutcome,
    ReaderFailure,
    ReaderOutcome,
    after,
    has_new_text,
    is_due,
    is_unread,
    next_try_ms,
    pause_ms,
    section,
)

AT = "2026-05-04T10:00:00.000Z"
AT_MS = 1_777_888_800_000
MINUTE = 60_000
LOG = SessionLog("s", "claude", "stop", AT, "sha256:0", transcript_chars=100)
ONE = KnowledgeCandidate("s:practice:0", "practice", "Use tabs", "Use tabs.", "Use tabs.", ("style",))


def test_pauses_grow_and_end() -> None:
    assert [pause_ms(n) // MINUTE for n in range(1, 6)] == [10, 20, 40, 80, 160]
    assert pause_ms(1_000) == LONGEST_PAUSE_MS


@pytest.mark.parametrize(
    ("more", "due"),
    [
        ({}, True),
        ({"curated_through": 100}, False),
        ({"transcript_chars": 0}, True),
        ({"proposal_status": "done"}, False),
        ({"proposal_status": "skipped"}, False),
        ({"proposal_status": "failed", "proposal_attempts": 1, "proposal_tried_at": AT}, False),
        ({"proposal_status": "failed", "proposal_attempts": 1, "proposal_tried_at": "2026-05-04T09:50:00Z"}, True),
        ({"proposal_status": "failed", "proposal_attempts": 2, "proposal_tried_at": "2026-05-04T09:50:00Z"}, False),
        ({"proposal_status": "failed", "proposal_attempts": 1, "proposal_tried_at": "no time"}, True),
        ({"proposal_status": "failed", "proposal_attempts": MOST_ATTEMPTS}, False),
    ],
)
def test_a_session_is_due_until_it_is_read_and_after_a_pause(more: dict[str, object], due: bool) -> None:
    assert is_due(replace(LOG, **more), AT_MS) is due  # type: ignore[arg-type]


def test_failures_are_counted_and_cut() -> None:
    log = after(LOG, ReaderFailure("no  key\n" + "x" * 1_000), at=AT, run_log="run.jsonl")
    assert (log.proposal_status, log.proposal_attempts, log.proposal_log) == ("failed", 1, "run.jsonl")
    assert log.proposal_error is not None and log.proposal_error.startswith("no key x")
    assert len(log.proposal_error) == ERROR_LONGEST + 3 and log.proposal_error.endswith("...")
    assert after(LOG, ReaderFailure("x", (ONE,)), at=AT).topics == ("style",), "what counts all the same is kept"
    assert log.curated_through == 0 and next_try_ms(log) == AT_MS + 10 * MINUTE
    for _ in range(MOST_ATTEMPTS):
        log = after(log, ReaderFailure("again"), at=AT)
    assert next_try_ms(log) is None


def test_a_reader_ends_failures_and_marks_the_session_as_read() -> None:
    failed = after(LOG, ReaderFailure("x"), at=AT)
    log = after(failed, ReaderOutcome((ONE,), 100), at=AT)
    assert (log.proposal_status, log.proposal_error, log.proposal_attempts) == ("done", None, 0)
    assert (log.curated_through, log.topics, log.proposal_completed_at) == (100, ("style",), AT)


def test_a_session_that_grew_meanwhile_waits_on() -> None:
    log = after(LOG, ReaderOutcome((), 60), at=AT)
    assert (log.proposal_status, log.curated_through) == ("pending", 60)
    assert is_due(log, AT_MS)


def test_cues_have_a_mark_of_their_own_and_leave_the_session_unread() -> None:
    log = after(LOG, CueOutcome((ONE,), 100), at=AT)
    assert (log.cues_through, log.cues_at, log.curated_through) == (100, AT, 0)
    assert (log.proposal_status, log.proposal_tried_at, log.proposal_completed_at) == ("pending", None, None)
    assert not has_new_text(log) and is_unread(log) and is_due(log, AT_MS)
    assert after(LOG, CueOutcome((), 100), at=AT).cues_at is None


@pytest.mark.parametrize(
    ("more", "new", "unread"),
    [
        ({}, True, True),
        ({"proposal_status": "skipped"}, True, False),
        ({"proposal_status": "failed", "cues_through": 100}, False, True),
        ({"proposal_status": "done", "curated_through": 100, "cues_through": 100}, False, False),
        ({"transcript_chars": 0, "proposal_status": "done"}, False, False),
        ({"transcript_chars": 0}, True, True),
    ],
)
def test_what_waits_for_cues_and_for_a_reader(more: dict[str, object], new: bool, unread: bool) -> None:
    log = replace(LOG, **more)  # type: ignore[arg-type]
    assert (has_new_text(log), is_unread(log)) == (new, unread)


def test_the_last_section_lists_candidates() -> None:
    assert section([ONE]) == "- practice: Use tabs (medium, model)\n"
    assert section([]) == "Nothing was proposed.\n"
