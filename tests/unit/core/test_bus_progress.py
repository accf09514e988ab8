"""A scan tells the event bus what it does; nobody hears it at no cost."""

from pathlib import Path

import pytest

from cairn.adapters.clock.memory import SettableClock
from cairn.app.build import build_app
from cairn.cli.events import told
from cairn.core.bus_progress import BusProgress
from cairn.core.event_bus import BusEvent, EventBus
from cairn.core.ports.runtime import Silent
from cairn.graph.run_scan import run_scan
from repository import make


class Shown(Silent):
    def __init__(self) -> None:
        self.steps: list[tuple[str, int, int | None]] = []

    def step(self, stage: str, done: int, total: int | None) -> None:
        self.steps.append((stage, done, total))


def heard(bus: EventBus) -> list[BusEvent]:
    events: list[BusEvent] = []
    bus.subscribe(events.append)
    return events


def test_what_a_scan_does_goes_to_the_bus(tmp_path: Path) -> None:
    root = make(tmp_path / "repo", {"a.md": "# A\n\n[b](b.md)\n", "b.md": "# B\n", ".cairn/settings.json": "{}"})
    app = build_app(root, env={})
    events = heard(app.bus)
    run_scan(app, app.scan_request(), progress=BusProgress(app.bus, app.clock, Silent(), lambda: "r-scan-1"))
    app.close()
    types = [event.type for event in events]
    assert types[0] == "scan.started" and types[-1] == "scan.completed" and {e.run_id for e in events} == {"r-scan-1"}
    assert events[0].data == {"mode": "changed", "target": None, "rootsCount": 1}
    assert {key: events[-1].data[key] for key in ("nodes", "links", "issues")} == {"nodes": 2, "links": 1, "issues": 0}
    done = [event.data for event in events if event.type in ("extractor.completed", "analyzer.completed")]
    assert {"extractorId": "core/markdown-link"} in done and {"analyzerId": "core/reference-broken"} in done
    assert types.index("extractor.completed") < types.index("analyzer.completed")


def test_progress_is_shown_always_and_told_four_times_a_second() -> None:
    clock, bus, shown = SettableClock(0), EventBus(), Shown()
    events = heard(bus)
    progress = BusProgress(bus, clock, shown, lambda: "r")
    for done in range(1, 5):
        clock.advance(100)
        progress.step("reading", done, 4)
        progress.step("linking", done, 4)
    assert len(shown.steps) == 8
    assert [dict(event.data) for event in events] == [{"filesSeen": 4, "filesProcessed": 3}]


def test_a_bus_that_nobody_hears_makes_no_event() -> None:
    progress = BusProgress(EventBus(), SettableClock(0), Silent(), lambda: pytest.fail("an id was made"))
    progress.event("scan.completed", nodes={1})
    bus = EventBus()
    events = heard(bus)
    with bus.heard_by(events.append):
        bus.emit("a", {}, at_ms=1, run_id="r")
    bus.emit("b", {}, at_ms=1, run_id="r")
    assert [event.type for event in events] == ["a", "a", "b"]


@pytest.mark.parametrize("fails", [False, True])
def test_a_command_begins_and_ends(fails: bool) -> None:
    bus = EventBus()
    events = heard(bus)
    try:
        with told(bus, ["scan", "--json"]) as command:
            if fails:
                raise RuntimeError
            command.exit_code = 1
    except RuntimeError:
        assert fails
    assert [(event.type, dict(event.data)) for event in events] == [
        ("boot", {"argv": ["scan", "--json"]}),
        ("shutdown", {"exitCode": 70 if fails else 1}),
    ]
