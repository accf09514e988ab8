"""Is everything in order? Each thing that can be wrong, planted and found."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cairn.adapters.clock.memory import SettableClock
from cairn.app.build import App, build_app
from cairn.app.open_workspace import open_before_init
from cairn.core.extension_points import ExtensionRef
from cairn.core.model.issue import HealthFinding, HealthState
from cairn.errors import StoreCorrupt
from cairn.graph.run_scan import run_scan
from cairn.plugin import Plugin
from cairn.workspace.doctor import examine
from cairn.workspace.init import InitOptions, initialise


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / ".claude").mkdir()
    (tmp_path / "a.md").write_text("# A\n")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    initialise(open_before_init(tmp_path, env={}), InitOptions(), ask=None)
    return tmp_path


def app(root: Path, **more: Any) -> App:
    return build_app(root, env={}, tracked=lambda paths: (), clock=SettableClock(), installed=False, **more)


def scanned(root: Path) -> Path:
    made = app(root)
    run_scan(made, made.scan_request())
    made.close()
    return root


def findings(root: Path, **more: Any) -> list[HealthFinding]:
    made = app(root, **more)
    try:
        return examine(made)
    finally:
        made.close()


def bad(root: Path, **more: Any) -> list[tuple[str, HealthState]]:
    return [(found.check, found.state) for found in findings(root, **more) if found.state != HealthState.OK]


def test_a_fresh_workspace_is_clean(root: Path):
    found = findings(scanned(root))
    assert {finding.state for finding in found} == {HealthState.OK}
    assert [f.check for f in found] == [
        "python",
        "git",
        "folder",
        "settings",
        "gitignore",
        "plugins",
        "provider",
        "database",
        "graph",
        "ledger",
        "kept",
        "rules",
        "changes",
    ]


def no_ignore(root: Path) -> None:
    (root / ".cairn/.gitignore").write_text("/log/\n")


def other_host(root: Path) -> None:
    (root / ".codex").mkdir()


def no_database(root: Path) -> None:
    for file in (root / ".cairn").glob("cairn.db*"):
        file.unlink()


def broken_database(root: Path) -> None:
    no_database(root)
    (root / ".cairn/cairn.db").write_bytes(b"nothing of the kind" * 99)


def odd_ledger(root: Path) -> None:
    (ledger,) = (root / ".cairn/ledger").glob("*.jsonl")
    with ledger.open("ab") as stream:
        stream.write(b"oh no\n")


def ignore_is_a_folder(root: Path) -> None:
    (root / ".cairn/.gitignore").unlink()
    (root / ".cairn/.gitignore").mkdir()


def no_repository(root: Path) -> None:
    (root / ".git").rename(root / "not-git")


PLANTED: list[tuple[Callable[[Path], None], list[tuple[str, HealthState]]]] = [
    (no_ignore, [("gitignore", HealthState.WARN)]),
    (ignore_is_a_folder, [("gitignore", HealthState.WARN)]),
    (other_host, [("provider", HealthState.WARN)]),
    (no_database, [("database", HealthState.WARN), ("index", HealthState.ERROR)]),
    (broken_database, [("database", HealthState.ERROR)]),
    (odd_ledger, [("ledger", HealthState.WARN)]),
    (no_repository, [("git", HealthState.WARN)]),
]


@pytest.mark.parametrize(("plant", "expected"), PLANTED, ids=[p[0].__name__ for p in PLANTED])
def test_what_is_wrong_is_found(root: Path, plant: Callable[[Path], None], expected: list[tuple[str, HealthState]]):
    scanned(root)
    plant(root)
    assert bad(root) == expected


def test_of_a_long_ledger_the_last_lines_are_read(root: Path, monkeypatch: pytest.MonkeyPatch):
    desk = app(root)
    for number in range(3):
        desk.ledger.append("init", {}, now_ms=number)
    (file,) = desk.ledger.files()
    monkeypatch.setattr("cairn.workspace.doctor._LATELY", file.size - 20)  # from somewhere in the first line
    (told,) = [finding for finding in examine(desk) if finding.check == "ledger"]
    assert (told.state, told.message) == (HealthState.OK, "the last 2 events are sound")
    odd_ledger(root)
    (told,) = [finding for finding in examine(desk) if finding.check == "ledger"]
    assert told.state is HealthState.WARN and told.fix == "`cairn observe ledger verify` names them"


def test_a_broken_plugin_is_an_error_with_its_name(root: Path):
    broken = Plugin("mine", "3", "d", (ExtensionRef("extractor", "x", "no_such_module_anywhere"),))
    (found,) = [f for f in findings(root, plugins=[broken]) if f.check == "plugins"]
    assert found.state == HealthState.ERROR
    assert found.message.startswith("plugin mine/x 3 (load-error)")


def test_a_damaged_page_is_found(root: Path):
    scanned(root)

    class Damaged:
        def check(self) -> list[str]:
            return ["SQLite says: row 3 missing from index"]

        def meta(self) -> dict[str, Any]:
            raise StoreCorrupt

        def orphans(self) -> list[Any]:
            return []

        def file_facts(self) -> set[Any]:
            raise StoreCorrupt

        def issues(self, **_: Any) -> list[Any]:
            raise StoreCorrupt

    made = app(root)
    made.__dict__["store"] = Damaged()
    found = [f for f in examine(made) if f.check == "database"]
    assert [f.state for f in found] == [HealthState.ERROR, HealthState.ERROR]
    assert "cairn db restore" in (found[0].fix or "")


def test_a_found_host_that_is_not_chosen_is_told(tmp_path: Path):
    initialise(open_before_init(tmp_path, env={}), InitOptions(), ask=None)
    (tmp_path / ".claude").mkdir()
    (found,) = [f for f in findings(tmp_path) if f.check == "provider"]
    assert (found.state, found.message) == (HealthState.WARN, "found claude, none is chosen")
