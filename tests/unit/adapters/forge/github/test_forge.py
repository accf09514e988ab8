"""What is particular about GitHub: other people there, answers that go wrong in the middle, what is missing."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from cairn.adapters.forge.github.forge import GitHubForge, open_github
from cairn.adapters.forge.github.gate_table import MARKER
from cairn.core.model.change import ChangeSet, FileEdit, GateRuling, Label, Level, RequestState
from cairn.errors import CairnError, Conflict, EnvironmentProblem, NotFound, Refused
from github_stand_in import TOKEN, Asked, Hub, serve
from repository import commit, git, make

PAGE = "knowledge/ovens.md"
FILES = {PAGE: "one\n\ntwo\n\nthree\n", "knowledge/orders.md": "here\n"}
NOW = 1_767_225_600_000
PASSED = (GateRuling("validator", Level.PASS, "All is well."),)


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[Hub]:
    with serve(Hub(make(tmp_path / "hosted", FILES))) as made:
        yield made


def forge(hub: Hub, token: str = TOKEN, **facts: Any) -> GitHubForge:
    return open_github(hub.environment(token), origin=None, sleep=lambda _: None, **facts)


def change(hub: Hub, text: str | None = "one\n\nTWO\n\nthree\n", path: str = PAGE, **facts: Any) -> ChangeSet:
    given = {"origin": "freshness", "subject": "ovens", "title": "docs: say two louder", "base": hub.tip("main")}
    return ChangeSet(edits=(FileEdit(path, None if text is None else text.encode()),), **{**given, **facts})


def opened(hub: Hub, **facts: Any) -> str:
    return forge(hub).publish(change(hub, **facts), PASSED, now_ms=NOW).id


def move_on(hub: Hub, files: Mapping[str, str | None]) -> None:
    git(hub.root, "reset", "-q", "--hard", "main")
    commit(hub.root, files)


def failing(method: str, path: str, status: int = 401, *, after: int = 0) -> Callable[[Asked], Any]:
    """Answers like that from so many such requests on."""
    seen: list[Asked] = []

    def fault(asked: Asked) -> Any:
        if asked.method != method or not asked.path.endswith(path):
            return None
        seen.append(asked)
        return (status, {"message": "Bad credentials"}, {}) if len(seen) > after else None

    return fault


# --- others ---------------------------------------------------------------------------------------------------------


def test_what_comes_out_of_a_fork_is_not_ours_whatever_it_says(hub: Hub) -> None:
    id = opened(hub)
    hub.pulls[int(id)]["head"]["repo"] = {"full_name": "mallory/handbook"}
    assert forge(hub).requests() == []
    with pytest.raises(NotFound, match="was not opened by Cairn"):
        forge(hub).request(id)
    hub.pulls[int(id)]["head"]["repo"] = None  # the fork is gone
    assert forge(hub).requests() == []


def test_a_record_copied_to_another_pull_request_does_not_count(hub: Hub) -> None:
    first, other = opened(hub), opened(hub, subject="other")
    hub.pulls[int(other)]["body"] = hub.pulls[int(first)]["body"]
    assert [request.id for request in forge(hub).requests()] == [first]


@pytest.mark.parametrize("id", ["99", "abc", "", "1/merge", "٣", "9" * 40])
def test_an_id_that_is_not_there(hub: Hub, id: str) -> None:
    with pytest.raises(NotFound, match="cairn change list"):
        forge(hub).request(id)


def test_a_branch_of_somebody_else_is_left_alone(hub: Hub) -> None:
    git(hub.root, "branch", "cairn/freshness/ovens")
    before = hub.tip("cairn/freshness/ovens")
    assert forge(hub).request(opened(hub)).branch == "cairn/freshness/ovens-2"
    assert hub.tip("cairn/freshness/ovens") == before


def test_commits_of_somebody_else_are_not_written_over(hub: Hub) -> None:
    id = opened(hub)
    branch = forge(hub).request(id).branch
    git(hub.root, "checkout", "-q", branch)
    theirs = commit(hub.root, {"knowledge/extra.md": "mine\n"})
    git(hub.root, "checkout", "-q", "main")
    with pytest.raises(Conflict, match="somebody has committed"):
        forge(hub).publish(change(hub, "one\n\n2\n\nthree\n"), PASSED, now_ms=NOW)
    assert hub.tip(branch) == theirs
    assert {edit.path for edit in forge(hub).change(id).edits} == {PAGE, "knowledge/extra.md"}
    forge(hub).judge(id, (GateRuling("secrets", Level.WARN, "Look."),), now_ms=NOW)
    with pytest.raises(Conflict, match="somebody has committed"):
        forge(hub).publish(change(hub, "one\n\n2\n\nthree\n"), PASSED, now_ms=NOW)


def test_a_label_belongs_to_whoever_set_it_there(hub: Hub) -> None:
    id = opened(hub, labels=(Label("quick", "freshness"), Label("kept", "freshness")))
    hub.events[int(id)].append({"event": "labeled", "actor": {"login": "ada"}, "label": {"name": "quick"}})
    hub.issues[int(id)]["labels"].append("looked-at")
    hub.events[int(id)].append({"event": "labeled", "actor": {"login": "bob"}, "label": {"name": "looked-at"}})
    expected = (Label("kept", "freshness"), Label("looked-at", "bob"), Label("quick", "ada"))
    assert forge(hub).request(id).labels == expected
    again = forge(hub).publish(change(hub, "one\n\n2\n\nthree\n"), PASSED, now_ms=NOW)
    assert again.labels == (Label("looked-at", "bob"), Label("quick", "ada")), (
        "those of the origin go with its proposal"
    )
    assert forge(hub).request(id).labels == again.labels


def test_approvals_are_about_the_commit_that_was_seen(hub: Hub) -> None:
    id = opened(hub)
    assert forge(hub, "ada-token").approve(id, "Ada", now_ms=NOW).approved_by == ("ada",)
    assert forge(hub).publish(change(hub, "one\n\n2\n\nthree\n"), PASSED, now_ms=NOW).approved_by == ()
    assert forge(hub).request(id).approved_by == ()


def test_nobody_approves_their_own(hub: Hub) -> None:
    with pytest.raises(Refused, match="as somebody else"):
        forge(hub).approve(opened(hub), "Ada", now_ms=NOW)


def test_gates_are_shown_in_one_comment_of_ours(hub: Hub) -> None:
    id = opened(hub)
    ours = hub.comments[int(id)][0]
    others = [{"id": 900 + n, "user": {"login": "mallory"}, "body": f"{MARKER} mine"} for n in range(150)]
    hub.comments[int(id)] = [*others, ours]  # ours is on the second page
    forge(hub).judge(id, (GateRuling("secrets", Level.BLOCK, "A key."),), now_ms=NOW)
    assert "block" in ours["body"] and len(hub.comments[int(id)]) == 151
    assert all(other["body"] == f"{MARKER} mine" for other in others)
    changes = len(hub.changes())
    forge(hub).judge(id, (GateRuling("secrets", Level.BLOCK, "A key."),), now_ms=NOW)
    assert len(hub.changes()) == changes, "hearing the same again writes nothing"


def test_proposing_the_same_again_writes_objects_only(hub: Hub) -> None:
    opened(hub)
    before = len(hub.changes())
    opened(hub)
    assert {line.split("/git/")[-1] for line in hub.changes()[before:]} == {"blobs", "trees"}


# --- in the middle --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/git/blobs"),
        ("POST", "/git/trees"),
        ("POST", "/git/commits"),
        ("POST", "/git/refs"),
        ("POST", "/pulls"),
        ("POST", "/labels"),
        ("POST", "/comments"),
    ],
)
def test_a_token_that_expires_in_the_middle(hub: Hub, method: str, path: str) -> None:
    hub.fault = failing(method, path)
    with pytest.raises(EnvironmentProblem, match="may have expired") as caught:
        opened(hub, labels=(Label("quick", "freshness"),))
    assert TOKEN not in caught.value.message
    hub.fault = None
    request = forge(hub).request(opened(hub, labels=(Label("quick", "freshness"),)))
    assert request.branch == "cairn/freshness/ovens" and request.labels == (Label("quick", "freshness"),)
    assert len(hub.pulls) == 1 and len(hub.comments[int(request.id)]) == 1


def test_a_branch_without_its_pull_request_does_not_stay(hub: Hub) -> None:
    hub.fault = failing("POST", "/pulls", 422)
    with pytest.raises(Refused):
        opened(hub)
    assert hub.tip("cairn/freshness/ovens") == ""


def test_a_branch_that_could_not_be_taken_away_is_taken_up_again(hub: Hub) -> None:
    def fault(asked: Asked) -> Any:
        gone = asked.method == "DELETE" or (asked.method == "POST" and asked.path.endswith("/pulls"))
        return (401, {"message": "Bad credentials"}, {}) if gone else None

    hub.fault = fault
    with pytest.raises(EnvironmentProblem):
        opened(hub)
    left, hub.fault = hub.tip("cairn/freshness/ovens"), None
    request = forge(hub).request(opened(hub))
    assert left and request.branch == "cairn/freshness/ovens"


@pytest.mark.parametrize("path", ["/pulls/1", "/git/refs/heads%2Fcairn%2Ffreshness%2Fovens"])
def test_an_update_that_stops_half_way_is_finished_by_the_next(hub: Hub, path: str) -> None:
    id = opened(hub)
    hub.fault = failing("PATCH", path)
    with pytest.raises(EnvironmentProblem):
        forge(hub).publish(change(hub, "one\n\n2\n\nthree\n"), PASSED, now_ms=NOW + 1)
    hub.fault = None
    again = forge(hub).publish(change(hub, "one\n\n2\n\nthree\n"), PASSED, now_ms=NOW + 2)
    assert again.id == id and "+2\n" in forge(hub).diff(id)
    assert forge(hub).request(id).head == again.head


def test_a_pull_request_that_is_not_ours_on_our_branch(hub: Hub) -> None:
    id = opened(hub)
    hub.pulls[int(id)]["body"] = "somebody wrote over it"
    with pytest.raises(Conflict, match="record in its text is gone"):
        opened(hub)
    assert hub.pulls[int(id)]["state"] == "open" and hub.tip("cairn/freshness/ovens")


def test_nobody_answers(hub: Hub) -> None:
    env = {**hub.environment(), "GITHUB_API_URL": "http://127.0.0.1:1"}
    with pytest.raises(EnvironmentProblem, match="GitHub could not be asked"):
        open_github(env, origin=None, sleep=lambda _: None).requests()


# --- merging --------------------------------------------------------------------------------------------------------


def test_github_takes_its_time_to_say_whether_it_fits(hub: Hub) -> None:
    id = opened(hub)
    hub.undecided = 4
    assert forge(hub).merge(id, by="ada", now_ms=NOW).request.state is RequestState.MERGED
    assert hub.tip("cairn/freshness/ovens") == "", "its branch is put away"
    other = opened(hub, text="one\n\n2\n\nthree\n", subject="other")
    hub.undecided = 99
    with pytest.raises(EnvironmentProblem, match="try again"):
        forge(hub).merge(other, by="ada", now_ms=NOW)


@pytest.mark.parametrize(("state", "automatic"), [("unstable", True), ("blocked", True), ("blocked", False)])
def test_checks_and_reviews_stand_in_the_way(hub: Hub, state: str, automatic: bool) -> None:
    id, before = opened(hub), hub.tip("main")
    hub.mergeable_state = state
    with pytest.raises(Refused):
        forge(hub).merge(id, by="cairn", automatic=automatic, now_ms=NOW)
    assert hub.tip("main") == before and forge(hub).request(id).state is RequestState.OPEN


def test_a_draft_is_not_merged(hub: Hub) -> None:
    id = opened(hub)
    hub.pulls[int(id)]["draft"] = True
    with pytest.raises(Refused, match="draft"):
        forge(hub).merge(id, by="ada", now_ms=NOW)


def test_a_person_may_merge_what_is_unstable(hub: Hub) -> None:
    id = opened(hub)
    hub.mergeable_state = "unstable"
    assert forge(hub).merge(id, by="ada", now_ms=NOW).commit == hub.tip("main")


def test_a_head_that_moves_while_it_is_merged(hub: Hub) -> None:
    id = opened(hub)
    hub.fault = failing("PUT", "/merge", 409)
    with pytest.raises(Conflict):
        forge(hub).merge(id, by="ada", now_ms=NOW)


@pytest.mark.parametrize(
    ("refused", "method"), [((), "squash"), (("squash",), "merge"), (("squash", "merge"), "rebase")]
)
def test_the_repository_says_how_it_wants_to_be_merged(hub: Hub, refused: tuple[str, ...], method: str) -> None:
    names = {"squash": "allow_squash_merge", "merge": "allow_merge_commit"}
    hub.repository |= {names[name]: False for name in refused}
    forge(hub).merge(opened(hub), by="ada", now_ms=NOW)
    asked = next(asked for asked in hub.asked if asked.method == "PUT")
    assert asked.body["merge_method"] == method


def test_both_sides_changed_a_file_in_other_places(hub: Hub) -> None:
    id = opened(hub)
    move_on(hub, {PAGE: "ONE\n\ntwo\n\nthree\n"})
    again = forge(hub).change(id)
    assert again.base == hub.tip("main")
    assert again.edits == (FileEdit(PAGE, b"ONE\n\nTWO\n\nthree\n"),)


# --- files ----------------------------------------------------------------------------------------------------------


def test_a_workspace_in_a_folder_of_the_repository(hub: Hub) -> None:
    forge_ = forge(hub, prefix="knowledge/")
    made = forge_.publish(change(hub, path="ovens.md"), PASSED, now_ms=NOW)
    assert made.paths == ("ovens.md",) and f"+++ b/{PAGE}" in forge_.diff(made.id)
    assert [edit.path for edit in forge_.change(made.id).edits] == ["ovens.md"]


def test_a_file_keeps_its_mode(hub: Hub) -> None:
    (hub.root / PAGE).chmod(0o755)
    commit(hub.root)
    branch = forge(hub).request(opened(hub)).branch
    assert git(hub.root, "ls-tree", branch, PAGE).startswith("100755")


@pytest.mark.parametrize("path", ["../x.md", "a//b.md", ".git/config", "a/.GIT/x", "./x", "knowledge/link.md"])
def test_paths_that_no_change_may_touch(hub: Hub, path: str) -> None:
    (hub.root / "knowledge/link.md").symlink_to("ovens.md")
    commit(hub.root)
    with pytest.raises(Refused):
        opened(hub, path=path, text="x\n")
    assert hub.pulls == {}


def test_taking_a_file_away_that_is_not_there(hub: Hub) -> None:
    with pytest.raises(Refused, match="like that already"):
        opened(hub, path="knowledge/none.md", text=None)


# --- what is missing ------------------------------------------------------------------------------------------------


def _scopes(hub: Hub) -> None:
    hub.headers = {"X-OAuth-Scopes": "gist, read:org"}


CHECKS: list[tuple[Callable[[Hub], object], str]] = [
    (lambda hub: hub.logins.clear(), "may have expired"),
    (lambda hub: hub.repository.update(archived=True), "archived"),
    (lambda hub: hub.repository.update(permissions={"push": False}), "may not write"),
    (lambda hub: hub.repository.update(default_branch="trunk"), "no branch `trunk`"),
    (_scopes, "needs `repo`"),
    (lambda hub: setattr(hub, "fault", failing("GET", "/handbook", 404)), "knows no repository bakery/handbook"),
]


@pytest.mark.parametrize(("spoil", "says"), CHECKS)
def test_check_names_what_is_missing(hub: Hub, spoil: Callable[[Hub], object], says: str) -> None:
    forge(hub).check()
    spoil(hub)
    with pytest.raises(CairnError, match=says) as caught:
        forge(hub).check()
    assert caught.value.exit_code == 2 and TOKEN not in caught.value.message


def test_nothing_is_asked_before_it_is_needed(hub: Hub) -> None:
    forge(hub)
    assert hub.asked == []


def test_a_ticket_of_a_stranger_is_not_ours(hub: Hub) -> None:
    made = forge(hub).open_ticket("url:x", "Gone", "twice", now_ms=NOW)
    hub.issues[int(made.id)]["labels"] = []
    assert forge(hub).tickets(open_only=False) == []
