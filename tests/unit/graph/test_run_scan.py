"""A scan as a person asks for it: the provider is chosen and remembered, the event recorded, failures told."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cairn.adapters.clock.memory import SettableClock
from cairn.app.build import App, build_app
from cairn.core.extension_points import ExtensionRef
from cairn.core.ledger_events import events_of
from cairn.errors import Refused
from cairn.graph.run_scan import run_scan
from cairn.plugin import ExtractorManifest, Plugin


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / ".cairn").mkdir()
    (tmp_path / ".cairn/settings.json").write_text("{}")
    (tmp_path / "a.md").write_text("# A\n")
    return tmp_path


def app(root: Path, **more: Any) -> App:
    return build_app(root, env={}, tracked=lambda paths: (), clock=SettableClock(), installed=False, **more)


def settings(root: Path) -> Any:
    return json.loads((root / ".cairn/settings.json").read_text())


def scan(root: Path, made: App | None = None, **more: Any) -> Any:
    made = made or app(root)
    try:
        return run_scan(made, made.scan_request(), **more)
    finally:
        made.close()


def test_no_host_is_fine_and_nothing_is_written(root: Path):
    assert scan(root).report.active_provider is None
    assert settings(root) == {}


def test_the_only_host_is_remembered(root: Path):
    (root / ".claude").mkdir()
    assert scan(root).report.active_provider == "claude"
    assert settings(root) == {"active_provider": "claude", "active_provider_markers": ["claude"]}


def test_the_one_for_this_once_is_not_remembered(root: Path):
    (root / ".claude").mkdir()
    assert scan(root, active="openai").report.active_provider == "openai"
    assert settings(root) == {}


def test_nothing_is_remembered_of_a_scan_that_must_leave_no_trace(root: Path):
    (root / ".claude").mkdir()
    scan(root, remember=False)
    assert settings(root) == {}
    assert not (root / ".cairn/ledger").exists()


def test_of_several_hosts_the_first_is_taken_and_nothing_is_stored(root: Path):
    (root / ".claude").mkdir()
    (root / ".codex").mkdir()
    assert scan(root).report.active_provider == "claude"
    assert settings(root) == {}
    assert scan(root, ask=lambda ids: ids[1]).report.active_provider == "openai"
    assert settings(root)["active_provider_markers"] == ["claude", "openai"]


def test_drift_is_told_and_the_snapshot_stays(root: Path):
    (root / ".claude").mkdir()
    scan(root)
    (root / ".codex").mkdir()
    assert ["new: openai" in warning for warning in scan(root).warnings] == [True]
    assert settings(root)["active_provider_markers"] == ["claude"]


def test_a_scan_that_changed_something_is_an_event(root: Path):
    made = app(root)
    run_scan(made, made.scan_request())
    run_scan(made, made.scan_request())
    (root / "b.md").write_text("# B\n")
    run_scan(made, made.scan_request())
    added = [json.loads(event.payload)["added"] for event in events_of(made.ledger, made.store)]
    made.close()
    assert sorted(added) == [1, 1]


def test_a_ledger_that_cannot_be_written_does_not_undo_the_scan(root: Path):
    class Broken:
        def append(self, *_: Any, **__: Any) -> str:
            raise Refused("the ledger is full")

    made = app(root)
    made.__dict__["ledger"] = Broken()
    scanned = run_scan(made, made.scan_request())
    assert scanned.warnings == ("the scan is done, but could not be recorded: the ledger is full",)
    assert made.store.counts()["nodes"] == 1
    made.close()


def failing(message: str) -> list[Plugin]:
    import sys

    def extract(ctx: Any) -> None:
        print("noise")
        raise ValueError(message)

    manifest = ExtractorManifest(version="2.0", description="d")
    sys.modules["third_party_module"] = SimpleNamespace(  # type: ignore[assignment]
        extension=SimpleNamespace(manifest=manifest, extract=extract)
    )
    from importlib import import_module

    from cairn.extensions import BUILT_INS

    mine = Plugin("mine", "2.0", "d", (ExtensionRef("extractor", "x", "third_party_module"),))
    return [*(import_module(name).PLUGIN for name in BUILT_INS), mine]


def test_failures_are_one_sentence_for_each_extension(root: Path, capsys: pytest.CaptureFixture[str]):
    (root / "b.md").write_text("# B\n")
    (warning,) = scan(root, app(root, plugins=failing("no"))).warnings
    assert warning == "plugin mine/x 2.0 (extension-error), skipped on `a.md`: ValueError: no (and 1 more)"
    seen = capsys.readouterr()
    assert (seen.out, seen.err) == ("", "noise\nnoise\n")


def test_problems_of_plugins_are_told(root: Path):
    broken = Plugin("mine", "3", "d", (ExtensionRef("extractor", "x", "no_such_module_anywhere"),))
    (warning,) = scan(root, app(root, plugins=[broken])).warnings
    assert warning.startswith("plugin mine/x 3 (load-error), skipped: ModuleNotFoundError: ")
