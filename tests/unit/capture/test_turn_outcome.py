"""One outcome for each turn, under any order and repetition of requests; and the tables that events make."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cairn.adapters.storage.sqlite.store import open_memory
from cairn.capture.turn_outcome import ATTEMPTS, Policy, ProcessedTurn, TurnStanding, failed, fitted, process, title_of
from cairn.capture.turn_request import settled
from cairn.capture.turn_rows import apply_turns
from cairn.core.model.change import Taint
from cairn.core.model.event import payload_problems
from cairn.core.model.session import ToolCall, TurnOutcome, TurnRequest
from cairn.core.ports.ledger import LedgerEventRow
from cairn.journal import TURN_LIMIT, iso_utc, make_line
from snapshot import rows

LONG = "The importer reads latin-1 as UTF-8 and loses rows without a word."
NOW = 1_770_000_000_000


class Remembers:
    """A memory that is told."""

    def __init__(
        self, standing: TurnStanding | None = None, *, said: str | None = None, told: str | None = None
    ) -> None:
        self._standing, self._said, self._told = standing or TurnStanding(), said, told

    def standing(self, turn_id: str) -> TurnStanding:
        return self._standing

    def said_by(self, source: str, session: str, fingerprint: str) -> str | None:
        return self._said

    def told_by(self, gist: str) -> str | None:
        return self._told

    def recent_words(self) -> list[frozenset[str]]:
        return []


def turn(**given: Any) -> TurnRequest:
    return TurnRequest(**{"turn_id": "t1", "source": "claude", "agent": "claude", "summary": LONG, **given})


def done(request: TurnRequest, memory: Remembers | None = None, **options: Any) -> ProcessedTurn:
    policy = options.pop("policy", Policy())
    return process(request, memory=memory or Remembers(), policy=policy, now_ms=NOW, **options)


def kinds(processed: ProcessedTurn) -> list[str]:
    return [kind for kind, _ in processed.events]


def test_a_note_is_eligible_and_completed_at_once() -> None:
    found = done(turn(evidence=("commit:4f2a91c",), tools=(ToolCall("Bash", ok=False),)))
    assert kinds(found) == ["turn_eligible", "turn_completed"]
    assert found.written == found.written._replace(outcome=TurnOutcome.COMPLETED, result="inserted", note="turn:t1")
    for kind, payload in found.events:
        assert payload_problems(kind, payload) == []
        assert payload["turn_id"] == "t1"
    assert found.events[1][1]["context"] == {"tool_names": ["Bash"]}
    assert found.events[0][1]["tool_errors"] == 1


COMPLETED = TurnStanding(True, "completed", "", "other", 2, 50)
SKIPPED, FAILED = TurnStanding(True, "skipped", "duplicate-signal"), TurnStanding(True, "failed", "transcript_missing")
AGAIN: list[tuple[TurnStanding, dict[str, Any], str, list[str]]] = [
    (COMPLETED, {"summary": "Other words than before, and more of them."}, "updated", ["turn_completed"]),
    (COMPLETED, {"skip_reason": "no-new-information"}, "unchanged", []),
    (COMPLETED, {"summary": None}, "unchanged", []),
    (SKIPPED, {"skip_reason": "no-new-information"}, "duplicate-signal", []),
    (SKIPPED, {}, "inserted", ["turn_completed"]),
    (SKIPPED, {"summary": None}, "duplicate-signal", []),
    (FAILED, {}, "inserted", ["turn_completed"]),
    (FAILED, {"skip_reason": "no-new-information"}, "no-new-information", ["turn_skipped"]),
    (FAILED, {"summary": None}, "transcript_missing", []),
    (TurnStanding(eligible=True), {}, "inserted", ["turn_completed"]),
]


@pytest.mark.parametrize(("before", "given", "result", "events"), AGAIN)
def test_the_same_turn_said_again(before: TurnStanding, given: dict[str, Any], result: str, events: list[str]) -> None:
    found = done(turn(**given), Remembers(before))
    assert (found.written.result, kinds(found)) == (result, events)
    if result == "updated":
        assert found.events[0][1]["revision"] == 3


def test_what_was_said_before_is_counted_there() -> None:
    for memory in (Remembers(said="t0"), Remembers(told="t0")):
        found = done(turn(), memory)
        assert kinds(found) == ["turn_eligible", "turn_skipped"]
        assert (found.written.result, found.written.duplicate_of) == ("duplicate-signal", "t0")
        assert found.events[1][1]["fingerprint"]
    assert done(turn(), Remembers(said="t1")).written.result == "inserted"
    assert done(turn(tags=("keep",)), Remembers(said="t0")).written.result == "inserted", "somebody asked to keep it"


def test_what_cannot_be_accepted_fails_once_and_for_all() -> None:
    assert done(turn(skip_reason="lunch")).written.result == "invalid_skip_reason"
    assert done(turn(type="poem")).written.result == "invalid_type"
    found = done(turn(summary=" "))
    assert (found.written.outcome, kinds(found)) == (TurnOutcome.FAILED, ["turn_eligible", "turn_failed"])


def test_only_the_last_attempt_has_failed() -> None:
    events = [failed(turn(), "transcript_missing", attempt=n, policy=Policy()) for n in range(1, ATTEMPTS + 1)]
    assert [kind for kind, _ in events] == ["turn_retrying", "turn_retrying", "turn_failed"]
    for kind, payload in events:
        assert payload_problems(kind, payload) == []


VISIBLE: list[tuple[dict[str, Any], int, str, int | None]] = [
    ({}, 30, "normal", None),
    ({}, 60, "low", 14),
    ({"taint": Taint.PERSON}, 60, "normal", None),
    ({"type": "lesson"}, 60, "normal", None),
    ({"type": "failed_target"}, 30, "normal", 7),
    ({"tags": ("keep",)}, 60, "normal", None),
    ({"type": "failed_target", "tags": ("keep-map",)}, 60, "normal", None),
]


@pytest.mark.parametrize(("given", "threshold", "visibility", "days"), VISIBLE)
def test_who_sees_a_note_and_how_long(given: dict[str, Any], threshold: int, visibility: str, days: int | None) -> None:
    payload = done(turn(**given), policy=Policy(threshold=threshold)).events[1][1]
    assert payload["visibility"] == visibility
    assert payload.get("expires_at") == (None if days is None else iso_utc(NOW + days * 86_400_000))


def test_everything_fits_into_a_line() -> None:
    huge = turn(
        summary="🌋" * 5_000,
        decision="🌋" * 2_000,
        evidence=tuple(f"{n}{'🌋' * 200}" for n in range(40)),
        tags=tuple(f"{n}{'🌋' * 200}" for n in range(40)),
        agent="🌋" * 300,
        context={"project": "🌋" * 900, "target": "🌋" * 900},
    )
    found = done(huge)
    for kind, payload in found.events:
        timed = payload if kind == "turn_eligible" else {**payload, "duration_ms": 99}
        _, line = make_line({"type": kind, "payload": timed}, worktree="w" * 60, now_ms=NOW)
        assert len(line) <= TURN_LIMIT
    same = TurnStanding(True, "completed", "", "", 1, 50)
    again = done(huge, Remembers(replace_digest(same, found)))
    assert again.written.result == "unchanged"


def replace_digest(standing: TurnStanding, processed: ProcessedTurn) -> TurnStanding:
    from cairn.core.fingerprint import note_digest

    return standing._replace(digest=note_digest(processed.events[1][1]))


def test_what_fits_is_left_alone() -> None:
    assert fitted({"summary": "x"}) == {"summary": "x"}


TITLES = [
    ("# Rows are lost\n\nBecause …", "Rows are lost"),
    ("- one\n- two", "one"),
    ("w" * 200, "w" * 99 + "…"),
    ("##", "##"),
]


@pytest.mark.parametrize(("summary", "title"), TITLES)
def test_a_title_says_what_it_is_about(summary: str, title: str) -> None:
    assert title_of(summary) == title


# --- any order ------------------------------------------------------------------------------------------------------

REQUESTS = st.builds(
    turn,
    turn_id=st.sampled_from(["t1", "t2", "t3"]),
    summary=st.sampled_from([None, LONG, "Short.", "Another thing entirely, with enough words to be kept."]),
    skip_reason=st.sampled_from([None, None, None, "duplicate-signal", "lunch"]),
    session=st.sampled_from([None, "s1"]),
    decision=st.sampled_from([None, "Keep it."]),
    channel=st.sampled_from([None, "slack"]),
    type=st.sampled_from([None, "lesson"]),
)


class Table(Remembers):
    """A memory that lives off the events so far, as the real one does."""

    def __init__(self) -> None:
        super().__init__()
        self.store: Any = open_memory()

    def take(self, events: list[LedgerEventRow]) -> None:
        apply_turns(self.store, events)

    def standing(self, turn_id: str) -> TurnStanding:
        from cairn.core.fingerprint import note_digest

        row = self.store.turns.turn_rows([turn_id]).get(turn_id)
        note = self.store.turns.note_rows([turn_id]).get(turn_id)
        if row is None:
            return TurnStanding()
        if note is None:
            return TurnStanding(row.eligible_at_ms is not None, row.outcome, row.reason)
        said = {**note._asdict(), **{name: json.loads(getattr(note, name)) for name in ("evidence", "tags", "context")}}
        return TurnStanding(True, row.outcome, "", note_digest(said), note.revision, note.score)


def lived(requests: list[TurnRequest]) -> tuple[Table, list[LedgerEventRow]]:
    memory = Table()
    found: list[LedgerEventRow] = []
    for request in requests:
        fresh = []
        for kind, payload in done(request, memory, automatic=request.summary == "Short.").events:
            at = NOW + len(found) + len(fresh)
            fresh.append(LedgerEventRow(f"id{at}", kind, at, "w", "f", 0, json.dumps(payload)))
        memory.take(fresh)
        found += fresh
    return memory, found


def tables(store: Any) -> dict[str, Any]:
    """All but the numbers of notes, which follow the order of arrival."""
    store.turns.add_words()
    turns = rows(store, "SELECT t.*, f.* FROM index_turns t JOIN index_facts f ON f.number = t.facts")
    notes = rows(store, "SELECT n.*, f.* FROM index_notes n JOIN index_facts f ON f.number = n.facts")
    names = ("index_note_text", "index_alerts", "index_cleared")
    return {"turns": sorted(turns, key=repr), "notes": sorted((row[1:] for row in notes), key=repr)} | {
        name: sorted(rows(store, f"SELECT * FROM {name}"), key=repr) for name in names
    }


@settings(deadline=None, max_examples=60)
@given(st.lists(REQUESTS, max_size=12), st.randoms(use_true_random=False))
def test_each_turn_has_one_outcome_and_the_order_of_events_says_nothing(
    requests: list[TurnRequest], chance: Any
) -> None:
    memory, events = lived(requests)
    known = {row.turn_id: row for row in memory.store.turns.turn_rows(["t1", "t2", "t3"]).values()}
    assert set(known) == {request.turn_id for request in requests}
    assert all(row.outcome in ("completed", "skipped", "failed") for row in known.values())
    assert all(row.eligible_at_ms is not None for row in known.values())
    ended = [event for event in events if event.type == "turn_completed"]
    for turn_id in known:
        revisions = [json.loads(e.payload)["revision"] for e in ended if json.loads(e.payload)["turn_id"] == turn_id]
        assert revisions == list(range(1, len(revisions) + 1))
        eligible = [e for e in events if e.type == "turn_eligible" and json.loads(e.payload)["turn_id"] == turn_id]
        assert len(eligible) == 1
    shuffled = [*events, *chance.choices(events, k=5)] if events else []
    chance.shuffle(shuffled)
    other = open_memory()
    cut = chance.randint(0, len(shuffled))
    for batch in (shuffled[:cut], shuffled[cut:]):
        apply_turns(other, batch)
    assert tables(other) == tables(memory.store)


def test_a_note_that_was_written_first_keeps_its_time() -> None:
    _, events = lived([turn(), turn(summary=f"{LONG} Twice."), turn(summary=f"{LONG} Thrice.")])
    memory = open_memory()
    apply_turns(memory, events[::-1])
    note = memory.turns.note_rows(["t1"])["t1"]
    assert (note.revision, note.created_at_ms, note.updated_at_ms) == (3, events[1].at_ms, events[3].at_ms)
    assert note.summary.endswith("Thrice.")


ODD: list[dict[str, Any]] = [
    {},
    {"turn_id": 3},
    {"turn_id": "x" * 999},
    {"turn_id": ""},
]


@pytest.mark.parametrize("payload", ODD)
def test_events_of_nobody_are_passed_over(payload: dict[str, Any]) -> None:
    memory = open_memory()
    apply_turns(memory, [LedgerEventRow("i", "turn_completed", NOW, "w", "f", 0, json.dumps(payload))])
    assert rows(memory, "SELECT count(*) FROM index_turns") == [(0,)]


def test_nonsense_in_fields_is_read_as_nothing() -> None:
    fields = (
        "source",
        "summary",
        "turn_number",
        "evidence",
        "tags",
        "context",
        "score",
        "revision",
        "expires_at",
        "attempt",
    )
    payload = {"turn_id": "t", **{name: [1, {"x": 2}] for name in fields}, "evidence": 3, "context": "c", "session": 4}
    memory = open_memory()
    apply_turns(memory, [LedgerEventRow("i", "turn_completed", NOW, "w", "f", 0, json.dumps(payload))])
    note = memory.turns.note_rows(["t"])["t"]
    assert (note.source, note.summary, note.evidence, note.context, note.score) == ("unknown", "", "[]", "{}", 0)


def test_the_settled_request_is_what_is_kept() -> None:
    request = turn(agent="  ")
    assert done(request).events[1][1]["agent"] == settled(request).agent == "unknown"
