"""A clock that jumps, forwards or back: nothing is asked for twice, nothing is lost, and the order stays."""

import json
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from cairn.adapters.clock.memory import SettableClock
from cairn.app.build import build_app
from cairn.capture.note import write_turn
from cairn.core.model.session import TurnRequest
from cairn.freshness.run import only_one, prepare, run_night
from cairn.freshness.run_plan import FreshnessRunSummary
from cairn.graph.run_scan import run_scan
from child import in_a_child
from deaths import is_sound
from program import cairn
from repository import make
from scenes.requesting import SITE, requests, times_recorded
from scenes.scanned import ENTRY, FILES, PAGE
from website import Website, serving

NOW = 1_790_000_000_000
DAY = 86_400_000


@pytest.fixture
def site() -> Iterator[Website]:
    with serving() as running:
        running["/guide"] = SITE.format(30)
        yield running


@pytest.mark.parametrize("days", [-400, -1, 1, 400])
def test_a_clock_that_jumps_between_two_nights(tmp_path: Path, site: Website, days: int) -> None:
    env = {"CAIRN_FETCH_ALLOW": f"127.0.0.1:{site.port}"}
    pages = {ENTRY: PAGE.format(name="waiting", sources=f"  - url: {site.url}/guide\n")}
    root = make(tmp_path / "work", {**FILES, **pages})
    clock = SettableClock(NOW)

    def night() -> FreshnessRunSummary:
        with closing(build_app(root, env=env, clock=clock)) as app:
            prepared = prepare(app)
            with only_one(app) as hold:
                run_scan(app, app.scan_request(), remember=False)
                return run_night(app, prepared, dry_run=False, hold=hold)

    assert len(night().baseline) == 1
    site["/guide"] = SITE.format(45)
    assert len(night().opened) == 1
    clock.advance(days * DAY)
    for _ in range(2):
        again = night()
        assert (again.opened, again.failed) == ((), ()) and again.duration_ms >= 0
    [request] = requests(root)
    assert times_recorded(root, "change_opened", request["id"]) == 1
    is_sound(root)


def test_notes_keep_their_order_when_the_clock_is_set_back(tmp_path: Path) -> None:
    root = make(tmp_path / "work", FILES)
    clock = SettableClock(NOW)
    said = ["The first oven is broken.", "Rye needs a second rise.", "Flour comes on Monday."]

    def note(number: int) -> None:
        with closing(build_app(root, env={}, clock=clock)) as app:
            write_turn(app, TurnRequest(f"t-{number}", "claude", "claude", said[number]))

    for number in range(len(said)):
        assert in_a_child(partial(note, number)) == 0
        clock.advance(-30 * DAY)
    [file] = (root / ".cairn/ledger").glob("*.jsonl")
    events = [json.loads(line) for line in file.read_text().splitlines()]
    assert [one["payload"]["summary"] for one in events if one["type"] == "turn_completed"] == said
    ids = [one["id"] for one in events]
    assert ids == sorted(set(ids)), "whoever reads on from an id misses none"
    listed = cairn("turns", "list", "--json", cwd=root).json()["turns"]
    assert {one["note"]["summary"] for one in listed} == set(said)
