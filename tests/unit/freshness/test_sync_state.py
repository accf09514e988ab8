"""Two clones of one repository: what one has seen the other knows, and nothing is half taken in."""

import os
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bakery import LOUDER
from cairn.adapters.forge.local.forge import LocalForge
from cairn.adapters.vcs.state_ref import StateRef
from cairn.core.model.change import ChangeSet, FileEdit
from cairn.core.ports.git_refs import STATE_REF
from cairn.core.ports.sources import SourceRow
from cairn.errors import CairnError, EnvironmentProblem, Refused
from cairn.freshness.sync_state import come_home, pull, push, set_out, shown
from cairn.graph.run_scan import run_scan
from repository import git
from travellers import NOW, URL, Clone, clone, server

ENTRY = "knowledge/http/limits.md"


@pytest.fixture(params=["sqlite", "postgres"])
def pair(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Clone, Clone]:
    db = request.getfixturevalue("postgres_url") if request.param == "postgres" else None
    bare = server(tmp_path)
    return clone(bare, "one", db), clone(bare, "two", db)


@pytest.fixture
def two(tmp_path: Path) -> tuple[Clone, Clone]:
    bare = server(tmp_path)
    return clone(bare, "one"), clone(bare, "two")


def pushed(here: Clone) -> str:
    with closing(here.app()) as app:
        run_scan(app, app.scan_request(), remember=False)
        return push(app, remote=True).commit


def pulled(here: Clone) -> Any:
    with closing(here.app()) as app:
        return pull(app, remote=True)


# --- back and forth -------------------------------------------------------------------------------------------------


def test_what_one_has_seen_the_other_knows(pair: tuple[Clone, Clone]) -> None:
    one, other = pair
    one.saw("a hundred a minute")
    one.failed(ENTRY)
    pushed(one)
    got = pulled(other)
    assert other.knows() == one.knows() == {"texts": {URL: "a hundred a minute"}, "history": 1, "attempts": [ENTRY]}
    assert (got.rows["sources"], got.rows["attempts"], got.snapshots) == (1, 1, 1)
    assert not pulled(other).anything, "the second time there is no news"


def test_the_newer_sighting_wins_whoever_pushes_first(pair: tuple[Clone, Clone]) -> None:
    one, other = pair
    one.saw("old", NOW - 10)
    other.saw("new", NOW)
    pushed(other)
    pushed(one)
    pulled(other)
    assert one.knows()["texts"] == other.knows()["texts"] == {URL: "new"}
    assert one.knows()["history"] == other.knows()["history"] == 2


def test_an_attempt_that_was_made_up_for_does_not_come_back(two: tuple[Clone, Clone]) -> None:
    one, other = two
    one.saw("text")
    one.failed(ENTRY)
    pushed(one)
    pulled(other)
    other.forgets(ENTRY)
    pulled(other)
    assert other.knows()["attempts"] == []
    pushed(other)
    pulled(one)
    assert one.knows()["attempts"] == []


def test_a_store_that_was_thrown_away_gets_everything_back(two: tuple[Clone, Clone]) -> None:
    one, _ = two
    one.saw("text")
    one.failed(ENTRY)
    pushed(one)
    before = one.knows()
    for file in (one.root / ".cairn").glob("cairn.db*"):
        file.unlink()
    with closing(one.app()) as app:
        assert pull(app, remote=False).anything
    assert one.knows() == before


def test_the_ref_only_grows_and_says_nothing_twice(two: tuple[Clone, Clone]) -> None:
    one, other = two
    one.saw("a")
    first = pushed(one)
    assert pushed(one) == first
    other.saw("b", NOW - 5, url=URL + "/other")
    second = pushed(other)
    there = git(one.root, "ls-remote", "origin", STATE_REF).split()[0]
    assert there == second and git(other.root, "merge-base", "--is-ancestor", first, second) == ""
    assert git(one.root, "status", "--porcelain") == "", "the checkout has no part in it"


def test_where_two_have_parted_the_next_commit_joins_them(two: tuple[Clone, Clone]) -> None:
    one, other = two
    one.saw("a")
    with closing(one.app()) as app:
        alone = push(app, remote=False).commit
    other.saw("b", url=URL + "/b")
    theirs = pushed(other)
    joined = pushed(one)
    assert git(one.root, "log", "-1", "--format=%P", joined).split() == [theirs, alone]
    assert len(one.knows()["texts"]) == 2


def test_workspaces_of_one_repository_keep_out_of_each_others_way(two: tuple[Clone, Clone]) -> None:
    one, _ = two
    (one.root / "docs/.cairn").mkdir(parents=True)
    (one.root / "docs/.cairn/settings.json").write_text('{"corpora": {"k": {"root": ".", "layout": "plain"}}}')
    below = Clone(one.root / "docs")
    one.saw("above")
    below.saw("below")
    pushed(one)
    pushed(below)
    assert sorted(git(one.root, "ls-tree", "--name-only", STATE_REF).split()) == ["at", "at-docs"]
    one.saw("above, later", NOW + 5)
    pushed(one)
    assert below.knows()["texts"] == {URL: "below"}
    assert sorted(git(one.root, "ls-tree", "--name-only", STATE_REF).split()) == ["at", "at-docs"]


def test_state_shows_what_a_fresh_clone_would_know(two: tuple[Clone, Clone]) -> None:
    one, _ = two
    one.saw("text")
    with closing(one.app()) as app:
        run_scan(app, app.scan_request(), remember=False)
        before = shown(app)
    assert before["commit"] is None and before["notYet"]["sources"] == 1
    commit = pushed(one)
    with closing(one.app()) as app:
        after = shown(app)
    assert after["commit"] == commit and after["holds"]["snapshots"] == 1 and not any(after["notYet"].values())


# --- a race ---------------------------------------------------------------------------------------------------------


def test_who_loses_a_race_takes_in_the_other_and_tries_again(
    two: tuple[Clone, Clone], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = two
    one.saw("mine")
    other.saw("theirs", url=URL + "/theirs")
    real: Callable[..., bool] = StateRef.push
    raced: list[str] = []

    def late(self: StateRef, commit: str, expected: str | None) -> bool:
        if not raced:
            raced.append(commit)
            monkeypatch.setattr(StateRef, "push", real)
            pushed(other)
        return real(self, commit, expected)

    monkeypatch.setattr(StateRef, "push", late)
    with closing(one.app()) as app:
        run_scan(app, app.scan_request(), remember=False)
        done = push(app, remote=True)
    assert done.tries == 2 and len(one.knows()["texts"]) == 2
    pulled(other)
    assert other.knows() == one.knows()


def test_a_race_that_is_never_won_ends(two: tuple[Clone, Clone], monkeypatch: pytest.MonkeyPatch) -> None:
    one, _ = two
    one.saw("mine")
    monkeypatch.setattr(StateRef, "push", lambda *_: False)
    with closing(one.app()) as app, pytest.raises(CairnError, match="5 times"):
        push(app, remote=True)
    assert one.knows()["texts"] == {URL: "mine"}


# --- change requests ------------------------------------------------------------------------------------------------


def proposed(here: Clone, text: str = LOUDER) -> ChangeSet:
    edits = (FileEdit(ENTRY, text.encode()),)
    base = git(here.root, "rev-parse", "main")
    return ChangeSet(origin="freshness", subject=ENTRY, title="docs: louder", base=base, edits=edits)


def test_requests_travel_and_can_be_decided_about_elsewhere(two: tuple[Clone, Clone]) -> None:
    one, other = two
    id = LocalForge(one.root).publish(proposed(one), (), now_ms=NOW).id
    pushed(one)
    assert pulled(other).requests == 1
    there = LocalForge(other.root)
    request = there.request(id)
    assert request.active and "+TWO" in there.diff(id)
    assert git(other.root, "show", f"{request.branch}:{ENTRY}") == LOUDER.strip()
    there.close(id, reason="no", now_ms=NOW + 1_000)
    pushed(other)
    assert pulled(one).requests == 1 and str(LocalForge(one.root).request(id).state) == "closed"
    assert request.branch not in git(one.root, "branch", "--list")
    assert pulled(one).requests == 0 and pulled(other).requests == 0


def test_what_is_newer_here_stays(two: tuple[Clone, Clone]) -> None:
    one, other = two
    forge = LocalForge(one.root)
    id = forge.publish(proposed(one), (), now_ms=NOW).id
    pushed(one)
    forge.close(id, now_ms=NOW + 1_000)
    pulled(one)
    assert str(forge.request(id).state) == "closed"
    pulled(other)
    LocalForge(other.root).approve(id, "Ada", now_ms=NOW + 500)
    pushed(other)
    pulled(one)
    assert str(forge.request(id).state) == "closed"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (b'"branch": "cairn/freshness/', b'"branch": "main-', "cannot be understood"),
        (b'"branch": "cairn/freshness/', b'"branch": "cairn/../', "cannot be understood"),
        (b'"baseBranch": "main"', b'"baseBranch": "-x"', "no branch that there could be"),
        (b'"format": 1', b'"format": 9', "cannot be understood"),
        (b'"was": null', b'"was": [], "x": "' + b"x" * 1_100_000 + b'"', "is not whole"),
    ],
    ids=["a branch of somebody's", "a path", "an option", "newer", "huge"],
)
def test_a_request_that_would_reach_further_than_its_own_branch_is_refused(
    two: tuple[Clone, Clone], old: bytes, new: bytes, says: str
) -> None:
    one, other = two
    id = LocalForge(one.root).publish(proposed(one), (), now_ms=NOW).id
    pushed(one)
    text = subprocess.check_output(["git", "-C", one.root, "show", f"{STATE_REF}:at/changes/{id}/request.json"])
    assert old in text
    tampered(one, f"at/changes/{id}/request.json", text.replace(old, new))
    with pytest.raises(Refused, match=says):
        pulled(other)
    assert git(other.root, "for-each-ref", "refs/cairn") == ""


# --- what is wrong --------------------------------------------------------------------------------------------------


def tampered(here: Clone, path: str, content: bytes | None, mode: str = "100644") -> None:
    """Somebody edits the ref at the server by hand."""
    env = {**os.environ, "GIT_INDEX_FILE": os.fspath(here.root / "odd-index")}
    call = {"cwd": here.root, "env": env, "check": True, "capture_output": True}
    blob = subprocess.run(["git", "hash-object", "-w", "--stdin"], input=content or b"", **call).stdout.decode().strip()
    subprocess.run(["git", "read-tree", STATE_REF], **call)
    subprocess.run(["git", "update-index", "--add", "--cacheinfo", f"{mode},{blob},{path}"], **call)
    tree = subprocess.run(["git", "write-tree"], **call).stdout.decode().strip()
    commit = git(here.root, "commit-tree", tree, "-p", STATE_REF, "-m", "by hand")
    git(here.root, "push", "-q", "origin", f"{commit}:{STATE_REF}")


@pytest.mark.parametrize(
    ("path", "content", "mode", "says"),
    [
        ("at/format.json", b'{"format": 7}', "100644", "newer Cairn"),
        ("at/format.json", b"\xff", "100644", "does not say which format"),
        ("at/sources.jsonl", b"nonsense\n", "100644", "`sources.jsonl`, line 1, is no JSON"),
        ("at/links.jsonl", b"../../etc/passwd", "120000", "`links.jsonl`"),
        ("at/setup.py", b"print(1)", "100644", "`setup.py`"),
        ("at/snapshots/ab/cd", b"x", "100644", "no snapshot of a source"),
        ("at/snapshots/zz/" + "a" * 62, b"x", "100644", "no snapshot of a source"),
        ("at/changes/note.txt", b"x", "100644", "no change request"),
        ("at/changes/c-0a0b0c0d/request.json", b"{}", "100644", "is not whole"),
    ],
)
def test_damage_is_refused_as_a_whole(
    two: tuple[Clone, Clone], path: str, content: bytes, mode: str, says: str
) -> None:
    one, other = two
    one.saw("sound")
    pushed(one)
    tampered(one, path, content, mode)
    with pytest.raises(Refused, match=says) as refused:
        pulled(other)
    assert f"git push origin :{STATE_REF}" in refused.value.message
    assert other.knows() == {"texts": {}, "history": 0, "attempts": []}
    assert not list((other.root / ".cairn").glob("snapshots/*/*")) and git(other.root, "for-each-ref", STATE_REF) == ""


def test_a_snapshot_that_is_not_what_its_name_says(two: tuple[Clone, Clone]) -> None:
    one, other = two
    key = one.saw("sound").removeprefix("sha256:")
    pushed(one)
    tampered(one, f"at/snapshots/{key[:2]}/{key[2:]}", b"another text")
    with pytest.raises(Refused, match="not what its name says"):
        pulled(other)
    assert other.knows()["texts"] == {}


def test_what_is_no_commit_is_refused(two: tuple[Clone, Clone]) -> None:
    one, other = two
    blob = git(one.root, "hash-object", "-w", "knowledge/http/limits.md")
    git(one.root, "push", "-q", "origin", f"{blob}:{STATE_REF}")
    with pytest.raises(Refused, match="is no commit"):
        pulled(other)


def test_a_remote_that_is_missing_or_cannot_be_reached(two: tuple[Clone, Clone]) -> None:
    one, other = two
    git(one.root, "remote", "set-url", "origin", "https://ada:secret@127.0.0.1:9/x.git")
    with pytest.raises(EnvironmentProblem, match="check that `origin` can be reached") as problem:
        pulled(one)
    assert "secret" not in problem.value.message
    git(other.root, "remote", "remove", "origin")
    with pytest.raises(EnvironmentProblem, match="no remote `origin`"):
        pulled(other)


# --- around a run ---------------------------------------------------------------------------------------------------


def test_a_run_without_leave_touches_no_ref_and_says_what_it_cannot_know(two: tuple[Clone, Clone]) -> None:
    one, _ = two
    with closing(one.app()) as app:
        journey = set_out(app, dry_run=False)
        one.saw("text")
        journey = come_home(app, journey, dry_run=False)
    assert journey.fresh and journey.pulled is None and journey.pushed is None
    assert any(line.startswith("First run: recorded the current text") for line in journey.lines())
    assert git(one.root, "for-each-ref", STATE_REF) == ""


def test_a_first_run_says_how_many_texts_it_recorded(two: tuple[Clone, Clone]) -> None:
    one, _ = two
    with closing(one.app()) as app:
        start = set_out(app, dry_run=False)
        failed = SourceRow("https://example.org/gone", failures=1, cause="refused", reason="It is refused.")
        app.store.web.keep_sources([failed])
        assert list(come_home(app, start, dry_run=False).lines()) == [], "nothing was recorded"
        one.saw("text")
        [line] = come_home(app, start, dry_run=False).lines()
    assert line.startswith("First run: recorded the current text of 1 of 2 sources.")


@pytest.mark.parametrize("mode", ["local", "push"])
def test_a_run_with_leave_takes_along_what_it_knows(two: tuple[Clone, Clone], mode: str) -> None:
    one, other = two
    one.saw("text")
    with closing(one.app(**{"freshness.state": mode})) as app:
        journey = come_home(app, set_out(app, dry_run=False), dry_run=False)
    assert not journey.fresh and journey.json()["pushed"] is (mode == "push")
    assert bool(git(one.root, "ls-remote", "origin", STATE_REF)) is (mode == "push")
    with closing(other.app(**{"freshness.state": "push"})) as app:
        assert set_out(app, dry_run=True).fresh is (mode == "local")
    assert git(other.root, "for-each-ref", STATE_REF) == "", "a rehearsal leaves no trace in git"


def test_a_push_that_fails_in_the_end_hides_nothing(two: tuple[Clone, Clone]) -> None:
    one, _ = two
    with closing(one.app(**{"freshness.state": "push"})) as app:
        journey = set_out(app, dry_run=False)
        git(one.root, "remote", "remove", "origin")
        ended = come_home(app, journey, dry_run=False)
    assert ended.pushed is None and "no remote `origin`" in (ended.problem or "")
