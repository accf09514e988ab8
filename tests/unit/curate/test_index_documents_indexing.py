"""The documents of a base in a real repository: made, staged, kept fresh, and told when they are not."""

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from cairn.adapters.clock.memory import SettableClock
from cairn.adapters.vcs.staging import stage
from cairn.app.build import App, build_app
from cairn.curate.curate import CurateOptions, curate
from cairn.curate.index_document import recorded_hash
from cairn.curate.index_documents import LOCK, contents_of, documents_of, rebuild_documents, stale_documents
from cairn.curate.resolve_conflict import settle
from cairn.errors import Conflict, EnvironmentProblem
from cairn.graph.run_scan import run_scan
from cairn.workspace.doctor import examine
from cairn.workspace.findings import index_issues
from cairn.workspace.status.page import status
from curation import candidate, keep_session
from older_base import BASE, GRAPH, INDEX, NODES, make_base, node, path_of
from repository import commit, git, put

QUEUE = path_of("map-queue")
NEW = path_of("practice-tag-releases-on-friday")
SAYS = "Tag releases on Friday."


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_base(tmp_path / "w")


@pytest.fixture
def app(root: Path) -> Iterator[App]:
    with closing(app_of(root)) as app:
        yield app


def app_of(root: Path) -> App:
    return build_app(root, env={"PATH": os.environ["PATH"]}, clock=SettableClock(1_777_888_999_000), installed=False)


def documents(root: Path) -> list[bytes]:
    return [(root / path).read_bytes() for path in (INDEX, GRAPH)]


def is_fresh(root: Path) -> bool:
    with closing(app_of(root)) as app:
        return stale_documents(app) == []


def documented(app: App, root: Path) -> None:
    """With documents that are committed."""
    rebuild_documents(app)
    commit(root)


# --- making -----------------------------------------------------------------------------------------------------------


def test_made_once_and_the_same_again(app: App, root: Path):
    first = rebuild_documents(app)
    before = documents(root)
    again = rebuild_documents(app)
    assert first.changed == (INDEX, GRAPH) and not first.bases[0].was_fresh
    assert again.changed == () and again.bases[0].was_fresh and documents(root) == before
    assert set(git(root, "status", "--porcelain").split()) == {"??", INDEX, GRAPH}


def test_a_rehearsal_writes_nothing(app: App, root: Path):
    assert rebuild_documents(app, dry_run=True).changed == (INDEX, GRAPH)
    assert git(root, "status", "--porcelain") == "" and not (root / ".cairn/locks").exists()


def test_what_other_hands_made_of_the_same_nodes_is_only_staged_when_it_is_stale(app: App, root: Path):
    """An order of titles that is not ours is no reason for a commit."""
    documented(app, root)
    other = (root / INDEX).read_text().replace("- **#git (1):**", "- **#git (1):** ")
    put(root, {INDEX: other})
    assert rebuild_documents(app, stage=True).staged == () and (root / INDEX).read_text() == other
    assert rebuild_documents(app).changed == (INDEX,), "asked for plainly, it is made anew"


def test_exactly_two_files_are_staged(app: App, root: Path):
    documented(app, root)
    put(root, {QUEUE: NODES["map-queue"] + "More.\n", "notes.md": "Mine.\n"})
    assert rebuild_documents(app, stage=True).staged == (INDEX, GRAPH)
    assert set(git(root, "diff", "--cached", "--name-only").split()) == {INDEX, GRAPH}


def test_every_broken_node_is_named_and_the_others_are_listed(app: App, root: Path):
    put(root, {path_of(f"map-bad-{number}"): "---\nid: [\n---\n" for number in range(200)})
    rebuilt = rebuild_documents(app, stage=True)
    assert len({one.path for one in rebuilt.bad}) == 200 and "does not list 200 nodes" in rebuilt.problem
    assert rebuilt.bases[0].nodes == len(NODES) and "map-bad" not in (root / INDEX).read_text()
    assert all(name in (root / INDEX).read_text() for name in NODES)


def test_one_broken_base_does_not_stop_another(root: Path):
    settings = (
        f'{{"corpora": {{"kb": {{"root": "{BASE}", "layout": "nodes"}}, "b": {{"root": "b", "layout": "nodes"}}}}}}'
    )
    put(root, {".cairn/settings.json": settings, "b/nodes/map/map-b.md": "No."})
    with closing(app_of(root)) as app:
        first = rebuild_documents(app)
        assert [one.path for one in first.bad] == ["b/nodes/map/map-b.md"]
        assert first.changed == (INDEX, GRAPH, "b/INDEX.md", "b/GRAPH.md")
        put(root, {"b/nodes/map/map-b.md": node("map-b")})
        assert rebuild_documents(app).changed == ("b/INDEX.md", "b/GRAPH.md")


def test_an_empty_base_has_documents_too(root: Path):
    put(root, {path_of(id): None for id in NODES})
    with closing(app_of(root)) as app:
        assert stale_documents(app) == [], "nobody misses what would say nothing"
        assert rebuild_documents(app, stage=True).bases[0].documents == ()
        assert rebuild_documents(app).changed == (INDEX, GRAPH)
    assert "_No nodes yet._" in (root / GRAPH).read_text()


def test_other_layouts_have_none(tmp_path: Path):
    put(tmp_path, {".cairn/settings.json": "{}", "knowledge/a/b.md": "---\nname: b\ndescription: B.\n---\n"})
    with closing(app_of(tmp_path)) as app:
        assert rebuild_documents(app, stage=True) == ((), (), ()) and index_issues(app) == []


def test_a_link_in_the_place_of_a_document_is_not_followed(app: App, root: Path):
    put(root, {"elsewhere.md": "Mine.\n"})
    (root / INDEX).symlink_to(root / "elsewhere.md")
    with pytest.raises(Exception, match="symbolic link"):
        rebuild_documents(app)
    assert (root / "elsewhere.md").read_text() == "Mine.\n"


def test_two_at_once(app: App, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("cairn.curate.index_documents._WAIT_MS", 0)
    with app.locks.hold(LOCK, ttl_ms=60_000), pytest.raises(Conflict, match="index"):
        rebuild_documents(app)


def test_without_a_repository_nothing_is_staged(tmp_path: Path):
    put(tmp_path, {".cairn/settings.json": "{}", path_of("map-queue"): NODES["map-queue"]})
    with closing(app_of(tmp_path)) as app:
        with pytest.raises(EnvironmentProblem, match="--stage"):
            rebuild_documents(app, stage=True)
        assert rebuild_documents(app).changed == (INDEX, GRAPH)


def test_what_git_ignores_is_said(app: App, root: Path):
    commit(root, {".gitignore": f"{INDEX}\n"})
    with pytest.raises(EnvironmentProblem, match="does not stage"):
        rebuild_documents(app, stage=True)


def test_only_an_index_of_this_repository_is_staged_into(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    other = tmp_path / "other-index"
    put(root, {"a.md": "A\n"})
    monkeypatch.setenv("GIT_INDEX_FILE", str(other))
    stage(root, ["a.md"])
    assert not other.exists()
    monkeypatch.setenv("GIT_INDEX_FILE", str(root / ".git/another"))
    stage(root, ["a.md"])
    assert (root / ".git/another").exists()


def test_searches_and_graphs_do_not_know_them(app: App, root: Path):
    rebuild_documents(app)
    put(root, {"AGENTS.md": f"Read [the index]({INDEX}).\n"})
    run_scan(app, app.scan_request())
    assert {node.path for node in app.store.nodes()} == {*map(path_of, NODES), "AGENTS.md"}
    assert [issue.analyzer for issue in app.store.issues() if issue.path == "AGENTS.md"] == []


# --- told -------------------------------------------------------------------------------------------------------------


def told(app: App) -> tuple[list[str], list[str], list[str]]:
    """By `status`, `doctor` and `check`."""
    run_scan(app, app.scan_request())
    lines = [line.text for line in status(app).of("waits") if line.next == "cairn index rebuild"]
    checks = [one.message for one in examine(app) if one.check == "documents" and one.state == "warn"]
    return lines, checks, [issue.message for issue in index_issues(app)]


def test_stale_documents_are_told_everywhere(app: App, root: Path):
    assert [len(found) for found in told(app)] == [1, 1, 0], "a base without any is no mistake"
    assert "are not there" in told(app)[0][0]
    rebuild_documents(app)
    assert told(app) == ([], [], [])
    put(root, {QUEUE: NODES["map-queue"] + "More.\n"})
    assert all("were not made of the nodes" in found[0] for found in told(app))
    rebuild_documents(app)
    put(root, {GRAPH: "Nothing.\n"})
    assert all(found[0].startswith(f"{GRAPH} was not made") for found in told(app))


# --- after the curator ------------------------------------------------------------------------------------------------


def test_pages_that_are_written_here_are_in_the_documents(app: App, root: Path):
    keep_session(root, [candidate(SAYS)])
    done = curate(app, CurateOptions("here"))
    assert done.landed.documents == (INDEX, GRAPH) and done.landed.stale == ""
    assert (root / NEW).exists() and is_fresh(root) and "Tag releases on Friday" in (root / INDEX).read_text()


def test_a_broken_node_keeps_no_page_out_of_the_documents(app: App, root: Path):
    put(root, {path_of("map-bad"): "No.\n"})
    keep_session(root, [candidate(SAYS)])
    done = curate(app, CurateOptions("here"))
    assert (root / NEW).exists() and "does not list 1 node with errors" in done.landed.stale
    assert "Tag releases on Friday" in (root / INDEX).read_text()


def test_a_request_leaves_the_documents_fresh(app: App, root: Path):
    documented(app, root)
    keep_session(root, [candidate(SAYS)])
    done = curate(app)
    [request] = app.forge.requests()
    assert set(request.paths) == {NEW, INDEX, GRAPH}
    app.forge.merge(done.landed.request, by="ada", now_ms=1_777_888_999_000)
    assert (root / NEW).exists() and is_fresh(root)


def test_a_request_adds_no_documents_to_a_base_that_keeps_none(app: App, root: Path):
    keep_session(root, [candidate(SAYS)])
    curate(app)
    [request] = app.forge.requests()
    assert request.paths == (NEW,)


def test_a_forge_that_merges_line_by_line_gets_no_documents(app: App, root: Path, monkeypatch: pytest.MonkeyPatch):
    documented(app, root)
    keep_session(root, [candidate(SAYS)])
    monkeypatch.setattr(app.forge, "name", "github")
    curate(app)
    [request] = app.forge.requests()
    assert request.paths == (NEW,)


def test_a_request_that_is_open_goes_on_beside_other_changes(app: App, root: Path):
    """Both sides made the documents anew; that must not keep the pages from landing."""
    documented(app, root)
    keep_session(root, [candidate(SAYS)])
    curate(app)
    put(root, {QUEUE: NODES["map-queue"] + "More.\n"})
    documented(app, root)
    keep_session(root, [candidate("Sign every tag.")], session="s-2", at="2026-05-05T10:00:00.000Z")
    again = curate(app)
    [request] = app.forge.requests()
    assert len(request.paths) == 4
    put(root, {QUEUE: NODES["map-queue"] + "Even more.\n"})
    documented(app, root)
    app.forge.merge(again.landed.request, by="ada", now_ms=1_777_888_999_000)
    assert (root / NEW).exists() and "Even more" in (root / QUEUE).read_text() and not is_fresh(root)
    assert recorded_hash((root / INDEX).read_text()) is not None, "nothing of a conflict is in it"


def test_a_conflict_that_is_accepted_here(app: App, root: Path):
    documented(app, root)
    keep_session(root, [candidate("The queue lives in src/jobs.py.", title="Queue", kind="map", origin="s-1:map:0")])
    assert len(curate(app).plan.conflicts) == 1
    settled = settle(app, "1", "accepted", how="here")
    assert settled.written and INDEX in settled.said and is_fresh(root)


def test_in_one_go_or_from_nothing_they_are_the_same(app: App, root: Path):
    rebuild_documents(app)
    [base] = [corpus for corpus in app.corpora if corpus.layout == "nodes"]
    contents, unread = contents_of(app, base)
    backwards = documents_of(base, dict(reversed(contents.items())))
    assert unread == [] and [text.encode() for text in backwards.texts.values()] == documents(root)
