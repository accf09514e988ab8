"""Lines become events, or say why not."""

import json
from importlib.resources import files
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.core.model.event import (
    BadLine,
    Event,
    field_schemas,
    moment_ms,
    needed_fields,
    parse_event,
    payload_problems,
)
from cairn.journal import EVENT_TYPES, make_line

GOOD = {"v": 1, "id": "i", "type": "t", "at": "a", "worktree": "w", "payload": {"k": [1]}}


def line(**changes: object) -> bytes:
    value = {**GOOD, **changes}
    return json.dumps({key: each for key, each in value.items() if each is not ...}).encode() + b"\n"


def test_a_line() -> None:
    assert parse_event(line()) == Event("i", "t", "a", "w", {"k": [1]})
    assert parse_event(line().rstrip(b"\n")) == parse_event(line())


@pytest.mark.parametrize("key", GOOD)
@pytest.mark.parametrize("value", [..., None, [], 0])
def test_every_field_must_be_there_and_of_its_type(key: str, value: object) -> None:
    assert isinstance(parse_event(line(**{key: value})), BadLine)


@given(st.binary(max_size=200))
def test_any_bytes_give_a_value(data: bytes) -> None:
    assert isinstance(parse_event(data), (Event, BadLine))


@pytest.mark.parametrize(
    "text, ms",
    [
        ("1970-01-01T00:00:01Z", 1000),
        ("1970-01-01T00:00:01.250+00:00", 1250),
        ("1970-01-01T05:30:00+05:30", 0),
        ("2026-02-30T00:00:00Z", None),
        ("2026-02-01T00:00:00", None),
        ("2026-02-01T00:00:00+0530", None),
        ("2026-02-01 00:00:00Z", None),
        ("2026-02-01T00:00Z", None),
        ("2026-02-01T00:00:60Z", None),
        ("2026-02-01", None),
        ("20260201T000000Z", None),
        ("２026-02-01T00:00:00Z", None),
    ],
)
def test_a_time_has_its_seconds_and_its_zone(text: str, ms: int | None) -> None:
    assert moment_ms(text) == ms


NOW = 1_767_225_600_123
PROJECT = "0" * 64
ENVELOPE = jsonschema_rs.validator_for(
    json.loads((files("cairn.core") / "schemas/event.schema.json").read_text("utf-8"))
)
PAYLOADS = json.loads((files("cairn.core") / "schemas/event-payloads.schema.json").read_text("utf-8"))["$defs"]
TURN = {"turn_id": "claude:s1:m1", "source": "claude", "agent": "claude-code", "session": "s1", "turn_number": 3}

EXAMPLES: dict[str, dict[str, object]] = {
    "scan_completed": {"nodes": 3, "links": 2, "active_provider": None, "roots": ["docs"], "duration_ms": 12},
    "rename_recorded": {"from": "a.md", "to": "b.md", "confidence": "high"},
    "rename_undone": {"from": "a.md", "to": "b.md"},
    "reconciled": {"from": "a.md", "to": "b.md"},
    "orphan_forgotten": {"path": "a.md"},
    "entry_stamped": {"path": "knowledge/a.md", "corpus": "knowledge", "sources": 2},
    "change_opened": {"id": "c-1", "origin": "freshness", "subject": "ovens", "level": "pass", "paths": ["a.md"]},
    "change_held": {"origin": "curate", "subject": "ovens", "reason": "10 are open"},
    "change_merged": {"id": "c-1", "origin": "freshness", "subject": "ovens", "commit": "a" * 40, "by": "ada"},
    "change_closed": {"id": "c-1", "origin": "freshness", "subject": "ovens", "by": "ada"},
    "change_reverted": {"id": "c-1", "by": "ada", "revert": "c-2"},
    "freshness_run": {"provider": "extractive", "entries": 3, "opened": ["c-1"], "failed": 0, "dollars": None},
    "init": {"version": "1.0", "corpora": ["knowledge"], "written": [".cairn/settings.json"]},
    "uninstall": {"version": "1.0", "removed": []},
    "turn_begun": {"turn_id": "claude:s1:1-abc", "source": "claude", "session": "s1", "transcript": "~/x.jsonl"},
    "turn_eligible": {**TURN, "transcript": "~/x.jsonl", "start": 0, "end": 99, "tools": ["Bash"], "tool_errors": 0},
    "turn_dispatched": {"turn_id": "t", "source": "cli", "skip_reason": None},
    "turn_started": {"turn_id": "t", "source": "cli", "attempt": 1, "has_skip_reason": False},
    "turn_retrying": {"turn_id": "t", "source": "cli", "attempt": 2, "error": "store_locked"},
    "turn_completed": {**TURN, "summary": "Mended it.", "evidence": ["commit:abc"], "score": 70, "taint": "model"},
    "turn_skipped": {**TURN, "skip_reason": "no-new-information", "duplicate_of": None},
    "turn_failed": {**TURN, "error": "missing_summary", "attempt": 1},
    "turn_interrupted": {**TURN, "error": "interrupted", "attempt": 1},
    "watchdog_checked": {"verdict": "fine", "eligible": 4, "completed": 4, "ratio": 1.0, "window_hours": 24},
    "alert_raised": {"key": "unaccounted:claude", "kind": "unaccounted", "severity": "warn", "text": "2 of 9"},
    "alert_resolved": {"key": "unaccounted:claude", "kind": "unaccounted"},
    "target_cleared": {"target": "deploy to staging", "by": "ada"},
    "session_spooled": {"host": "codex", "session": "s1", "transcript": "~/t.jsonl", "size": 9, "cwd": "~/app"},
    "session_captured": {"host": "codex", "session": "s1", "log": ".cairn/sessions/s1.md", "segments": 4},
    "agent_installed": {"agent": "claude", "files": [".claude/settings.json"], "version": "1.0"},
    "agent_uninstalled": {"agent": "claude", "files": [], "version": "1.0"},
    "tools_listed": {"client": "claude-code"},
    "task_claimed": {"task_id": "T-1", "task_title": "Ovens", "wave": 2},
    "task_completed": {"task_id": "T-1", "outcome": "pr_submitted", "pr_number": 7, "commit_sha": "a" * 40},
    "decision_recorded": {"key": "one-queue", "summary": "One queue.", "affects": ["orders"], "links": []},
    "blocker_hit": {"kind": "external", "summary": "The provider is down."},
    "blocker_resolved": {"summary": "It is up.", "references": ["T-1"]},
    "pr_opened": {"task_id": None, "pr_number": 7},
    "progress_heartbeat": {"note": "half of it"},
    "phase_completed": {"phase": "phase-2"},
    "finding_acknowledged": {"task_id": None, "finding_id": "0" * 16, "status": "acknowledged", "severity": "P2"},
    "knowledge_gap_signal": {"topic": "rate-limits", "source": "manual", "project_id": PROJECT, "step_name": "plan"},
    "audit_completed": {"report_id": "r1", "verdict": "pass", "findings": 0, "blocking": 0},
    "ballot_cast": {
        "entry": "knowledge/ovens.md",
        "revision": "a" * 40,
        "verdict": "reject",
        "reason": "It is 230 now.",
        "anchor": "entry:knowledge/ovens.md@r1",
        "founding": "0" * 16,
        "voter": "0" * 15 + "7",
        "source": "person",
    },
    "artefact_changed": {
        **dict.fromkeys(("snapshot", "good_status", "good_content", "good_revision", "good_snapshot", "patches"), ""),
        **dict.fromkeys(("good_rev", "hold", "struck_rev"), 0),
        **dict.fromkeys(("reason", "rejected", "restored")),
        **dict.fromkeys(("founding", "content", "submitter"), "0" * 16),
        "artefact": "knowledge/ovens.md",
        "kind": "entry",
        "status": "alpha",
        "version": "0.1.0",
        "rev": 1,
        "anchor": "entry:knowledge/ovens.md@r1",
        "revision": "a" * 40,
        "seen_status": "alpha",
        "since_ms": 1,
        "landed": 1,
        "transition": "enroll",
        "by": "person",
        "strikes": [],
    },
    "search_asked": {"question": "which oven", "surface": "cli", "fits": True, "hits": 2, "paths": ["a.md"]},
    "page_read": {"path": "a.md", "surface": "mcp", "session": None, "revision": "a" * 40},
    "forgotten": {"events": 1, "sessions": 0, "notes": 1, "snapshots": 0, "reason": "a person asked"},
}


@pytest.mark.parametrize("kind", EVENT_TYPES)
def test_every_type_has_a_schema_with_the_same_fields(kind: str) -> None:
    _, line = make_line({"type": kind, "payload": EXAMPLES[kind]}, worktree="app-00", now_ms=NOW)
    ENVELOPE.validate(json.loads(line))
    assert payload_problems(kind, EXAMPLES[kind]) == []
    assert set(field_schemas(kind)) == EVENT_TYPES[kind]
    assert set(needed_fields(kind)) <= EVENT_TYPES[kind]
    assert PAYLOADS[kind]["additionalProperties"] is False


def test_the_schema_knows_no_other_types() -> None:
    assert {name for name, schema in PAYLOADS.items() if "properties" in schema} == set(EVENT_TYPES)


GAP = EXAMPLES["knowledge_gap_signal"]
BAD: list[tuple[str, dict[str, Any], str]] = [
    ("task_claimed", {}, "task_title is missing"),
    ("task_claimed", {"task_title": "x", "task_id": None}, "a task has a `task_id`, or is `unplanned`: true"),
    ("task_completed", {"outcome": "done"}, "outcome must be one of pr_submitted, dropped, superseded"),
    ("task_completed", {"outcome": "pr_submitted"}, "pr_number is missing"),
    ("task_completed", {"outcome": "dropped", "pr_number": 0}, "pr_number must be 1 or more"),
    ("task_completed", {"outcome": "dropped", "commit_sha": "x"}, "commit_sha must be 7 to 64 hexadecimal digits"),
    ("decision_recorded", {"key": "k", "summary": "s" * 501, "affects": []}, "summary may have at most 500 characters"),
    ("decision_recorded", {"key": "k", "summary": "s", "affects": "x"}, "affects must be a list"),
    ("decision_recorded", {"key": "k", "summary": "s", "affects": [3]}, "affects each of its items must be a text"),
    ("blocker_hit", {"kind": "x", "summary": ""}, "summary must not be empty"),
    ("blocker_hit", {"kind": "x", "summary": "s"}, "kind must be one of dependency, ambiguity, external, environment"),
    ("progress_heartbeat", {"note": "n" * 201}, "note may have at most 200 characters"),
    ("finding_acknowledged", {"finding_id": "0" * 16, "status": "open", "task_id": "T"}, "task_id must be null"),
    ("finding_acknowledged", {"finding_id": "x", "status": "open"}, "16 hexadecimal digits"),
    ("knowledge_gap_signal", {**GAP, "topic": "Rate Limits"}, "topic must be small letters and digits"),
    ("knowledge_gap_signal", {**GAP, "topic": "a--b"}, "topic must be small letters"),
    ("knowledge_gap_signal", {**GAP, "topic": "x" * 81}, "topic may have at most 80 characters"),
    ("knowledge_gap_signal", {**GAP, "source": "guess"}, "source must be one of agent_search, lessons, manual"),
    ("knowledge_gap_signal", {**GAP, "project_id": "lessons"}, "project_id must be 64 hexadecimal digits"),
    ("knowledge_gap_signal", {**GAP, "source": "lessons"}, "project_id must be 64 hexadecimal digits"),
    ("knowledge_gap_signal", {**GAP, "agent_excerpt": "x" * 201}, "agent_excerpt may have at most 200 characters"),
    ("knowledge_gap_signal", {**GAP, "secret": 1}, "secret is no field of this type"),
    (
        "search_asked",
        {"question": "q" * 201, "surface": "cli", "fits": True},
        "question may have at most 200 characters",
    ),
    ("page_read", {"path": "a.md", "surface": "mail"}, "surface must be one of cli, mcp, http"),
    ("turn_completed", {**TURN, "summary": "s", "evidence": ["a"] * 2}, "evidence may say each thing once"),
    ("turn_completed", {**TURN, "summary": "s", "evidence": [str(n) for n in range(31)]}, "may have at most 30 items"),
    ("turn_completed", {**TURN, "summary": "s", "score": 101}, "score must be 100 or less"),
    ("turn_completed", {**TURN, "summary": "s", "occurred_at": "now"}, "occurred_at must be a time such as"),
    ("turn_skipped", {**TURN, "skip_reason": "Because I say"}, "skip_reason must be words with hyphens"),
    ("turn_eligible", {**TURN, "turn_number": -1}, "turn_number must be 0 or more"),
    ("turn_eligible", {**TURN, "internal": 1}, "internal must be true or false"),
    ("turn_eligible", {**TURN, "schema_version": 2}, "schema_version must be 1"),
    ("watchdog_checked", {"verdict": "x", "window_hours": 0}, "window_hours must be more than 0"),
]


@pytest.mark.parametrize(("kind", "payload", "words"), BAD, ids=[case[2][:40] for case in BAD])
def test_what_is_wrong_is_said_in_words(kind: str, payload: dict[str, Any], words: str) -> None:
    told = [f"{problem.field} {problem.text}".strip() for problem in payload_problems(kind, payload)]
    assert any(words in sentence for sentence in told), told


@pytest.mark.parametrize("topic", ["rate-limits", "3d", "überlauf", "日本語-検索", "مرحبا"])
def test_topics_keep_the_letters_of_every_script(topic: str) -> None:
    assert payload_problems("knowledge_gap_signal", {**GAP, "topic": topic}) == []


def test_every_rule_has_words_of_its_own() -> None:
    """A sentence that ends in `None` would mean a rule without a description."""
    for kind in EVENT_TYPES:
        for field, schema in field_schemas(kind).items():
            assert "pattern" not in schema or schema.get("description"), (kind, field)
