"""Forgetting with other parts in place: a database on a server, logs of an older program, a snapshot by its key."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from cairn.adapters.clock.memory import SettableClock
from cairn.app.build import App, build_app
from cairn.capture.capture_session import capture_session
from cairn.capture.note import write_turn
from cairn.capture.retention import NEVER, bar, barred_through
from cairn.core.model.session import TurnRequest
from cairn.core.ports.sources import SourceRow
from cairn.core.ports.turns import NoteFilter
from cairn.errors import Conflict, NotFound
from cairn.graph.run_scan import run_scan
from cairn.workspace.forget.run import forget, plan
from cairn.workspace.forget.selection import BEGUN, wanted_ids, wanted_session, wanted_text
from host_lines import claude, joined

SECRET = "Quokkaword"


def workspace(tmp_path: Path, **flags: object) -> App:
    root = tmp_path / "work"
    (root / ".cairn").mkdir(parents=True)
    (root / ".cairn" / "settings.json").write_text("{}")
    (root / "README.md").write_text("# Bread\n")
    return build_app(root, env={"HOME": str(tmp_path)}, clock=SettableClock(1_800_000_000_000), flags=flags)


def fill(app: App) -> None:
    run_scan(app, app.scan_request())
    for turn, words in (("turn-with-it", f"{SECRET} likes rye."), ("turn-other", "The importer loses rows.")):
        write_turn(app, TurnRequest(turn_id=turn, source="cli", agent="cli", summary=words))
    app.index_ledger()
    key = app.blobs.put(f"<p>{SECRET}</p>".encode())
    app.store.web.keep_sources([SourceRow("https://example.org/", snapshot=key), SourceRow("https://example.org/b")])


@pytest.fixture(params=["sqlite", "postgres"])
def app(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[App]:
    flags = {} if request.param == "sqlite" else {"store.url": request.getfixturevalue("postgres_url")}
    made = workspace(tmp_path, **flags)
    yield made
    made.close()


def test_on_every_database(app: App):
    fill(app)
    done = forget(app, wanted_text(literal=SECRET))
    assert done.left == ()
    assert app.store.purge.holding(lambda row: SECRET.lower().encode() in row.lower()) == {}
    assert [seen.note.turn_id for seen in app.store.turns.notes(NoteFilter())] == ["turn-other"]
    assert [row.url for row in app.store.web.sources()] == ["https://example.org/b"]
    assert app.store.counts()["nodes"] == 1, "the graph was made anew"
    elsewhere = [one.what for one in done.plan.outside]
    assert elsewhere == (["the PostgreSQL server"] if isinstance(app.store_location, str) else [])


def test_a_snapshot_by_its_key(tmp_path: Path):
    app = workspace(tmp_path)
    fill(app)
    (key,) = app.blobs.keys()
    assert forget(app, wanted_ids(app, [key])).left == ()
    assert app.blobs.keys() == [] and len(app.store.web.sources()) == 1
    with pytest.raises(NotFound):
        wanted_ids(app, [key])
    app.close()


def test_logs_of_an_older_program(tmp_path: Path):
    app = workspace(tmp_path)
    old = app.root / ".ai/knowledge-base/_sessions"
    old.mkdir(parents=True)
    (tmp_path / "talk.jsonl").write_bytes(
        joined([claude("user", SECRET), claude("assistant", "The dough rests. " * 40)])
    )
    capture_session(app, "claude", "s-1", tmp_path / "talk.jsonl")
    (log,) = old.iterdir()
    assert SECRET in log.read_text()
    assert forget(app, wanted_text(literal=SECRET)).left == ()
    assert SECRET not in log.read_text() and "dough" in log.read_text()
    app.close()


def test_what_an_older_program_wrote_down_about_its_runs(tmp_path: Path):
    app = workspace(tmp_path)
    logs = app.root / ".ai/knowledge-base/_logs/proposal"
    logs.mkdir(parents=True)
    (logs / "with-it.jsonl").write_text(SECRET)
    (logs / "other.jsonl").write_text("{}")
    assert forget(app, wanted_text(literal=SECRET)).left == ()
    assert [file.name for file in logs.iterdir()] == ["other.jsonl"]
    app.close()


def test_a_session_with_a_short_id_takes_nothing_else_along(tmp_path: Path):
    app = workspace(tmp_path)
    (tmp_path / "talk.jsonl").write_bytes(joined([claude("user", "hello"), claude("assistant", "The dough rests.")]))
    capture_session(app, "claude", "s", tmp_path / "talk.jsonl")
    fill(app)
    done = forget(app, wanted_session(app, "s"))
    assert done.left == () and {name: one.number for name, one in done.plan.held.items()} == {
        "sessions": 1,
        "ledger": 1,
    }
    assert len(app.store.turns.notes(NoteFilter())) == 2
    app.close()


def test_what_was_stopped_is_finished_also_when_nothing_is_found(tmp_path: Path):
    app = workspace(tmp_path)
    fill(app)
    assert not plan(app, wanted_text(literal="never-said")).anything
    (app.root / BEGUN).parent.mkdir()
    (app.root / BEGUN).touch()
    assert wanted_ids(app, ["turn-that-is-gone"]).ids == {"turn-that-is-gone"}
    assert wanted_session(app, "session-that-is-gone").sessions == {"session-that-is-gone"}
    assert forget(app, wanted_text(literal="never-said")).left == ()
    assert not (app.root / BEGUN).exists()
    app.close()


def test_one_at_a_time(tmp_path: Path):

    app = workspace(tmp_path)
    with app.locks.hold("forget", ttl_ms=60_000), pytest.raises(Conflict):
        forget(app, wanted_text(literal=SECRET))
    app.close()


def test_sessions_that_are_not_read_again(tmp_path: Path):
    (tmp_path / ".cairn").mkdir()
    assert barred_through(tmp_path, "s") == 0
    bar(tmp_path, {"s": 10, "t": NEVER})
    bar(tmp_path, {"s": 5, "t": 7})
    assert (barred_through(tmp_path, "s"), barred_through(tmp_path, "t")) == (10, NEVER)
    text = (tmp_path / ".cairn/forgotten.json").read_text()
    assert '"s"' not in text
    (tmp_path / ".cairn/forgotten.json").write_text("{broken")
    assert barred_through(tmp_path, "s") == 0
