"""Linting a workspace, and when it is due again."""

import json
import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from cairn.adapters.clock.memory import SettableClock
from cairn.app.build import App, build_app
from cairn.curate.lint_pages import LintState, lint_due, lint_pages, lint_state
from cairn.workspace.status.page import status
from curation import keep_session
from older_base import BASE, NODES, make_base, node, path_of
from repository import put

STATE = ".cairn/curate/lint-state.json"
OLD_STATE = f"{BASE}/.state/lint-state.json"
NOW_MS = 1_777_888_999_000  # 2026-05-04, about ten o'clock
ENTRY = "---\nname: {name}\ndescription: D.\nrelates_to: {related}\n---\n# Title\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_base(tmp_path / "w")


@pytest.fixture
def app(root: Path) -> Iterator[App]:
    with closing(
        build_app(root, env={"PATH": os.environ["PATH"]}, clock=SettableClock(NOW_MS), installed=False)
    ) as app:
        yield app


def found(app: App) -> list[tuple[str, str]]:
    return [(one.rule, one.path.rpartition("/")[2]) for one in lint_pages(app).found]


def test_a_base_that_fits(app: App):
    assert found(app) == []


def test_what_is_wrong_with_a_base(app: App, root: Path):
    put(
        root,
        {
            path_of("map-b"): node("map-c", relates_to="[map-queue, map-gone]"),
            path_of("map-d"): node("map-d", kind="practice", relates_to="[map-queue]"),
            path_of("map-e"): "Nothing.\n",
            path_of("map-f"): node("map-f", tags="[gits]"),
        },
    )
    assert found(app) == [
        ("unreadable", "map-e.md"),
        ("dangling-edge", "map-b.md"),
        ("slug-id-mismatch", "map-b.md"),
        ("slug-id-mismatch", "map-d.md"),
        ("tag-near-duplicate", "map-f.md"),
        ("orphan", "map-f.md"),
    ]


def test_entries_are_linted_too_and_only_what_a_curator_writes_should_be_related(root: Path):
    corpora = f'"kb": {{"root": "{BASE}", "layout": "nodes"}}, "k": {{"root": "k", "layout": "entries"}}'
    put(
        root,
        {
            ".cairn/settings.json": f'{{"corpora": {{{corpora}}}}}',
            "k/security/tokens.md": ENTRY.format(name="tokens", related="[]"),
            "k/practice/small.md": ENTRY.format(name="small", related="[]"),
            "k/practice/large.md": ENTRY.format(name="large", related="[map-queue, gone]"),
        },
    )
    with closing(build_app(root, env={"PATH": os.environ["PATH"]}, installed=False)) as app:
        assert found(app) == [("dangling-edge", "large.md"), ("orphan", "small.md")]


# --- when it is due ---------------------------------------------------------------------------------------------------


def keep_sessions(root: Path, number: int, *, day: int = 1) -> None:
    for one in range(number):
        keep_session(root, [], session=f"s-{day}-{one}", at=f"2026-05-{day:02}T10:00:00.000Z")


def test_it_is_due_after_so_many_sessions(app: App, root: Path):
    keep_sessions(root, 49)
    assert lint_due(app) == 0 and lint_state(app).sessions_since_last_lint == 49
    keep_sessions(root, 1, day=2)
    assert lint_due(app) == 50
    [line] = [line for line in status(app).lines if line.next == "cairn lint"]
    assert "50 sessions" in line.text
    lint_pages(app)
    assert lint_state(app) == LintState(0, "2026-05-04T10:03:19.000Z", 0, 0) and lint_due(app) == 0
    keep_sessions(root, 3, day=5)
    assert lint_state(app).sessions_since_last_lint == 3


def test_never_if_nobody_wants_it(root: Path):
    keep_sessions(root, 2)
    for every, due in (("0", 0), ("2", 2)):
        env = {"PATH": os.environ["PATH"], "CAIRN_CURATE__LINT_EVERY_SESSIONS": every}
        with closing(build_app(root, env=env, installed=False)) as app:
            assert lint_due(app) == due


def test_what_is_kept_has_the_names_of_an_older_base(app: App, root: Path):
    put(root, {path_of("map-lone"): node("map-lone", relates_to="[gone]", summary="s" * 141)})
    lint_pages(app)
    kept = json.loads((root / STATE).read_text())
    assert kept == {
        "schema_version": 1,
        "sessions_since_last_lint": 0,
        "last_lint_at": "2026-05-04T10:03:19.000Z",
        "last_errors": 1,
        "last_findings": 1,
    }


def test_the_state_of_an_older_base_stays_where_it_is(app: App, root: Path):
    put(root, {OLD_STATE: '{"schema_version": 1, "sessions_since_last_lint": 60, "last_lint_at": null}'})
    assert lint_due(app) == 60
    lint_pages(app)
    assert lint_due(app) == 0 and not (root / STATE).exists()
    assert json.loads((root / OLD_STATE).read_text())["last_lint_at"]


@pytest.mark.parametrize("text", ["", "[]", "{", '{"last_lint_at": 3, "last_errors": -1}', "[" * 100_000])
def test_a_state_that_is_damaged_is_as_good_as_none(app: App, root: Path, text: str):
    put(root, {STATE: text})
    assert lint_state(app) == LintState()
    assert len(lint_pages(app).found) == 0 and lint_state(app).last_lint_at


def test_pages_that_are_there_count(app: App):
    assert lint_pages(app).pages == len(NODES)
