"""A scan as a person asks for it: the provider is chosen and remembered, the event recorded, failures told."""

import json
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cairn.adapters.clock.memory import SettableClock
from cairn.adapters.files.local import LocalFiles
from cairn.app.build import App, build_app
from cairn.core.extension_points import ExtensionRef
from cairn.core.ledger_events import events_of
from cairn.core.ports.runtime import WalkRequest
from cairn.core.registry import Registry
from cairn.errors import ConfigError, Refused, UsageError
from cairn.graph.run_scan import Beat, beats, choose, detect, run_scan
from cairn.plugin import ExtractorManifest, Plugin
from unit.graph.tiny import bundle, provider, registry_of


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


@pytest.fixture
def registry() -> Registry:
    made = {
        "provider/claude": provider("claude", markers=(".claude",)),
        "provider/manual": provider("manual"),
        "provider/openai": provider("openai", markers=(".codex", "AGENTS.md")),
    }
    return registry_of(bundle("m", made))


def there(*paths: str) -> Any:
    return set(paths).__contains__


@pytest.mark.parametrize(
    ("paths", "found"),
    [
        ((), ()),
        (("AGENTS.md",), ("openai",)),
        ((".codex", "AGENTS.md"), ("openai",)),
        (("AGENTS.md", ".claude"), ("claude", "openai")),
        (("other",), ()),
    ],
)
def test_markers_in_dispatch_order(registry: Registry, paths: tuple[str, ...], found: tuple[str, ...]):
    assert detect(registry, there(*paths)) == found


# configured, snapshot, markers that are there, (active, remember, a piece of the warning)
CHOICES = [
    ("none is found", None, None, (), (None, False, None)),
    ("one is found", None, None, (".claude",), ("claude", True, None)),
    ("as configured", "openai", ["openai"], ("AGENTS.md",), ("openai", False, None)),
    ("configured, none there", "openai", [], (), ("openai", False, None)),
    ("no snapshot yet: filled in silently", "openai", None, (".claude",), ("openai", True, None)),
    ("one came", "openai", ["openai"], ("AGENTS.md", ".claude"), ("openai", False, "(new: claude)")),
    ("one went", "openai", ["openai"], (), ("openai", False, "(removed: openai)")),
    ("both", "openai", ["openai"], (".claude",), ("openai", False, "(new: claude; removed: openai)")),
]


@pytest.mark.parametrize(
    ("configured", "snapshot", "paths", "expected"), [c[1:] for c in CHOICES], ids=[c[0] for c in CHOICES]
)
def test_choosing(registry: Registry, configured, snapshot, paths, expected):
    choice = choose(registry, configured=configured, snapshot=snapshot, exists=there(*paths))
    active, remember, warning = expected
    assert (choice.active, choice.remember) == (active, remember)
    assert (choice.warning is None) if warning is None else warning in (choice.warning or "")


def test_of_several_a_person_picks(registry: Registry):
    both = {"registry": registry, "configured": None, "snapshot": None, "exists": there(".claude", "AGENTS.md")}
    asked: list[Any] = []
    picked = choose(**both, ask=lambda ids: asked.append(tuple(ids)) or "openai")
    assert (picked.active, asked) == ("openai", [("claude", "openai")])
    with pytest.raises(UsageError, match=r"\(claude, openai\).*cairn config set active_provider claude"):
        choose(**both, ask=lambda ids: None)


@pytest.mark.parametrize("take_first", [False, True])
def test_of_several_the_first_is_taken_without_a_terminal_and_not_stored(registry: Registry, take_first: bool):
    there_are = there(".claude", "AGENTS.md")
    choice = choose(registry, configured=None, snapshot=None, exists=there_are, take_first=take_first)
    assert (choice.active, choice.remember) == ("claude", False)
    assert "(claude, openai); the rules of claude apply" in (choice.note or "")


def test_markers_of_one_provider_may_speak_for_another():
    files = provider("files", host_markers={"claude": ("CLAUDE.md",)})
    made = {"provider/claude": provider("claude", markers=(".claude",)), "provider/files": files}
    assert detect(registry_of(bundle("m", made)), there("CLAUDE.md")) == ("claude",)


def test_an_unknown_provider_is_a_mistake_in_the_settings(registry: Registry):
    with pytest.raises(ConfigError, match="did you mean `claude`"):
        choose(registry, configured="cluade", snapshot=[], exists=there())
    with pytest.raises(ConfigError, match="known are claude, manual, openai"):
        choose(registry, configured="zzz", snapshot=[], exists=there())


def test_without_any_provider_the_configured_one_is_not_doubted():
    assert choose(Registry(), configured="claude", snapshot=[], exists=there()).active == "claude"


class Sleeper:
    """Runs the next of some steps each time that somebody sleeps."""

    def __init__(self, clock: SettableClock, *steps: Callable[[], object]) -> None:
        self.clock = clock
        self.steps = list(steps)
        self.slept: list[float] = []

    def __call__(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.clock.advance(int(seconds * 1000))
        if self.steps:
            self.steps.pop(0)()
        assert len(self.slept) < 100, "it never noticed"


def run(root: Path, *steps: Callable[[], object]) -> tuple[Iterator[Beat], Sleeper]:
    clock = SettableClock()
    sleeper = Sleeper(clock, *steps)
    return beats(LocalFiles(root), WalkRequest(), clock=clock, sleep=sleeper, debounce=0.5), sleeper


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "a.md"
    path.write_text("one")
    return path


@pytest.mark.parametrize("change", ["edit", "add", "remove", "rename"])
def test_each_kind_of_change_is_a_beat(page: Path, change: str):
    steps = {
        "edit": lambda: page.write_text("two!"),
        "add": lambda: (page.parent / "b.md").write_text("x"),
        "remove": page.unlink,
        "rename": lambda: page.rename(page.with_name("c.md")),
    }
    found, sleeper = run(page.parent, lambda: None, steps[change])
    assert next(found) == Beat(1)
    assert sleeper.slept == [0.25, 0.25, 0.5]


def test_it_waits_until_the_files_have_come_to_rest(page: Path):
    busy = [lambda n=n: page.write_text("x" * n) for n in range(5, 9)]
    found, sleeper = run(page.parent, *busy)
    assert next(found) == Beat(1)
    assert sleeper.slept == [0.25, 0.5, 0.5, 0.5, 0.5]


def test_it_does_not_wait_forever(page: Path):
    found, sleeper = run(page.parent, *[lambda n=n: page.write_text("x" * n) for n in range(5, 60)])
    assert [beat.number for beat in islice(found, 2)] == [1, 2]
    assert sleeper.slept.count(0.5) == 40


def test_a_file_of_another_kind_is_no_change(page: Path):
    found, sleeper = run(
        page.parent, lambda: (page.parent / "x.txt").write_text("x"), lambda: None, lambda: page.write_text("two!")
    )
    next(found)
    assert sleeper.slept == [0.25, 0.25, 0.25, 0.5]
