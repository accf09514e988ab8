"""A knowledge base of the program before Cairn, from `cairn init` to a settled conflict: used where it lies, and
nothing in it changes that need not."""

import json
import os
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from cairn.app.build import build_app
from cairn.capture.capture_session import capture_session
from cairn.capture.retention import expire_sometimes
from cairn.core.session_log import session_named
from cairn.curate.curate import CurateOptions
from cairn.curate.import_offer import import_memory
from cairn.curate.memory import look, places, read_ledger
from cairn.curate.old_base import at_work
from old_base import BASE, CURATED, CURSORY, DONE, FAILED, NODES, PENDING, RUN, old_base
from old_base import CONFLICT as CONFLICT_TEXT
from program import cairn, fits_schema
from repository import commit, git, make, put

CONFLICT = f"{BASE}/conflicts/{RUN}-1.md"
RULE = "# Shop\n\n- Always run `make check` before a release, because tags are final.\n"


@pytest.fixture(scope="module")
def taken_up(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """By `cairn init`, with its documents made, and all of it committed."""
    base = old_base(tmp_path_factory.mktemp("base"))
    assert cairn("init", "-q", "--no-scan", cwd=base).code == 0
    cairn("index", "rebuild", cwd=base)
    commit(base)
    return base


@pytest.fixture
def root(taken_up: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(taken_up, tmp_path / "w"))


def changed(root: Path) -> set[str]:
    return {line[2:].strip() for line in git(root, "status", "--porcelain", "--untracked-files=all").splitlines()}


def test_init_finds_it_and_says_so(tmp_path: Path) -> None:
    made = cairn("init", "--json", cwd=old_base(tmp_path)).json()
    assert made["corpora"] == [{"name": "knowledge-base", "root": BASE, "layout": "nodes"}]
    assert any("cairn import base" in note for note in made["notes"])
    assert changed(tmp_path) == {".cairn/settings.json", ".cairn/.gitignore"}


def test_what_is_in_it(root: Path) -> None:
    told = cairn("import", "base", "--json", cwd=root).json()
    fits_schema(told, "import-base")
    assert (told["nodes"], told["corpus"], told["version"]) == ({"practice": 2, "map": 1}, "knowledge-base", "0.17.0")
    assert told["sessions"] == {"done": 2, "pending": 1, "failed": 1, "skipped": 1} and told["conflicts"] == 1
    notes = " ".join(told["notes"])
    assert "proposalModel" in notes and "bootstrap-state.json cannot be read" in notes and "at work" not in notes
    shown = cairn("import", "base", cwd=root)
    assert "practice 2" in shown.out and "proposalModel" in shown.err
    assert "3" in cairn("config", "get", "curate.threshold", cwd=root).out
    assert f"{BASE}/config.yaml" in cairn("config", "get", "capture.log_days", "--json", cwd=root).out


def test_from_its_sessions_to_its_nodes_and_nothing_else_changes(root: Path) -> None:
    before = {path: (root / path).read_bytes() for path in NODES}
    listed = cairn("session", "list", "--json", cwd=root).json()["sessions"]
    states = {one["session"]: one["status"] for one in listed}
    assert states == {DONE: "done", PENDING: "pending", CURATED: "done", CURSORY: "skipped", FAILED: "failed"}
    assert "to call it anyway" in cairn("session", "show", PENDING[:6], cwd=root).out
    proposed = cairn("session", "propose", "--json", cwd=root).json()
    assert {one["session"] for one in proposed["sessions"]} == {PENDING, FAILED, CURSORY} and proposed["unread"] == 2
    planned = cairn("curate", "--dry-run", "--json", cwd=root).json()
    titles = {action["title"] for action in planned["actions"]}
    assert {one["origin"] for one in planned["unreadCandidates"]} == {f"{DONE}:practice:0", f"{DONE}:map:0"}
    assert len(titles) == 1 and "Old news" not in titles
    assert any("its summary is missing" in problem for problem in planned["problems"])
    done = cairn("curate", "--apply", "--json", cwd=root).json()
    assert changed(root) == {*done["written"], f"{BASE}/INDEX.md", f"{BASE}/GRAPH.md"}
    assert all(path.startswith(f"{BASE}/nodes/") for path in done["written"])
    assert {path: (root / path).read_bytes() for path in NODES} == before
    # Nobody knows what the others followed, so a person reads them first.
    assert {one["origin"] for one in done["waiting"]} == {f"{DONE}:practice:0", f"{DONE}:map:0"}


def test_its_conflict_is_shown_with_what_it_lacks_and_can_be_settled(root: Path) -> None:
    seen = cairn("conflict", "show", "1", "--json", cwd=root).json()
    fits_schema(seen, "conflict-show")
    assert seen["partial"] and seen["proposed"]["summary"] == "Install packages with npm."
    assert "neither summary nor tags" in cairn("conflict", "show", "1", cwd=root).out
    accepted = cairn("conflict", "accept", "1", "--apply", cwd=root)
    assert accepted.code == 0, accepted.err
    page = f"{BASE}/nodes/practice/practice-use-pnpm.md"
    assert changed(root) == {page, CONFLICT, f"{BASE}/INDEX.md", f"{BASE}/GRAPH.md"}
    text = (root / page).read_text()
    assert "tags: [packages, tooling]" in text and "the build server has no pnpm" in text
    assert "status: accepted" in (root / CONFLICT).read_text()


def test_a_conflict_whose_text_has_a_block_of_code(root: Path) -> None:
    text = (root / CONFLICT).read_text()
    put(root, {CONFLICT: text + "\n```sh\nnpm ci\n```\n"})
    [seen] = cairn("conflict", "list", "--json", cwd=root).json()["conflicts"]
    assert seen["partial"] and seen["proposed"]["body"].endswith("```sh\nnpm ci\n```")


def test_a_conflict_that_says_as_little_as_the_first_ones_did(root: Path) -> None:
    left_out = ("target_node_id:", "proposed_confidence:")
    text = "".join(line for line in CONFLICT_TEXT.splitlines(keepends=True) if not line.startswith(left_out))
    put(root, {CONFLICT: text})
    [seen] = cairn("conflict", "list", "--json", cwd=root).json()["conflicts"]
    assert (seen["targetNodeId"], seen["proposed"]["confidence"], seen["partial"]) == (None, "low", True)
    done = cairn("conflict", "accept", "1", "--apply", "--json", cwd=root).json()
    assert done["page"] == f"{BASE}/nodes/practice/practice-install-packages-with-npm.md"


def test_what_lies_beside_the_nodes_is_no_page(root: Path) -> None:
    put(root, {".gitignore": "\n", ".cairn/settings.json": '{"scan": {"gitignore": false}}'})
    cairn("scan", "-q", cwd=root)
    paths = {node["path"] for node in cairn("list", "--json", cwd=root).json()["nodes"]}
    assert paths == {*NODES, f"{BASE}/INDEX.md", f"{BASE}/GRAPH.md"}
    found = cairn("search", "payment provider recorded", "--json", cwd=root)
    assert "recorded answers" not in found.out


# --- what another program has to be able to live with -----------------------------------------------------------------


def test_a_log_stays_one_that_the_older_program_reads(root: Path) -> None:
    """It wants times as texts, which they are to it only between quotes."""
    cairn("session", "propose", "-q", cwd=root)
    text = next((root / BASE / "_sessions").glob(f"*{PENDING}.md")).read_text()
    assert "captured_at: '2026-05-06T10:00:00.000Z'" in text and "\nproposal_status: pending\n" in text


def test_a_session_that_goes_on_is_proposed_from_where_it_stood(root: Path, tmp_path: Path) -> None:
    line = {"type": "user", "uuid": "u1", "message": {"role": "user", "content": "Always deploy on Mondays."}}
    (tmp_path / "talk.jsonl").write_text(json.dumps(line) + "\n")
    with closing(build_app(root, env=os.environ)) as app:
        assert capture_session(app, "claude", DONE, tmp_path / "talk.jsonl").status == "rewritten"
        log = session_named(app.session_logs(), DONE).log
        assert 0 < log.curated_through < log.transcript_chars


def test_its_lock_is_told_and_not_waited_for(root: Path) -> None:
    state = f"{BASE}/.state/state.json"
    with closing(build_app(root, env=os.environ)) as app:
        assert at_work(app) == []
        put(root, {state: '{"lock": {"name": "curator", "pid": 7, "acquired_at": "2999-01-01T00:00:00Z"}}'})
        assert "curator (process 7" in at_work(app)[0]
        put(root, {state: "{}", f"{state}.lock/x": ""})
        assert "seems to be at work" in at_work(app)[0]
    assert "seems to be at work" in cairn("curate", "--dry-run", cwd=root).err


def test_what_waits_is_not_swept_away_and_what_is_done_is(root: Path) -> None:
    """All of its sessions are older than three months."""
    with closing(build_app(root, env=os.environ)) as app:
        expire_sometimes(app)
        left = {session_named(app.session_logs(), id).log.session_id for id in (DONE, PENDING, FAILED)}
        assert left == {DONE, PENDING, FAILED} and len(app.session_logs().names()) == 3
    assert "3 logs of sessions" in cairn("forget", "--expired", "--dry-run", cwd=root).out


@pytest.mark.parametrize("group", ["session", "logs"])
def test_old_logs_go_when_asked(root: Path, group: str) -> None:
    log = root / BASE / "_logs/hook-errors-2026-05-05.log"
    os.utime(log, (0, 0))
    wanted = cairn(group, "prune", "--dry-run", "--json", cwd=root).json()
    fits_schema(wanted, f"{group}-prune")
    assert log.exists() and f"{BASE}/_logs/{log.name}" in wanted["removed"]
    assert cairn(group, "prune", cwd=root).code == 0 and not log.exists()
    assert cairn(group, "prune", cwd=root).err.startswith("no log is older")


def test_logs_that_git_tracks_are_left_alone(root: Path) -> None:
    log = root / BASE / "_logs/hook-errors-2026-05-05.log"
    os.utime(log, (0, 0))
    git(root, "add", "-f", str(log))
    assert f"{BASE}/_logs/{log.name}" not in cairn("session", "prune", "--dry-run", cwd=root).out


def test_state_is_continued_where_it_lies(root: Path) -> None:
    put(root, {"CLAUDE.md": RULE})
    with closing(build_app(root, env=os.environ)) as app:
        import_memory(app, look(app, places(app)), CurateOptions("here"))
        assert [one.skipped[:9] for one in look(app, places(app))] == ["unchanged"]
    kept = read_ledger((root / BASE / ".state/memory-ledger.json").read_text())
    assert list(kept) == [(root / "CLAUDE.md").as_uri()] and not (root / ".cairn/curate/memory-ledger.json").exists()


# --- other states of a base -------------------------------------------------------------------------------------------


def test_one_without_a_node_yet(tmp_path: Path) -> None:
    root = make(tmp_path, {f"{BASE}/.state/installed-version": '{"version": "0.17.0"}', "docs/a.md": "# A\n"})
    made = cairn("init", "--json", "--no-scan", cwd=root).json()
    assert made["corpora"] == [{"name": "knowledge-base", "root": BASE, "layout": "nodes"}]
    assert cairn("import", "base", "--json", cwd=root).json()["nodes"] == {}


def test_one_that_the_settings_do_not_name(tmp_path: Path) -> None:
    root = old_base(tmp_path)
    put(root, {".cairn/settings.json": '{"corpora": {"knowledge": {"layout": "entries"}}}'})
    assert "cairn import base --take" in cairn("import", "base", cwd=root).err
    taken = cairn("import", "base", "--take", "--json", cwd=root).json()
    assert (taken["taken"], taken["corpus"]) == ("knowledge-base", "knowledge-base")
    again = cairn("import", "base", "--take", "--json", cwd=root).json()
    assert again["taken"] is None and len(cairn("status", "--json", cwd=root).out) > 0


def test_a_later_format_is_read_and_not_written(tmp_path: Path) -> None:
    tree = {f"{BASE}/ENTRY.md": "---\nschema_version: 3\n---\n# Entry\n", f"{BASE}/nodes/shop/index.md": "# Shop\n"}
    nodes = {path.replace("/practice/", "/shop/").replace("/map/", "/shop/"): text for path, text in NODES.items()}
    root = make(tmp_path, {**tree, **nodes})
    made = cairn("init", "--json", "--no-scan", cwd=root).json()
    assert made["corpora"] == [{"name": "nodes", "root": f"{BASE}/nodes", "layout": "plain"}]
    assert any("a later format" in note for note in made["notes"])
    assert "can't write" in cairn("import", "base", cwd=root).err


def test_a_log_that_is_none_is_named(root: Path) -> None:
    put(root, {f"{BASE}/_sessions/20260509-1000-x.md": "Nothing.\n"})
    assert "20260509-1000-x.md is no log" in cairn("import", "base", cwd=root).err
