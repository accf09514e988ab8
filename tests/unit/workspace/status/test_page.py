"""The registry behind `cairn status`."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from cairn.adapters.clock.memory import SettableClock
from cairn.app.build import build_app
from cairn.errors import StoreLocked
from cairn.graph.run_scan import run_scan
from cairn.workspace.status.context import SECTIONS, StatusContext, StatusLine, ago, counted, listed
from cairn.workspace.status.page import SOURCES, Status, _spread, status


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Status]:
    (tmp_path / ".cairn").mkdir()
    (tmp_path / ".cairn" / "settings.json").write_text("{}")
    (tmp_path / "a.md").write_text("[b](b.md)\n")
    clock = SettableClock()
    app = build_app(tmp_path, env={}, clock=clock)
    run_scan(app, app.scan_request())
    clock.advance(3 * 3_600_000)
    yield status(app)
    app.close()


def test_every_source_adds_to_a_section_that_exists(page: Status):
    assert page.problems == ()
    assert {line.section for line in page.lines} <= set(SECTIONS)
    assert len({name for name, _ in SOURCES}) == len(SOURCES)


def test_times_are_those_of_the_clock(page: Status):
    assert any("last scan 3 hours ago" in line.text for line in page.of("health"))


def test_events_are_those_of_this_workspace_from_the_index_or_the_files(tmp_path: Path):
    (tmp_path / ".cairn/ledger/collected").mkdir(parents=True)
    with closing(build_app(tmp_path, env={})) as app:
        app.ledger.append("init", {}, now_ms=1_000)
        app.ledger.append("scan_completed", {}, now_ms=2_000)
        (own,) = (tmp_path / ".cairn/ledger").glob("*.jsonl")
        other = own.read_text().replace('"worktree":"', '"worktree":"other-').replace('"id":"0', '"id":"1')
        (tmp_path / ".cairn/ledger/collected/other-1.jsonl").write_text(other)
        without = [event.type for event in StatusContext(app).events()]  # nothing was scanned, so there is no store yet
        with app.store.scan() as session:
            session.set_meta({"scanned_at_ms": 1})
        assert without == [event.type for event in StatusContext(app).events()] == ["scan_completed", "init"]
        assert [event.type for event in StatusContext(app).events("init")] == ["init"]
        assert [event.at for event in StatusContext(app).events(since_ms=1_500)] == ["1970-01-01T00:00:02.000Z"]


def test_a_source_that_fails_is_named_and_the_page_stays(tmp_path: Path):
    def broken(_: StatusContext) -> Iterator[StatusLine]:
        yield StatusLine("waits", "never shown")
        raise ZeroDivisionError("oh")

    def locked(_: StatusContext) -> Iterator[StatusLine]:
        raise StoreLocked("Somebody writes.")
        yield

    def fine(_: StatusContext) -> Iterator[StatusLine]:
        yield StatusLine("health", "all well")

    app = build_app(tmp_path, env={})
    page = status(app, sources=(("one", broken), ("two", locked), ("three", fine)))
    assert [line.text for line in page.lines] == ["all well"]
    assert page.problems == ("one: ZeroDivisionError: oh", "two: Somebody writes.")


@pytest.mark.parametrize(
    ("minutes", "said"),
    [
        (0, "just now"),
        (1, "1 minute ago"),
        (59, "59 minutes ago"),
        (60, "1 hour ago"),
        (2_880, "2 days ago"),
        (-5, "just now"),
    ],
)
def test_how_long_ago(minutes: int, said: str):
    assert ago(minutes * 60_000) == said


def test_words_for_numbers():
    from collections import Counter

    assert counted(1, "entry", "entries") == "1 entry"
    assert counted(1_200, "entry", "entries") == "1,200 entries"
    assert listed(Counter({"a": 4, "b": 3, "c": 2, "d": 1, "e": 1})) == "a 4, b 3, c 2 and 2 more"
    assert listed(Counter({"a": 4, "b": 3, "c": 2, "d": 1})) == "a 4, b 3, c 2, d 1"
    assert listed(Counter("abcde")) == "a, b, c and 2 more"
    assert listed(Counter({"a": 7})) == "a"
    assert listed(Counter()) == ""


def test_where_faults_are():
    from collections import Counter

    assert _spread(Counter({"a.md": 7})) == "a.md"
    assert _spread(Counter({"a.md": 2, "b.md": 2})) == "2 files"
    assert _spread(Counter({"a.md": 9, "b.md": 2})) == "2 files, 9 of them in a.md"
