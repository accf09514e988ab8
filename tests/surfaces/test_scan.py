"""`cairn init`, `scan`, `check`, `watch`, `doctor` and `uninstall` as a person uses them."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from program import cairn, clean_env, command_line, fits_schema


def git(*args: str, cwd: Path) -> None:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.invalid"]
    subprocess.run(["git", *identity, *args], cwd=cwd, check=True, capture_output=True)


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


AGENT = "---\nname: baker\ndescription: Bakes.\n---\nSee [the guide](../../docs/guide.md) and run /knead.\n"
COMMAND = "---\nname: knead\ndescription: Kneads.\n---\nAsk @baker.\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write(
        tmp_path,
        {
            ".claude/agents/baker.md": AGENT,
            ".claude/commands/knead.md": COMMAND,
            "docs/guide.md": "# Guide\n\nBack to [the agent](../.claude/agents/baker.md).\n",
            "README.md": "# Bakery\n\n[gone](docs/gone.md) and [guide](docs/guide.md)\n",
        },
    )
    git("init", "-q", cwd=tmp_path)
    git("add", "-A", cwd=tmp_path)
    git("commit", "-qm", "start", cwd=tmp_path)
    return tmp_path


@pytest.fixture
def workspace(project: Path) -> Path:
    assert cairn("init", cwd=project).code == 0
    return project


def test_init_shows_what_it_writes_and_scans(project: Path):
    ran = cairn("init", "--json", cwd=project)
    body = ran.json()
    fits_schema(body, "init")
    assert ran.code == 0
    assert [file["action"] for file in body["files"]] == ["create", "create"]
    assert body["activeProvider"] == "claude"
    assert body["scan"]["stats"]["nodesCount"] == 4


def test_init_twice_changes_nothing(workspace: Path):
    before = {p: p.read_bytes() for p in workspace.glob(".cairn/*.json")}
    again = cairn("init", cwd=workspace)
    assert again.code == 0
    assert "keep" in again.out
    assert "create" not in again.out
    assert {p: p.read_bytes() for p in workspace.glob(".cairn/*.json")} == before


def test_init_dry_run_writes_nothing(project: Path):
    ran = cairn("init", "--dry-run", cwd=project)
    assert ran.code == 0
    assert "create" in ran.out
    assert not (project / ".cairn").exists()


def test_git_sees_only_what_is_to_be_committed(workspace: Path):
    status = subprocess.run(
        ["git", "status", "--porcelain", "-uall"], cwd=workspace, capture_output=True, text=True, check=True
    )
    assert status.stdout.split("\n")[:-1] == ["?? .cairn/.gitignore", "?? .cairn/settings.json"]


def test_uninstall_leaves_the_tree_as_it_was(workspace: Path):
    assert cairn("uninstall", cwd=workspace).code == 1  # nobody there to ask
    assert (workspace / ".cairn").exists()
    ran = cairn("uninstall", "--yes", "--json", cwd=workspace)
    fits_schema(ran.json(), "uninstall")
    status = subprocess.run(
        ["git", "status", "--porcelain", "--ignored"], cwd=workspace, capture_output=True, text=True
    )
    assert ran.code == 0
    assert status.stdout == ""


def test_scan_json_has_the_graph_and_the_providers(workspace: Path):
    ran = cairn("scan", "--json", cwd=workspace)
    body = ran.json()
    fits_schema(body, "scan")
    assert ran.code == 1  # a broken reference
    assert body["providers"] == ["claude", "antigravity", "openai", "agent-skills", "agent-files", "markdown"]
    assert {node["path"]: node["kind"] for node in body["nodes"]} == {
        ".claude/agents/baker.md": "agent",
        ".claude/commands/knead.md": "command",
        "README.md": "markdown",
        "docs/guide.md": "markdown",
    }
    resolved = {(link["source"], link["kind"], link.get("resolvedTarget")) for link in body["links"]}
    assert (".claude/agents/baker.md", "invokes", ".claude/commands/knead.md") in resolved
    assert (".claude/commands/knead.md", "mentions", ".claude/agents/baker.md") in resolved


def test_an_unchanged_scan_reads_nothing_and_an_edit_is_seen(workspace: Path):
    quiet = cairn("scan", "--json", "--no-graph", cwd=workspace).json()
    assert quiet["stats"]["filesUnchanged"] == 4
    assert quiet["changes"] == {"added": [], "changed": [], "removed": [], "renamed": []}
    write(workspace, {"README.md": "# Bakery\n\nnothing is broken now\n", "docs/new.md": "# New\n"})
    (workspace / ".claude/commands/knead.md").rename(workspace / ".claude/commands/fold.md")
    ran = cairn("scan", "--json", "--no-graph", cwd=workspace)
    changes = ran.json()["changes"]
    assert changes["added"] == ["docs/new.md"]
    assert changes["changed"] == ["README.md"]
    assert changes["renamed"] == [{"from": ".claude/commands/knead.md", "to": ".claude/commands/fold.md"}]
    # `/knead` still names the command in its frontmatter, although its file is called otherwise
    assert ran.code == 0


def test_scan_dry_run_changes_nothing(workspace: Path):
    write(workspace, {"docs/new.md": "# New\n"})
    ran = cairn("scan", "--dry-run", "--json", "--no-graph", cwd=workspace)
    assert ran.json()["changes"]["added"] == ["docs/new.md"]
    assert cairn("scan", "--json", "--no-graph", cwd=workspace).json()["changes"]["added"] == ["docs/new.md"]


def test_scan_of_a_folder_leaves_the_rest_alone(workspace: Path):
    write(workspace, {"docs/new.md": "# New\n", "other.md": "# Other\n"})
    (workspace / "README.md").unlink()
    ran = cairn("scan", "docs", "--json", cwd=workspace)
    assert ran.json()["changes"]["added"] == ["docs/new.md"]
    assert "README.md" in {node["path"] for node in ran.json()["nodes"]}
    outside = cairn("scan", "..", cwd=workspace)
    assert outside.code == 2
    assert cairn("scan", "nowhere", cwd=workspace).code == 5


def test_commands_work_from_a_folder_below(workspace: Path):
    assert cairn("scan", cwd=workspace / "docs").code == 1
    assert cairn("scan", "guide.md", "--json", cwd=workspace / "docs").code == 1


def test_no_extension_gives_an_empty_graph(workspace: Path):
    ran = cairn("scan", "--no-built-ins", "--no-plugins", "--allow-empty", "--json", cwd=workspace)
    body = ran.json()
    fits_schema(body, "scan")
    assert ran.code == 0
    assert (body["nodes"], body["links"], body["issues"], body["providers"]) == ([], [], [], [])


def test_a_tree_that_is_suddenly_empty_is_not_believed(workspace: Path):
    for path in workspace.rglob("*.md"):
        path.unlink()
    ran = cairn("scan", cwd=workspace)
    assert ran.code == 1
    assert "--allow-empty" in ran.err
    assert cairn("list", "--json", cwd=workspace).json()["total"] == 4
    assert cairn("scan", "--allow-empty", cwd=workspace).code == 0


def test_compare_with_a_saved_scan(workspace: Path):
    saved = cairn("scan", "--json", cwd=workspace).out
    (workspace / "before.json").write_text(saved)
    same = cairn("scan", "compare-with", "before.json", cwd=workspace)
    assert same.code == 0
    write(workspace, {"docs/new.md": "[x](guide.md)\n"})
    other = cairn("scan", "compare-with", "before.json", "--json", cwd=workspace)
    fits_schema(other.json(), "scan")
    assert other.code == 1
    assert other.json()["nodes"]["added"] == ["docs/new.md"]
    assert cairn("scan", "compare-with", "missing.json", cwd=workspace).code == 5
    (workspace / "bad.json").write_text("[]")
    assert cairn("scan", "compare-with", "bad.json", cwd=workspace).code == 2


def test_check_names_file_line_and_fix(workspace: Path):
    ran = cairn("check", cwd=workspace)
    assert ran.code == 1
    assert "README.md" in ran.out
    assert "    3  error  " in ran.out
    assert "reference-broken" in ran.out
    as_json = cairn("check", "--json", cwd=workspace).json()
    fits_schema(as_json, "check")
    assert as_json["counts"]["error"] == 1


def test_check_for_other_tools(workspace: Path):
    sarif = cairn("check", "--sarif", cwd=workspace)
    run = sarif.json()["runs"][0]
    assert sarif.code == 1
    assert run["results"][0]["ruleId"] == "reference-broken"
    assert run["results"][0]["locations"][0]["physicalLocation"]["region"] == {"startLine": 3}
    github = cairn("check", "--github", cwd=workspace)
    assert github.out.startswith("::error file=README.md,line=3,title=reference-broken::")
    assert cairn("check", "--github", "--sarif", cwd=workspace).code == 2


def test_baseline_lets_only_new_issues_fail(workspace: Path):
    first = cairn("check", "--baseline", "base.json", cwd=workspace)
    assert first.code == 0
    assert cairn("check", "--baseline", "base.json", cwd=workspace).code == 0
    write(workspace, {"docs/guide.md": "one more line\n\n[gone too](nowhere.md)\n"})
    ran = cairn("check", "--baseline", "base.json", "--json", cwd=workspace)
    assert ran.code == 1
    assert [issue["nodeIds"] for issue in ran.json()["issues"] if issue["severity"] == "error"] == [["docs/guide.md"]]
    assert cairn("check", "--baseline", "base.json", "--update-baseline", cwd=workspace).code == 0
    assert cairn("check", "--baseline", "base.json", cwd=workspace).code == 0
    (workspace / "base.json").write_text("{}")
    assert cairn("check", "--baseline", "base.json", cwd=workspace).code == 2


def test_check_of_one_node_and_one_analyzer(workspace: Path):
    assert cairn("check", "-n", "docs/guide.md", cwd=workspace).code == 0
    assert cairn("check", "--analyzers", "link-self-loop", cwd=workspace).code == 0
    assert cairn("check", "-n", "docs/gide.md", cwd=workspace).code == 5
    unknown = cairn("check", "--analyzers", "reference-brokn", cwd=workspace)
    assert unknown.code == 5
    assert "reference-broken" in unknown.err


def test_strict_makes_frontmatter_an_error(workspace: Path):
    write(workspace, {"README.md": "# fine\n", "docs/bad.md": "---\na: [\n---\n"})
    assert cairn("check", cwd=workspace).code == 0
    assert cairn("check", "--strict", cwd=workspace).code == 1
    assert cairn("check", cwd=workspace).code == 0


def test_doctor_is_clean_and_finds_a_broken_database(workspace: Path):
    ran = cairn("doctor", "--json", cwd=workspace)
    fits_schema(ran.json(), "doctor")
    assert (ran.code, ran.json()["ok"]) == (0, True)
    for name in ("cairn.db-wal", "cairn.db-shm"):
        (workspace / ".cairn" / name).unlink(missing_ok=True)
    (workspace / ".cairn/cairn.db").write_bytes(b"no database at all" * 100)
    broken = cairn("doctor", "--json", cwd=workspace)
    assert broken.code == 1
    assert cairn("scan", cwd=workspace).code == 2


def test_a_drifted_host_is_said_once_and_does_not_stop(workspace: Path):
    write(workspace, {".codex/config.toml": "", "README.md": "# fine\n"})
    ran = cairn("scan", cwd=workspace)
    assert ran.code == 0
    assert ran.err.count("new: openai") == 1


def test_of_several_hosts_the_first_counts_until_somebody_chooses(project: Path):
    write(project, {"AGENTS.md": "# Agents\n", ".cairn/settings.json": "{}", "README.md": "# fine\n"})
    ran = cairn("scan", cwd=project)
    assert ran.code == 0
    assert "cairn config set active_provider" in ran.err
    assert json.loads((project / ".cairn/settings.json").read_text()) == {}
    assert cairn("scan", "--yes", cwd=project).code == 0
    settings = json.loads((project / ".cairn/settings.json").read_text())
    assert settings["active_provider"] == "claude"
    assert settings["active_provider_markers"] == ["claude", "openai"]


def test_another_active_provider_resolves_again_without_reading(workspace: Path):
    assert cairn("config", "set", "active_provider", "openai", cwd=workspace).code == 0
    ran = cairn("scan", "--json", cwd=workspace)
    body = ran.json()
    assert body["changes"]["changed"] == []
    assert {node["kind"] for node in body["nodes"]} == {"markdown"}
    assert not any(link["kind"] in ("mentions", "invokes") for link in body["links"])
    cairn("config", "set", "active_provider", "claude", cwd=workspace)
    back = cairn("scan", "--json", cwd=workspace).json()
    assert {node["kind"] for node in back["nodes"]} == {"agent", "command", "markdown"}


def test_setting_the_provider_by_hand_settles_the_drift(workspace: Path):
    write(workspace, {".codex/config.toml": "", "README.md": "# fine\n"})
    assert "new: openai" in cairn("scan", cwd=workspace).err
    assert cairn("config", "set", "active_provider", "claude", cwd=workspace).code == 0
    assert "openai" not in cairn("scan", cwd=workspace).err
    unknown = cairn("config", "set", "active_provider", "claud", cwd=workspace)
    assert unknown.code == 2
    assert "did you mean `claude`?" in unknown.err
    assert cairn("config", "reset", "active_provider", cwd=workspace).code == 0
    assert "active_provider" not in json.loads((workspace / ".cairn/settings.json").read_text())


def test_a_provider_that_is_switched_off_is_said_and_does_not_stop(workspace: Path):
    assert cairn("plugins", "disable", "claude", "--yes", cwd=workspace).code == 0
    ran = cairn("scan", "--json", cwd=workspace)
    assert "cairn plugins enable claude" in ran.err
    assert {node["kind"] for node in ran.json()["nodes"]} == {"markdown"}


def test_doctor_names_settings_that_cannot_be_read(workspace: Path):
    (workspace / ".cairn/settings.json").write_text('{"scan": {"strict": true,}}')
    ran = cairn("doctor", "--json", cwd=workspace)
    fits_schema(ran.json(), "doctor")
    states = {finding["check"]: finding["state"] for finding in ran.json()["findings"]}
    assert ran.code == 1
    assert (states["settings"], states["python"], states["folder"]) == ("error", "ok", "ok")


def test_a_path_in_code_counts_from_the_root_or_from_its_page(workspace: Path):
    page = "`docs/guide.md` and `guide.md` and `docs/none.md` and [t](${WHERE}/x.md) and [u]({{ url }}/x.md)\n"
    write(workspace, {"docs/more.md": page, "README.md": "# fine\n"})
    links = [
        link for link in cairn("scan", "--json", cwd=workspace).json()["links"] if link["source"] == "docs/more.md"
    ]
    found = {
        link["trigger"]["originalTrigger"]: link.get("resolvedTarget") for link in links if link["kind"] == "points"
    }
    assert found == {"docs/guide.md": "docs/guide.md", "guide.md": "docs/guide.md", "docs/none.md": None}
    assert not [link for link in links if link["kind"] == "references"]
    write(workspace, {"docs/none.md": "# Now there is\n"})
    again = cairn("scan", "--json", cwd=workspace).json()["links"]
    assert [link["resolvedTarget"] for link in again if link["target"].endswith("none.md")] == ["docs/none.md"]


def test_not_initialised_is_one_sentence(tmp_path: Path):
    for command in ("scan", "check", "doctor", "watch"):
        ran = cairn(command, cwd=tmp_path)
        assert ran.code == 2
        assert "cairn init" in ran.err
        assert ran.err.count("\n") == 1


def test_without_git_the_map_works(tmp_path: Path):
    write(tmp_path, {"a.md": "[b](b.md)\n", "b.md": "# B\n"})
    ran = cairn("init", cwd=tmp_path, PATH="/nowhere")
    assert ran.code == 0
    assert "not in a git repository" in ran.err
    assert cairn("check", cwd=tmp_path, PATH="/nowhere").code == 0


def test_watch_says_what_changed_and_ends_with_interrupt(workspace: Path):
    process = subprocess.Popen(
        command_line("watch", "--json"),
        cwd=workspace,
        env=clean_env(CAIRN_SCAN__WATCH__DEBOUNCE_MS="50"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        first = json.loads(process.stdout.readline())
        fits_schema(first, "watch")
        write(workspace, {"docs/later.md": "# Later\n"})
        second = json.loads(process.stdout.readline())
        assert second["changes"]["added"] == ["docs/later.md"]
        (workspace / "docs/later.md").unlink()
        third = json.loads(process.stdout.readline())
        assert third["changes"]["removed"] == ["docs/later.md"]
    finally:
        process.send_signal(signal.SIGINT)
        code = process.wait(timeout=20)
        process.stdout.close()
        assert process.stderr is not None
        process.stderr.close()
    assert code == 130


def test_interrupting_a_scan_leaves_the_previous_graph(workspace: Path):
    for number in range(3000):
        write(workspace, {f"many/{number}.md": f"# {number}\n\n[next]({number + 1}.md)\n"})
    process = subprocess.Popen(
        command_line("scan"), cwd=workspace, env=clean_env(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    time.sleep(0.35)
    os.kill(process.pid, signal.SIGINT)
    code = process.wait(timeout=30)
    total = cairn("list", "--json", "--limit", "1", cwd=workspace).json()["total"]
    ended = 130 if code == -signal.SIGINT else code  # before our first line runs, Python ends by the signal itself
    assert (ended, total) in {(130, 4), (1, 3004), (130, 3004)}
    assert cairn("scan", "--json", "--no-graph", cwd=workspace).json()["stats"]["nodesCount"] == 3004
