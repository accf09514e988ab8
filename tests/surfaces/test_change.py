"""`cairn change`: what a person sees of a change request, and what comes of what they decide."""

import json
from pathlib import Path
from typing import Any

import pytest

from bakery import LINES, LOUDER, PAGE, bakery, status
from cairn.app.build import App, build_app
from cairn.changes import gate_registry as gates
from cairn.changes.gate import GateContext
from cairn.changes.requests import HeldChange, PublishResult, judge_again, publish_change, revert
from cairn.core.model.change import ChangeSet, FileEdit, GateRuling, Label, Level
from cairn.workspace.status.page import status as morning
from program import cairn, fits_schema
from repository import commit, git

SETTINGS = ".cairn/settings.json"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = bakery(tmp_path / "work", **{SETTINGS: "{}\n", ".cairn/.gitignore": "*\n!settings.json\n!.gitignore\n"})
    git(root, "config", "user.name", "Ada")
    return root


def app_of(root: Path, **env: str) -> App:
    return build_app(root, env=env)


def change(root: Path, files: dict[str, str | None] | None = None, **facts: Any) -> ChangeSet:
    edits = tuple(FileEdit(p, None if t is None else t.encode()) for p, t in (files or {PAGE: LOUDER}).items())
    given = {"origin": "freshness", "subject": "ovens", "title": "docs: say two louder", **facts}
    return ChangeSet(base=git(root, "rev-parse", "main"), edits=edits, **given)


def opened(root: Path, files: dict[str, str | None] | None = None, **facts: Any) -> str:
    published = publish_change(app_of(root), change(root, files, **facts))
    assert isinstance(published, PublishResult)
    return published.request.id


def told(root: Path, *args: str) -> Any:
    """What a command says as JSON, held against its schema."""
    ran = cairn("change", *args, "--json", cwd=root)
    assert ran.code == 0, ran.err
    value = ran.json()
    fits_schema(value, f"change-{args[0]}")
    return value


def events(root: Path) -> list[dict[str, Any]]:
    files = sorted((root / ".cairn" / "ledger").glob("*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text().splitlines()]


def test_looking(root: Path) -> None:
    assert told(root, "list") == {"requests": [], "more": 0}
    id = opened(root, body="The page says so.", labels=(Label("knowledge-freshness", "freshness"),))
    (listed,) = told(root, "list")["requests"]
    assert listed == told(root, "show", id[:6])["request"] and listed["id"] == id
    assert "+TWO" in told(root, "diff", id)["diff"]
    page = cairn("change", "show", id, cwd=root).out
    assert (
        "docs: say two louder" in page and "The page says so." in page and "knowledge-freshness (by freshness)" in page
    )
    assert id in cairn("change", "list", cwd=root).out
    piped = cairn("change", "diff", id, cwd=root).out
    (root / "change.diff").write_text(piped)
    git(root, "apply", "--check", "change.diff")


def test_deciding(root: Path) -> None:
    id = opened(root)
    assert told(root, "label", id, "--add", "looked-at")["request"]["labels"] == [
        {"name": "looked-at", "setter": "Ada"}
    ]
    assert told(root, "label", id, "--remove", "looked-at")["request"]["labels"] == []
    assert told(root, "approve", id)["request"]["approvedBy"] == ["Ada"]
    assert told(root, "close", id, "--reason", "later")["request"]["state"] == "closed"
    assert told(root, "list")["requests"] == [] and len(told(root, "list", "--state", "closed")["requests"]) == 1
    assert told(root, "reopen", id)["request"]["state"] == "open"
    merged = told(root, "merge", id)
    assert (merged["commit"], merged["moved"]) == (git(root, "rev-parse", "main"), [str(root)])
    assert (root / PAGE).read_text() == LOUDER and status(root) == ""
    back = told(root, "revert", id)["request"]
    assert back["reverts"] == id
    ran = cairn("change", "merge", back["id"], cwd=root)
    assert ran.code == 0 and "moved along" in ran.err
    assert (root / PAGE).read_text() == LINES
    assert told(root, "show", id)["request"]["state"] == "reverted"
    assert [note["what"] for note in told(root, "show", id)["request"]["notes"]] == [
        "opened", "labelled", "labelled", "approved", "closed", "reopened", "merged",
    ]  # fmt: skip
    assert [event["type"] for event in events(root)] == [
        "change_opened", "change_closed", "change_merged", "change_reverted", "change_merged",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (("show", "c-none"), 5, "There is no change request `c-none`"),
        (("show",), 2, "ID"),
        (("label", "ID"), 2, "--add or --remove"),
        (("label", "ID", "--add", " x"), 2, "a label is"),
        (("label", "ID", "--remove", "x"), 5, "no label `x`"),
        (("reopen", "ID"), 1, "is open"),
        (("revert", "ID"), 1, "only one that is merged"),
    ],
)
def test_what_cannot_be_done(root: Path, args: tuple[str, ...], code: int, said: str) -> None:
    id = opened(root)
    ran = cairn("change", *(id if arg == "ID" else arg for arg in args), cwd=root)
    assert ran.code == code and said in ran.err


def test_outside_of_a_repository(tmp_path: Path) -> None:
    (tmp_path / ".cairn").mkdir()
    (tmp_path / SETTINGS).write_text("{}\n")
    assert cairn("change", "list", "--json", cwd=tmp_path).json() == {"requests": [], "more": 0}
    ran = cairn("change", "show", "c-1", cwd=tmp_path)
    assert ran.code == 5


def test_a_conflict_is_an_exit_code_of_its_own(root: Path) -> None:
    id = opened(root)
    commit(root, {PAGE: LINES.replace("two", "too")})
    for step in ("merge", "gates"):
        ran = cairn("change", step, id, cwd=root)
        assert ran.code == 3 and PAGE in ran.err and "does not fit" in ran.err
    assert status(root) == ""


def test_a_dirty_file_stops_a_merge_with_a_reason(root: Path) -> None:
    id = opened(root)
    (root / PAGE).write_text("mine\n")
    ran = cairn("change", "merge", id, cwd=root)
    assert ran.code == 1 and PAGE in ran.err and "not committed" in ran.err
    assert (root / PAGE).read_text() == "mine\n"


# --- gates ------------------------------------------------------------------------------------------------------------


class Strict:
    """Blocks unless the base says otherwise, in its settings or by a label."""

    id = "strict"

    def judge(self, change: ChangeSet, around: GateContext) -> GateRuling:
        ok = around.settings["scan.strict"] is False or around.labelled("fine")
        return GateRuling(self.id, Level.PASS if ok else Level.BLOCK, "The base is strict.")


@pytest.fixture
def strict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gates, "registered", lambda _: (Strict(),))


STRICT = '{"scan": {"strict": true}}\n'


@pytest.mark.usefixtures("strict")
def test_settings_are_those_of_the_base(root: Path) -> None:
    commit(root, {SETTINGS: STRICT})
    id = opened(root, {PAGE: LOUDER, SETTINGS: '{"scan": {"strict": false}}\n'})
    assert app_of(root).forge.request(id).level is Level.BLOCK, "a change cannot soften what judges it"
    (root / SETTINGS).write_text("{}\n")
    assert judge_again(app_of(root), id).level is Level.BLOCK, "nor can the working tree"
    other = opened(root, subject="orders")
    commit(root)
    assert judge_again(app_of(root), other).level is Level.PASS, "what is in the base branch now counts"


@pytest.mark.usefixtures("strict")
def test_a_label_counts_when_somebody_else_set_it(root: Path) -> None:
    from cairn.changes.requests import label, merge
    from cairn.errors import Refused

    commit(root, {SETTINGS: STRICT})
    id = opened(root, labels=(Label("fine", "freshness"),))
    app = app_of(root)
    with pytest.raises(Refused, match="The base is strict"):
        merge(app, id)
    assert label(app, id, add=("fine",), remove=()).level is Level.PASS
    merge(app, id)
    assert (root / PAGE).read_text() == LOUDER


@pytest.mark.usefixtures("strict")
def test_a_revert_is_judged_too(root: Path) -> None:
    from cairn.changes.requests import merge

    id = opened(root)
    merge(app_of(root), id)
    commit(root, {SETTINGS: STRICT})
    assert revert(app_of(root), id).level is Level.BLOCK


# --- landing, limits, the morning's page ------------------------------------------------------------------------------


def test_landing_by_itself_needs_the_operator(root: Path) -> None:
    auto: dict[str, Any] = {"landing": "auto", "kind": "status"}
    quiet = publish_change(app_of(root), change(root, **auto))
    assert isinstance(quiet, PublishResult) and quiet.landed is None and "change.automerge" in (quiet.waits or "")
    git(root, "checkout", "-q", "-b", "topic")
    loud = publish_change(app_of(root, CAIRN_CHANGE__AUTOMERGE="status"), change(root, **auto))
    assert isinstance(loud, PublishResult) and loud.landed is not None
    assert git(root, "show", f"main:{PAGE}") == LOUDER.strip() and status(root) == ""


def test_the_committed_file_cannot_turn_landing_on(root: Path) -> None:
    commit(root, {SETTINGS: '{"change": {"automerge": ["status"], "base": "topic"}}\n'})
    ran = cairn("config", "get", "change.automerge", cwd=root)
    assert ran.out.strip() == "[]" and "ignored here" in ran.err


def lines(root: Path, **env: str) -> list[tuple[str, str]]:
    return [(line.section, line.text) for line in morning(app_of(root, **env)).lines]


def has(root: Path, section: str, *words: str, **env: str) -> bool:
    return any(where == section and all(word in text for word in words) for where, text in lines(root, **env))


def test_the_morning_page(root: Path) -> None:
    env = {"CAIRN_CHANGE__MAX_OPEN": "1", "CAIRN_CHANGE__AUTOMERGE": "status"}
    id = opened(root)
    assert has(root, "waits", "1 change request open", id)
    held = publish_change(app_of(root, **env), change(root, subject="orders"))
    assert isinstance(held, HeldChange)
    assert has(root, "held", "1 change held back", "change.max_open")
    fine = publish_change(app_of(root, **env), change(root, subject="flip", landing="auto", kind="status"))
    assert isinstance(fine, PublishResult) and "checked out" in (fine.waits or "")
    assert has(root, "waits", "1 change request ready")
    assert cairn("change", "close", id, cwd=root).code == 0
    publish_change(app_of(root, **env), change(root, subject="orders"))
    assert not has(root, "held", "held back")
    app_of(root).forge.open_ticket("url:x", "A source is gone", "twice", now_ms=1)
    assert has(root, "waits", "A source is gone")


def test_a_quarantine_comes_through_when_the_quota_is_full(root: Path) -> None:
    env = {"CAIRN_CHANGE__MAX_OPEN": "1", "CAIRN_CHANGE__MAX_PER_HOUR": "1"}
    opened(root, limited=True)
    assert isinstance(publish_change(app_of(root, **env), change(root, subject="b", limited=True)), HeldChange)
    out = publish_change(app_of(root, **env), change(root, subject="bad", kind="quarantine", limited=True))
    assert isinstance(out, PublishResult)


def test_a_damaged_record_is_on_the_page(root: Path) -> None:
    git(root, "update-ref", "refs/cairn/changes/c-broken", git(root, "hash-object", "-w", "README.md"))
    assert has(root, "held", "c-broken")


def test_requests_survive_a_new_database(root: Path) -> None:
    id = opened(root)
    cairn("scan", cwd=root)
    assert cairn("db", "reset", "--hard", "--yes", cwd=root).code == 0
    assert told(root, "list")["requests"][0]["id"] == id


def test_leaving_takes_requests_along_but_nobodys_work(root: Path) -> None:
    before = git(root, "for-each-ref")
    opened(root)
    app_of(root).forge.open_ticket("url:x", "A source is gone", "twice", now_ms=1)
    git(root, "branch", "mine")
    mine = opened(root, subject="orders")
    branch = app_of(root).forge.request(mine).branch
    git(root, "checkout", "-q", branch)
    ran = cairn("uninstall", "--yes", "--json", cwd=root)
    fits_schema(ran.json(), "uninstall")
    assert ran.code == 0 and len(ran.json()["refs"]) == 4
    git(root, "checkout", "-q", "-f", "main")
    git(root, "branch", "-D", branch, "mine")
    assert git(root, "for-each-ref") == before and not (root / ".git" / "cairn").exists()
