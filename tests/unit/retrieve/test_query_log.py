"""The log of questions: what it keeps, what it never keeps, and that it is in nobody's way."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cairn.adapters.clock.memory import SettableClock
from cairn.app.build import App, build_app
from cairn.capture.note import write_turn
from cairn.capture.retention import expire
from cairn.core.ledger_events import events_of
from cairn.core.model.event import payload_problems
from cairn.core.model.session import TurnRequest
from cairn.core.ports.runtime import TelemetryRecord
from cairn.core.ports.search import DAY_MS
from cairn.core.search_query import Filters
from cairn.graph.run_scan import run_scan
from cairn.journal import hold
from cairn.lib.scrub.find import redact
from cairn.lib.scrub.rules import GENERIC
from cairn.observe.collect import collect
from cairn.retrieve.query_log import is_plain, kept_question, told_read, told_search
from cairn.retrieve.search import run_search
from cairn.workspace.forget.run import forget
from cairn.workspace.forget.selection import wanted_session, wanted_text
from signals import NOW

ANYWHERE = Filters()
PAGES = {"ovens": "The ovens run at 230 degrees.", "flour": "Rye comes from the mill."}


def workspace(root: Path, settings: dict[str, Any] | None = None, **env: str) -> App:
    known = {"corpora": {"knowledge": {"root": "knowledge", "layout": "entries"}}, **(settings or {})}
    for name, text in PAGES.items():
        (root / f"knowledge/{name}.md").parent.mkdir(parents=True, exist_ok=True)
        (root / f"knowledge/{name}.md").write_text(f"---\nname: {name}\n---\n# {name}\n\n{text}\n")
    (root / ".cairn").mkdir(parents=True, exist_ok=True)
    (root / ".cairn/settings.json").write_text(json.dumps(known))
    app = build_app(root, env=env, clock=SettableClock(NOW), installed=False, tracked=lambda _: [])
    run_scan(app, app.scan_request(), remember=False)
    return app


def ask(app: App, question: str, filters: Filters = ANYWHERE, session: str | None = None) -> None:
    told_search(app, question, run_search(app, question, filters), surface="cli", session=session)


def events(app: App, kind: str) -> list[dict[str, Any]]:
    app.index_ledger()
    return [json.loads(row.payload) for row in events_of(app.ledger, app.store, types=(kind,))]


def test_a_question_is_kept_with_what_came_of_it(tmp_path: Path) -> None:
    app = workspace(tmp_path)
    ask(app, "  which degrees do   the ovens have?", session="s1")
    assert events(app, "search_asked") == [
        {
            "question": "which degrees do the ovens have?",
            "surface": "cli",
            "session": "s1",
            "fits": True,
            "miss": False,
            "hits": 1,
            "paths": ["knowledge/ovens.md"],
        }
    ]


@pytest.mark.parametrize(
    ("question", "filters", "missed"),
    [
        ("kubernetes ingress", Filters(), True),
        ("kubernetes ingress", Filters(paths=("knowledge/",)), False),
        ("ovens degrees", Filters(), False),
        (f"kubernetes {'ingress ' * 40}", Filters(), False),
    ],
    ids=["nobody wrote of it", "it may be behind the filter", "answered", "far too long"],
)
def test_what_counts_as_a_miss(tmp_path: Path, question: str, filters: Filters, missed: bool) -> None:
    app = workspace(tmp_path)
    ask(app, question, filters)
    assert [said["miss"] for said in events(app, "search_asked")] == [missed]


def test_what_is_held_back_is_no_miss(tmp_path: Path) -> None:
    page = tmp_path / "knowledge/secret.md"
    page.parent.mkdir()
    page.write_text("---\nname: ingress\nstatus: quarantined\n---\n# Kubernetes ingress\n\nKubernetes ingress.\n")
    app = workspace(tmp_path)
    ask(app, "kubernetes ingress")
    assert [said["miss"] for said in events(app, "search_asked")] == [False]


def test_readings_are_counted_by_reader_and_day(tmp_path: Path) -> None:
    app = workspace(tmp_path, CLAUDE_CODE_SESSION_ID="around")
    for session in (None, "s1", "s1", None):
        told_read(app, "knowledge/ovens.md", surface="mcp", session=session, revision="a" * 40)
    assert [said["session"] for said in events(app, "page_read")] == ["around", "s1", "s1", "around"]
    assert app.store.usage.counts(["knowledge/ovens.md", "knowledge/flour.md"])["knowledge/ovens.md"].reads == 2


SWITCHES: list[tuple[dict[str, Any], dict[str, str]]] = [
    ({"retrieve": {"log": False}}, {}),
    ({}, {"CAIRN_OFF": "1"}),
    ({}, {"CAIRN_INTERNAL": "1"}),
]


@pytest.mark.parametrize(("settings", "env"), SWITCHES, ids=["setting", "off", "internal"])
def test_switched_off_nothing_is_written(tmp_path: Path, settings: dict[str, Any], env: dict[str, str]) -> None:
    app = workspace(tmp_path, settings, **env)
    ask(app, "kubernetes ingress")
    told_read(app, "knowledge/ovens.md", surface="cli")
    assert not (tmp_path / ".cairn/ledger").exists()


# --- in nobody's way ------------------------------------------------------------------------------------------------


def test_a_ledger_that_cannot_be_written_is_no_reason_to_fail(tmp_path: Path) -> None:
    app = workspace(tmp_path)
    (tmp_path / ".cairn/ledger").write_text("somebody's file")
    ask(app, "kubernetes ingress")
    told_read(app, "knowledge/ovens.md", surface="cli")
    assert (tmp_path / ".cairn/ledger").read_text() == "somebody's file"


def test_nobody_waits_for_a_ledger_that_somebody_else_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = workspace(tmp_path)
    answer = run_search(app, "ovens", ANYWHERE)
    told_search(app, "ovens", answer, surface="cli")
    slept: list[float] = []
    lock = hold(str(tmp_path / ".cairn/ledger"))
    monkeypatch.setattr("cairn.journal.time.sleep", slept.append)
    monkeypatch.setattr("cairn.journal.time.monotonic", lambda: sum(slept))
    told_search(app, "stoves", answer, surface="cli")
    monkeypatch.undo()
    os.close(lock)
    assert 0 < sum(slept) < 0.1
    assert [said["question"] for said in events(app, "search_asked")] == ["ovens"]


def test_what_is_too_long_is_cut_so_that_the_ledger_is_sound(tmp_path: Path) -> None:
    app = workspace(tmp_path)
    ask(app, "ovens", session="s" * 5000)
    told_read(app, "knowledge/ovens.md", surface="mcp", session="s" * 5000)
    for kind in ("search_asked", "page_read"):
        (said,) = events(app, kind)
        assert payload_problems(kind, said) == []


@pytest.mark.parametrize("question", ["half \ud800 a letter", "\0\x1b[31m", "x" * 100_000, '"' * 500, "‮"])
def test_odd_questions_leave_sound_lines(tmp_path: Path, question: str) -> None:
    app = workspace(tmp_path)
    told_search(app, question, run_search(app, "ovens", Filters()), surface="mcp")
    assert len(events(app, "search_asked")) == 1


# --- nothing private ------------------------------------------------------------------------------------------------


def test_secrets_are_taken_out_before_anything_is_cut() -> None:
    key = "AKIA" + "QW3E5RTY7UIO2PAS"
    assert key[:8] not in kept_question(f"why is {key} refused")
    assert key[:8] not in kept_question(f"{'very ' * 38}{key}")
    assert len(kept_question("words " * 50_000)) == 200


TRIGGERS = sorted({word for rule in GENERIC for word in (*rule.literals, *rule.words) if word.isalpha()})
WORD = st.text(st.characters(categories=("Lu", "Ll", "Lo", "Lt")), min_size=1, max_size=15)
WORDS = st.lists(WORD | st.sampled_from(TRIGGERS) | st.text("ABXYZabxyz", min_size=9, max_size=15), max_size=12)


@given(WORDS, st.sampled_from([" ", ", ", "? ", ": ", "-", "'"]))
def test_plain_words_need_no_rules(words: list[str], between: str) -> None:
    """What `kept_question` leaves to itself the rules would leave as it is."""
    question = " ".join(between.join(words).split())
    assume(is_plain(question))
    assert redact(question).text == question


@pytest.mark.parametrize(
    "name", ["HASŁA", "hesla", "lösenordet", "пароля", "şifresi", "palavra-passe", "psk", "клавиша"]
)
def test_a_name_of_a_secret_in_any_language_needs_the_rules(name: str) -> None:
    """The last one is a key of a keyboard."""
    assert is_plain(f"{name} AAAAABBBBAAFCJ") is (name == "клавиша")


def test_it_stays_where_it_was_asked(tmp_path: Path) -> None:
    theirs, ours = workspace(tmp_path / "theirs"), workspace(tmp_path / "ours")
    ask(theirs, "kubernetes ingress")
    told_read(theirs, "knowledge/ovens.md", surface="cli")
    theirs.ledger.append("orphan_forgotten", {"path": "a.md"}, now_ms=NOW)
    (file,) = collect(ours, [tmp_path / "theirs"]).files
    assert (file.taken, dict(file.refused)) == (1, {})
    kept = b"".join(path.read_bytes() for path in (tmp_path / "ours/.cairn/ledger").rglob("*.jsonl"))
    assert b"orphan_forgotten" in kept
    assert b"kubernetes" not in kept
    assert b"page_read" not in kept


class Listening:
    """Telemetry that somebody switched on."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def write(self, records: Sequence[TelemetryRecord], *, took_ms: float) -> None:
        self.heard += [record.action for record in records]

    def close(self) -> None: ...


def test_telemetry_hears_of_turns_and_not_of_questions(tmp_path: Path) -> None:
    app, listening = workspace(tmp_path), Listening()
    app.__dict__["telemetry"] = listening
    ask(app, "kubernetes ingress")
    told_read(app, "knowledge/ovens.md", surface="cli")
    assert listening.heard == []
    write_turn(app, TurnRequest(turn_id="t", source="cli", agent="cli", summary="The importer loses rows."))
    assert listening.heard != []


def bytes_kept(root: Path) -> bytes:
    return b"".join(path.read_bytes() for path in (root / ".cairn").rglob("*") if path.is_file())


@pytest.mark.parametrize("by", ["words", "session", "age"])
def test_it_can_be_forgotten(tmp_path: Path, by: str) -> None:
    app = workspace(tmp_path, HOME=str(tmp_path))
    ask(app, "quokkaword ingress", session="sess-quokka-0001")
    told_read(app, "knowledge/ovens.md", surface="cli", session="sess-quokka-0001")
    app.index_ledger()
    assert app.store.usage.counts(["knowledge/ovens.md"])
    if by == "age":
        app.clock = SettableClock(NOW + 731 * DAY_MS)
        expire(app)
    else:
        forget(app, wanted_text(literal="quokka") if by == "words" else wanted_session(app, "sess-quokka-0001"))
    assert b"quokkaword" not in bytes_kept(tmp_path)
    assert app.store.usage.counts(["knowledge/ovens.md"]) == {}
