"""The forge in the repository: nobody's checkout is touched, and what people do beside it is respected."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from bakery import LINES, LOUDER, NOW, PAGE, bakery, opened, proposal, status
from cairn.adapters.forge.local.forge import LocalForge
from cairn.core.model.change import FileEdit, Label, RequestState
from cairn.errors import Conflict, EnvironmentProblem, Refused
from repository import commit, git, make, put


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return bakery(tmp_path / "work")


def _seen(root: Path) -> dict[str, tuple[int, bytes]]:
    """Time and content of every file of the work tree, and of the index and HEAD."""
    files = [path for path in root.rglob("*") if path.is_file() and ".git" not in path.parts]
    files += [root / ".git" / "index", root / ".git" / "HEAD"]
    return {str(path): (path.stat().st_mtime_ns, path.read_bytes()) for path in files}


def test_the_checkout_is_not_touched(root: Path) -> None:
    put(root, {"README.md": "# Half\n", "notes.txt": "mine\n"})
    git(root, "add", "README.md")
    put(root, {"README.md": "# Half written\n"})
    stood, before = status(root), _seen(root)
    forge = LocalForge(root)
    id = opened(root)
    forge.publish(proposal(root, {PAGE: LINES + "six\n"}), (), now_ms=NOW + 1)
    forge.label(id, add=(Label("x", "ada"),), now_ms=NOW)
    forge.approve(id, "ada", now_ms=NOW)
    forge.change(id)
    forge.close(id, now_ms=NOW)
    forge.reopen(id, now_ms=NOW)
    forge.open_ticket("cause", "t", "b", now_ms=NOW)
    assert _seen(root) == before and status(root) == stood
    assert not [name for name in os.listdir(root / ".git" / "cairn") if name != "forge.lock"]


HOOKS = (
    "pre-commit",
    "commit-msg",
    "post-commit",
    "reference-transaction",
    "post-checkout",
    "post-index-change",
    "update",
)


def test_no_hook_runs(root: Path) -> None:
    for name in HOOKS:
        hook = root / ".git" / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\ntouch '{root}/ran-{name}'\n")
        hook.chmod(0o755)
    LocalForge(root).merge(opened(root), by="ada", now_ms=NOW)
    assert not list(root.glob("ran-*"))


def test_branch_and_commit_are_real(root: Path) -> None:
    request = LocalForge(root).request(opened(root, body="The page says so.", title="docs: say\n two louder"))
    assert request.branch == "cairn/freshness/ovens"
    assert git(root, "rev-parse", request.branch) == request.head
    assert git(root, "rev-parse", f"{request.head}^") == request.base == git(root, "rev-parse", "main")
    assert git(root, "show", f"{request.head}:{PAGE}") == LOUDER.strip()
    message = git(root, "log", "-1", "--format=%B", request.head)
    assert message.splitlines()[:3] == ["docs: say two louder", "", "The page says so."]
    assert f"Cairn-Change: {request.id}" in message
    assert git(root, "log", "-1", "--format=%an %at", request.head) == f"Cairn {NOW // 1000}"
    assert git(root, "fsck", "--strict", "--no-dangling") == ""


def test_requests_don_t_show_in_the_log_of_everything(root: Path) -> None:
    LocalForge(root).close(opened(root), now_ms=NOW)
    assert git(root, "log", "--all", "--format=%s") == "a step"


def test_a_file_keeps_its_mode(root: Path) -> None:
    (root / "run.sh").write_text("echo\n")
    (root / "run.sh").chmod(0o755)
    commit(root)
    LocalForge(root).merge(opened(root, {"run.sh": "echo 2\n"}), by="ada", now_ms=NOW)
    assert git(root, "ls-files", "--stage", "run.sh").startswith("100755")
    assert os.access(root / "run.sh", os.X_OK)


@pytest.mark.parametrize(
    "path",
    [
        "../x.md",
        "/x.md",
        ".git/config",
        "a/.GIT/hooks/x",
        "a//b.md",
        "./a.md",
        "link.md",
        "README.md/below.md",
        "knowledge",
    ],
)
def test_paths_that_no_change_may_touch(root: Path, path: str) -> None:
    (root / "link.md").symlink_to("README.md")
    commit(root)
    before = git(root, "for-each-ref")
    with pytest.raises(Refused):
        opened(root, {path: "x\n"})
    assert git(root, "for-each-ref") == before


def test_a_workspace_below_the_top(tmp_path: Path) -> None:
    top = make(tmp_path / "mono", {f"docs/{PAGE}": LINES, "else.md": "x\n"})
    root = top / "docs"
    forge = LocalForge(root)
    id = forge.publish(proposal(root), (), now_ms=NOW).id
    assert forge.request(id).paths == (PAGE,)
    assert forge.change(id).edits == (FileEdit(PAGE, LOUDER.encode()),)
    forge.merge(id, by="ada", now_ms=NOW)
    assert (root / PAGE).read_text() == LOUDER and status(top) == ""


# --- the base branch --------------------------------------------------------------------------------------------------


def _empty(root: Path) -> None:
    root.mkdir()
    git(root, "init", "-q", "-b", "main")


def _trunk(root: Path) -> None:
    bakery(root)
    git(root, "branch", "-m", "trunk")


def _origin(root: Path) -> None:
    bakery(root)
    git(root, "branch", "stable")
    git(root, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/stable")


def _origin_only_there(root: Path) -> None:
    bakery(root)
    git(root, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/stable")


def _master(root: Path) -> None:
    bakery(root)
    git(root, "branch", "-m", "master")
    git(root, "checkout", "-q", "-b", "topic")


def _detached(root: Path) -> None:
    _trunk(root)
    git(root, "checkout", "-q", "--detach")


@pytest.mark.parametrize(
    ("made", "chosen", "branch"),
    [
        (bakery, None, "main"),
        (_trunk, None, "trunk"),
        (_origin, None, "stable"),
        (_origin_only_there, None, "main"),
        (_master, None, "master"),
        (_master, "topic", "topic"),
    ],
)
def test_which_branch_changes_are_for(
    tmp_path: Path, made: Callable[[Path], object], chosen: str | None, branch: str
) -> None:
    made(tmp_path / "work")
    assert LocalForge(tmp_path / "work", base=chosen).base_branch() == branch


@pytest.mark.parametrize(
    ("made", "chosen", "said"),
    [
        (lambda root: root.mkdir(), None, "in no git repository"),
        (_empty, None, "no commit yet"),
        (_detached, None, "HEAD is detached"),
        (bakery, "gone", "no such branch"),
    ],
)
def test_why_there_is_no_branch_for_changes(
    tmp_path: Path, made: Callable[[Path], object], chosen: str | None, said: str
) -> None:
    made(tmp_path / "work")
    with pytest.raises(EnvironmentProblem, match=said):
        LocalForge(tmp_path / "work", base=chosen).check()


def test_where_no_repository_is_there_are_no_requests(tmp_path: Path) -> None:
    assert LocalForge(tmp_path).requests() == [] and LocalForge(tmp_path).tickets() == []


# --- branches of requests ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("there", "wanted", "got"),
    [
        ((), "", "cairn/freshness/ovens"),
        (("cairn/freshness/ovens",), "", "cairn/freshness/ovens-2"),
        (("cairn/freshness/ovens", "cairn/freshness/ovens-2"), "", "cairn/freshness/ovens-3"),
        (("cairn",), "", "cairn-freshness-ovens"),
        (("cairn/freshness/ovens/x",), "", "cairn/freshness/ovens-2"),
        ((), "knowledge-freshness/ovens", "knowledge-freshness/ovens"),
        ((), "not a..name", "cairn/freshness/not-a.name"),
        ((), "-x", "cairn/freshness/x"),
    ],
)
def test_names_of_branches(root: Path, there: tuple[str, ...], wanted: str, got: str) -> None:
    for name in there:
        git(root, "branch", name)
    request = LocalForge(root).request(opened(root, branch=wanted))
    assert request.branch == got and git(root, "rev-parse", got) == request.head
    assert all(git(root, "rev-parse", name) == git(root, "rev-parse", "main") for name in there)


def test_branches_go_when_a_request_is_done_with(root: Path) -> None:
    forge = LocalForge(root)
    id = opened(root)
    forge.close(id, now_ms=NOW)
    assert git(root, "branch", "--format=%(refname:short)") == "main"
    git(root, "gc", "-q", "--prune=now")
    forge.reopen(id, now_ms=NOW)
    assert git(root, "show", f"cairn/freshness/ovens:{PAGE}") == LOUDER.strip()
    forge.merge(id, by="ada", now_ms=NOW)
    assert git(root, "branch", "--format=%(refname:short)") == "main"


def test_commits_of_a_person_on_the_branch_count(root: Path) -> None:
    forge, id = LocalForge(root), opened(root)
    git(root, "checkout", "-q", "cairn/freshness/ovens")
    tip = commit(root, {PAGE: LOUDER + "six\n", "extra.md": "more\n"})
    git(root, "checkout", "-q", "main")
    request = forge.request(id)
    assert (request.head, request.paths) == (tip, ("extra.md", PAGE))
    assert "+six" in forge.diff(id) and {edit.path for edit in forge.change(id).edits} == {"extra.md", PAGE}
    with pytest.raises(Conflict, match="somebody has committed"):
        forge.publish(proposal(root, {PAGE: LINES + "seven\n"}), (), now_ms=NOW)
    assert git(root, "rev-parse", "cairn/freshness/ovens") == tip
    forge.merge(id, by="ada", now_ms=NOW)
    assert (root / "extra.md").read_text() == "more\n" and git(root, "rev-parse", "main") == tip


def test_a_branch_that_somebody_looks_at_is_not_moved(root: Path, tmp_path: Path) -> None:
    forge, id = LocalForge(root), opened(root)
    git(root, "worktree", "add", "-q", str(tmp_path / "review"), "cairn/freshness/ovens")
    with pytest.raises(Conflict, match="is checked out in"):
        forge.publish(proposal(root, {PAGE: LINES + "seven\n"}), (), now_ms=NOW)
    forge.close(id, now_ms=NOW)
    assert "cairn/freshness/ovens" in git(root, "branch", "--format=%(refname:short)")


def test_a_branch_that_was_deleted_is_no_loss(root: Path) -> None:
    forge, id = LocalForge(root), opened(root)
    git(root, "branch", "-D", "cairn/freshness/ovens")
    git(root, "gc", "-q", "--prune=now")
    forge.merge(id, by="ada", now_ms=NOW)
    assert (root / PAGE).read_text() == LOUDER


# --- merging ----------------------------------------------------------------------------------------------------------


def test_lines_that_others_changed_meanwhile_stay(root: Path) -> None:
    forge, id = LocalForge(root), opened(root)
    commit(root, {PAGE: LINES.replace("five", "FIVE")})
    merged = forge.merge(id, by="ada", now_ms=NOW)
    assert merged.rebased and (root / PAGE).read_text() == LOUDER.replace("five", "FIVE")
    assert git(root, "rev-list", "--count", "--merges", "main") == "0" and status(root) == ""


def test_a_lock_file_keeps_the_lines_of_both(tmp_path: Path) -> None:
    lock = "docs/cairn.lock"
    root = bakery(tmp_path / "work", **{lock: "# cairn.lock 1\n"})
    id = opened(root, {lock: "# cairn.lock 1\n\na.md  reviewed  2026-01-01\n"})
    commit(root, {lock: "# cairn.lock 1\n\nb.md  reviewed  2026-01-02\n"})
    LocalForge(root).merge(id, by="ada", now_ms=NOW)
    assert {"a.md  reviewed  2026-01-01", "b.md  reviewed  2026-01-02"} <= set((root / lock).read_text().splitlines())


def test_what_is_not_text_is_not_merged(root: Path) -> None:
    (root / "x.bin").write_bytes(b"\0one")
    commit(root)
    id = opened(root, {"x.bin": b"\0two"})
    (root / "x.bin").write_bytes(b"\0three")
    tip = commit(root)
    with pytest.raises(Conflict, match=r"x\.bin"):
        LocalForge(root).merge(id, by="ada", now_ms=NOW)
    assert git(root, "rev-parse", "main") == tip


def test_a_merge_program_of_the_repository_is_not_run(root: Path) -> None:
    git(root, "config", "merge.evil.driver", f"touch '{root}/ran'")
    put(root, {".gitattributes": "*.md merge=evil\n"})
    commit(root)
    id = opened(root)
    commit(root, {PAGE: LINES.replace("five", "FIVE")})
    LocalForge(root).merge(id, by="ada", now_ms=NOW)
    assert not (root / "ran").exists() and "TWO" in (root / PAGE).read_text()


def test_the_checkout_moves_along_and_keeps_what_is_unrelated(root: Path, tmp_path: Path) -> None:
    other = tmp_path / "topic"
    git(root, "worktree", "add", "-q", "-b", "topic", str(other))
    id = opened(root, {PAGE: None, "knowledge/deep/new.md": "fresh\n"})
    put(root, {"README.md": "# Staged\n"})
    git(root, "add", "README.md")
    put(root, {"README.md": "# Staged, and more\n", "mine.txt": "x\n"})
    merged = LocalForge(root).merge(id, by="ada", now_ms=NOW)
    assert merged.moved == (str(root),)
    assert not (root / PAGE).exists() and (root / "knowledge/deep/new.md").read_text() == "fresh\n"
    assert status(root).splitlines() == ["MM README.md", "?? mine.txt"]
    assert (other / PAGE).exists() and status(other) == ""


def test_every_checkout_of_the_base_moves_along(root: Path, tmp_path: Path) -> None:
    second = tmp_path / "second"
    git(root, "worktree", "add", "-q", "--force", str(second), "main")
    merged = LocalForge(root).merge(opened(root), by="ada", now_ms=NOW)
    assert set(merged.moved) == {str(root), str(second)}
    assert [(place / PAGE).read_text() for place in (root, second)] == [LOUDER, LOUDER]
    assert status(root) == "" == status(second)


def test_a_work_tree_that_is_gone_is_no_obstacle(root: Path, tmp_path: Path) -> None:
    import shutil

    git(root, "worktree", "add", "-q", "--force", str(tmp_path / "second"), "main")
    shutil.rmtree(tmp_path / "second")
    assert LocalForge(root).merge(opened(root), by="ada", now_ms=NOW).moved == (str(root),)


def _edited(root: Path) -> None:
    put(root, {PAGE: LINES + "mine\n"})


def _staged(root: Path) -> None:
    _edited(root)
    git(root, "add", PAGE)
    put(root, {PAGE: LINES})


def _removed(root: Path) -> None:
    (root / PAGE).unlink()


def _untracked(root: Path) -> None:
    put(root, {"new.md": "mine\n"})


def _linked(root: Path) -> None:
    (root / PAGE).unlink()
    (root / PAGE).symlink_to("../README.md")


def _executable(root: Path) -> None:
    (root / PAGE).chmod(0o755)


def _looked_away(root: Path) -> None:
    git(root, "update-index", "--assume-unchanged", PAGE)
    _edited(root)


def _merging(root: Path) -> None:
    (root / ".git" / "MERGE_HEAD").write_text(git(root, "rev-parse", "HEAD") + "\n")


def _rebasing(root: Path) -> None:
    (root / ".git" / "rebase-merge").mkdir()
    (root / ".git" / "rebase-merge" / "head-name").write_text("refs/heads/main\n")
    git(root, "checkout", "-q", "--detach")


def _filtered(root: Path) -> None:
    put(root, {".gitattributes": "*.md filter=lfs\n"})


def _locked(root: Path) -> None:
    (root / ".git" / "index.lock").touch()


@pytest.mark.parametrize(
    ("meanwhile", "said"),
    [
        (_edited, "not committed"),
        (_staged, "staged"),
        (_removed, "is missing"),
        (_untracked, "without being in git"),
        (_linked, "something else"),
        (_executable, "not committed"),
        (_looked_away, "not committed"),
        (_merging, "A merge is under way"),
        (_rebasing, "A rebase is under way"),
        (_filtered, "filter `lfs`"),
        (_locked, "cannot be written now"),
    ],
)
def test_a_checkout_in_the_way_is_named_and_left_alone(
    root: Path, meanwhile: Callable[[Path], None], said: str
) -> None:
    id = opened(root, {PAGE: LOUDER, "new.md": "fresh\n"})
    meanwhile(root)
    tip, before = git(root, "rev-parse", "main"), _seen(root)
    with pytest.raises(Refused, match=said):
        LocalForge(root).merge(id, by="ada", now_ms=NOW)
    assert git(root, "rev-parse", "main") == tip and _seen(root) == before
    assert LocalForge(root).request(id).state is RequestState.OPEN


def test_after_the_way_is_free_it_merges(root: Path) -> None:
    id = opened(root)
    _locked(root)
    with pytest.raises(Refused):
        LocalForge(root).merge(id, by="ada", now_ms=NOW)
    (root / ".git" / "index.lock").unlink()
    LocalForge(root).merge(id, by="ada", now_ms=NOW)
    assert (root / PAGE).read_text() == LOUDER and status(root) == ""


def test_nothing_lands_by_itself_under_somebodys_feet(root: Path) -> None:
    forge, id = LocalForge(root), opened(root)
    tip, before = git(root, "rev-parse", "main"), _seen(root)
    with pytest.raises(Refused, match="cairn change merge"):
        forge.merge(id, by="cairn", automatic=True, now_ms=NOW)
    assert forge.request(id).state is RequestState.READY
    assert git(root, "rev-parse", "main") == tip and _seen(root) == before
    git(root, "checkout", "-q", "-b", "topic")
    assert forge.merge(id, by="cairn", automatic=True, now_ms=NOW).moved == ()
    assert git(root, "show", f"main:{PAGE}") == LOUDER.strip() and (root / PAGE).read_text() == LINES


def test_where_a_merge_went_stands_in_the_reflog(root: Path) -> None:
    id = opened(root)
    LocalForge(root).merge(id, by="ada", now_ms=NOW)
    assert f"cairn: merge {id}" in git(root, "reflog", "main", "-1")


# --- records ----------------------------------------------------------------------------------------------------------


def test_a_record_that_cannot_be_read_is_named_and_harms_no_other(root: Path) -> None:
    id = opened(root)
    blob = git(root, "hash-object", "-w", "README.md")
    git(root, "update-ref", "refs/cairn/changes/c-broken", blob)
    forge = LocalForge(root)
    assert [request.id for request in forge.requests()] == [id] and forge.damaged() == ["c-broken"]


NAMES: tuple[Mapping[str, str], ...] = (
    {"title": "Ünï — ‘quotes’\x07\x1b[31m", "subject": "ovens/ü", "body": "a\r\nb\0c"},
    {"title": "", "subject": "", "body": ""},
    {"title": "-x", "subject": "../../etc", "body": "--\n---\n+++ b"},
    {"title": "x" * 5000, "subject": "y" * 5000, "body": "z\n" * 5000},
)


@pytest.mark.parametrize("facts", NAMES, ids=["odd letters", "nothing", "looks like options", "long"])
def test_whatever_a_change_is_called_it_comes_and_lands(root: Path, facts: Mapping[str, str]) -> None:
    forge = LocalForge(root)
    id = opened(root, None, **facts)
    request = forge.request(id)
    assert (request.title, request.subject) == (facts["title"], facts["subject"])
    forge.merge(id, by="ada", now_ms=NOW)
    assert git(root, "fsck", "--strict", "--no-dangling") == "" and (root / PAGE).read_text() == LOUDER
