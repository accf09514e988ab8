"""When an agent is reminded of sessions that wait, how loudly, and how often."""

from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from cairn.adapters.clock.memory import SettableClock
from cairn.app.build import App, build_app
from cairn.capture.capture_session import capture_session
from cairn.curate.pending_candidates import (
    PAUSE_MS,
    CurationReminders,
    Queue,
    curation,
    is_reminder_due,
    nudge_of,
    nudged,
)
from cairn.curate.propose import ProposeOptions, propose_sessions
from cairn.graph.run_scan import run_scan
from cairn.retrieve.context import ContextOptions, context
from host_lines import claude, joined

TODAY = date(2026, 11, 16)


@pytest.mark.parametrize(
    ("queue", "said"),
    [
        (Queue(0, ""), ""),
        (Queue(4, "2020-01-01"), ""),
        (Queue(5, "2026-11-15T10:00:00Z"), "5 sessions wait for the curator; mention `cairn curate`"),
        (Queue(9, ""), "9 sessions wait"),
        (Queue(5, "2026-11-09"), "IMPORTANT, tell the user: 5 sessions wait for the curator, the oldest for 7 days;"),
        (Queue(10, "2026-11-16"), "IMPORTANT, tell the user: 10 sessions wait for the curator; what they taught"),
        (Queue(5, "no date"), "5 sessions wait for the curator; mention"),
    ],
)
def test_quiet_and_loud(queue: Queue, said: str) -> None:
    found = curation(queue, 5, TODAY)
    assert found.startswith(said)
    assert bool(found) == bool(said)
    assert "\n" not in found


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    (tmp_path / ".cairn").mkdir()
    (tmp_path / ".cairn/settings.json").write_text('{"curate": {"threshold": 2}}')
    with closing(build_app(tmp_path, env={}, clock=SettableClock())) as made:
        run_scan(made, made.scan_request(), take_first=True, remember=False)
        yield made


LONG = "The dough needs twelve hours at twenty degrees, whatever the recipe says. " * 10


def hear(app: App, session: str, rule: str) -> None:
    file = app.root / f"{session}.jsonl"
    lines = (claude("user", "Bake bread, please."), claude("assistant", LONG), claude("user", rule, uuid="u2"))
    file.write_bytes(joined(lines))
    capture_session(app, "claude", session, file, "stop")
    propose_sessions(app, ProposeOptions())


def test_sessions_are_counted_and_told_of_once_an_hour(app: App) -> None:
    hear(app, "s1", "Remember: bake with rye.")
    assert nudge_of(app).endswith(" 1 session is waiting to be read: run `cairn judge`, or ask your agent to.")
    hear(app, "s2", "Remember: salt from the tin is never used.")
    assert nudge_of(app) == "2 sessions wait for the curator; mention `cairn curate` to the user when it fits."
    first, second = (context(app, ContextOptions(), reminders=CurationReminders(app)) for _ in range(2))
    assert first.nudge in first.text
    assert (bool(first.nudge), second.nudge, is_reminder_due(app)) == (True, "", False)
    assert isinstance(app.clock, SettableClock)
    app.clock.advance(PAUSE_MS)
    assert is_reminder_due(app)
    assert context(app, ContextOptions()).nudge == ""
    assert (
        context(app, ContextOptions(budget=15), reminders=CurationReminders(app)).nudge == ""
    )  # no room, so nobody was reminded
    assert is_reminder_due(app)


def test_pages_that_were_not_linted_for_long(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cairn.curate.pending_candidates.lint_due", lambda _: 51)
    assert nudge_of(app) == "51 sessions since pages were last linted; `cairn lint` finds what no longer fits together."


def test_being_reminded_is_written_down_where_nothing_was(app: App) -> None:
    assert is_reminder_due(app)
    nudged(app)
    assert not is_reminder_due(app)
