"""`cairn agent`: hooks of four hosts installed, tried, and taken out again, through the program."""

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from agent_calls import events, workspace
from program import cairn, clean_env, fits_schema

HOSTS = ("claude", "codex", "cursor", "opencode")
FILES = {
    "claude": ".claude/settings.json",
    "codex": ".codex/hooks.json",
    "cursor": ".cursor/hooks.json",
    "opencode": ".opencode/plugins/cairn.js",
}
ENTRIES = {
    "claude": ".mcp.json",
    "codex": ".codex/config.toml",
    "cursor": ".cursor/mcp.json",
    "opencode": "opencode.json",
}
FOREIGN = '{\n    "model": "x",\n    "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "other"}]}]}\n}\n'


@pytest.fixture
def root(tmp_path):
    return workspace(tmp_path / "work")


@pytest.fixture
def on_path(tmp_path):
    """A PATH on which `cairn` is this Cairn, as after `pipx install`."""
    folder = tmp_path / "bin"
    folder.mkdir()
    script = folder / "cairn"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m cairn "$@"\n')
    script.chmod(0o755)
    return f"{folder}:{_system_path()}"


def _system_path() -> str:
    """Without any folder in which a `cairn` lies."""
    folders = clean_env()["PATH"].split(os.pathsep)
    return os.pathsep.join(folder for folder in folders if not (Path(folder) / "cairn").exists())


def agent(*args, root, path=None, **env):
    return cairn("agent", *args, cwd=root, PATH=path or _system_path(), HOME=str(root.parent), **env)


def tree(root):
    """Every folder, and every file with what is in it and who may read it."""
    return {
        path.relative_to(root).as_posix(): (path.stat().st_mode, path.read_bytes()) if path.is_file() else None
        for path in sorted(root.rglob("*"))
    }


def outside(root):
    """Everything but Cairn's own folder."""
    return {name: content for name, content in tree(root).items() if not name.startswith(".cairn")}


@pytest.mark.parametrize("host", HOSTS)
def test_installed_tried_and_gone_without_a_trace(root, on_path, host):
    before = outside(root)
    made = agent("install", "--agent", host, "--yes", "--json", root=root, path=on_path)
    assert made.code == 0, made.err
    fits_schema(made.json(), "agent-install")
    assert [file["path"] for file in made.json()["agents"][0]["files"]] == [FILES[host], ENTRIES[host]]
    listed = agent("list", "--json", root=root).json()
    fits_schema(listed, "agent-list")
    assert {row["agent"]: row["mcp"] for row in listed["agents"]}[host] == ENTRIES[host]
    tried = agent("doctor", "--json", root=root, path=on_path)
    fits_schema(tried.json(), "agent-doctor")
    assert tried.code == 0, tried.out
    assert {one["ok"] for one in tried.json()["hooks"]} == {True}
    assert all(one["command"].startswith("cairn hook ") for one in tried.json()["hooks"])
    served = [one for one in tried.json()["findings"] if one["check"] == "mcp"]
    assert served == [{"check": "mcp", "state": "ok", "message": f"{ENTRIES[host]}: the server answers"}]
    gone = agent("uninstall", "--yes", "--json", root=root, path=on_path)
    fits_schema(gone.json(), "agent-uninstall")
    assert outside(root) == before
    assert [event["type"] for event in events(root)] == ["agent_installed", "agent_uninstalled"]


def test_foreign_hooks_stay_and_the_file_comes_back_to_the_byte(root, on_path):
    file = root / ".claude/settings.json"
    file.parent.mkdir()
    file.write_text(FOREIGN)
    before = outside(root)
    shown = agent("install", "--yes", root=root, path=on_path)
    assert shown.code == 0
    assert '"command": "cairn hook stop"' in shown.out
    assert ".cairn/backups/hosts/.claude/settings.json" in shown.err
    assert (root / ".cairn/backups/hosts/.claude/settings.json").read_text() == FOREIGN
    hooks = json.loads(file.read_text())["hooks"]["Stop"]
    assert [group["hooks"][0]["command"] for group in hooks] == ["other", "cairn hook stop"]
    agent("uninstall", "--yes", root=root, path=on_path)
    assert outside(root) == before


def test_doing_it_twice_is_doing_it_once(root, on_path):
    agent("install", "--agent", "claude", "--yes", root=root, path=on_path)
    before = outside(root)
    again = agent("install", "--yes", root=root, path=on_path)
    assert (again.code, again.out) == (0, "Claude Code: everything is in place already\n")
    assert outside(root) == before


def test_without_a_terminal_nobody_is_asked_and_nothing_is_written(root, on_path):
    before = outside(root)
    ran = agent("install", "--agent", "codex", root=root, path=on_path)
    assert ran.code == 1
    assert "+++ .codex/hooks.json" in ran.out
    assert "--yes" in ran.err
    assert outside(root) == before


def test_dry_run_shows_and_writes_nothing(root, on_path):
    before = outside(root)
    ran = agent("install", "--agent", "cursor", "--dry-run", root=root, path=on_path)
    assert (ran.code, outside(root)) == (0, before)
    assert "cairn hook stop --host cursor" in ran.out
    assert agent("install", "--agent", "cursor", "-n", "--json", root=root, path=on_path).json()["written"] is False


def test_a_program_off_the_path_goes_to_the_local_file(root):
    made = agent("install", "--agent", "claude", "--agent", "codex", "--yes", root=root)
    assert made.code == 0, made.err
    assert not (root / ".claude/settings.json").exists()
    command = json.loads((root / ".claude/settings.local.json").read_text())["hooks"]["Stop"][0]["hooks"][0]["command"]
    assert command.startswith("/")
    assert ".codex/hooks.json and .codex/config.toml name a program of this machine" in made.err
    assert ".mcp.json names a program of this machine" in made.err
    assert agent("doctor", root=root).code == 0


def test_an_active_environment_is_not_the_agents(root, tmp_path, on_path):
    made = agent("install", "--agent", "claude", "--yes", root=root, path=on_path, VIRTUAL_ENV=str(tmp_path))
    assert made.code == 0
    assert (root / ".claude/settings.local.json").exists()


def test_once_it_is_on_the_path_the_local_hooks_go(root, on_path):
    agent("install", "--agent", "claude", "--yes", root=root)
    agent("install", "--agent", "claude", "--yes", root=root, path=on_path)
    assert not (root / ".claude/settings.local.json").exists()
    assert "cairn hook stop" in (root / ".claude/settings.json").read_text()


def test_a_host_with_broken_settings_does_not_hide_the_others(root, on_path):
    assert agent("install", "--agent", "codex", "--yes", root=root, path=on_path).code == 0
    (root / ".cursor").mkdir()
    (root / ".cursor/hooks.json").write_text("{")
    listed = agent("list", "--json", root=root, path=on_path)
    fits_schema(listed.json(), "agent-list")
    rows = {row["agent"]: row for row in listed.json()["agents"]}
    assert (len(rows["codex"]["files"]), "not valid JSON" in rows["cursor"]["problem"]) == (1, True)
    assert "not valid JSON" in agent("list", root=root, path=on_path).out
    ran = agent("doctor", root=root, path=on_path)
    assert ran.code == 1
    assert "Stop" in ran.out
    assert ".cursor/hooks.json:1:2: this is not valid JSON" in ran.out


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "not valid JSON"),
        ('{\n  // mine\n  "model": "x"\n}\n', "has comments"),
        ('{"hooks": "none"}', "is not what Claude Code expects"),
        ("\xff\xfe", "not UTF-8"),
    ],
)
def test_settings_that_are_not_plain_json_are_never_overwritten(root, on_path, text, sentence):
    file = root / ".claude/settings.json"
    file.parent.mkdir()
    file.write_bytes(text.encode("latin-1"))
    before = outside(root)
    ran = agent("install", "--agent", "codex", "--agent", "claude", "--yes", root=root, path=on_path)
    assert ran.code == 2
    assert sentence in ran.err
    assert ".claude/settings.json" in ran.err
    assert outside(root) == before


@pytest.mark.parametrize("kind", ["link", "fifo", "folder"])
def test_what_is_no_file_is_left_alone(root, on_path, kind):
    file = root / ".cursor/hooks.json"
    file.parent.mkdir()
    if kind == "link":
        (root / "real.json").write_text("{}")
        file.symlink_to(root / "real.json")
    else:
        os.mkfifo(file) if kind == "fifo" else file.mkdir()
    ran = agent("install", "--agent", "cursor", "--yes", root=root, path=on_path)
    assert ran.code == 2
    assert ".cursor/hooks.json" in ran.err


def test_a_project_without_an_agent_is_asked_for_one(root):
    ran = agent("install", "--yes", root=root)
    assert ran.code == 5
    assert "--agent" in ran.err


def test_list_says_who_calls(root, on_path):
    (root / "CLAUDE.md").write_text("# Notes\n")
    agent("install", "--agent", "codex", "--yes", root=root, path=on_path)
    ran = agent("list", "--json", root=root, path=on_path)
    fits_schema(ran.json(), "agent-list")
    rows = {row["agent"]: (row["found"], len(row["files"])) for row in ran.json()["agents"]}
    assert rows == {"claude": (True, 0), "codex": (True, 1), "cursor": (False, 0), "opencode": (False, 0)}
    assert "6 hooks in .codex/hooks.json" in agent("list", root=root).out


# --- doctor -----------------------------------------------------------------------------------------------------------


def test_doctor_names_a_program_that_agents_cannot_find(root, on_path):
    agent("install", "--agent", "claude", "--yes", root=root, path=on_path)
    ran = agent("doctor", root=root)
    assert ran.code == 1
    assert "not on the PATH" in ran.out
    whole = cairn("doctor", cwd=root, PATH=_system_path(), HOME=str(root.parent))
    assert whole.code == 1
    assert "Claude Code: 6 of 6 hooks do not work" in whole.out


def test_doctor_never_runs_a_stranger(root, on_path, tmp_path):
    """Settings come with a repository; looking whether all is well must not start what they name."""
    evil = tmp_path / "evil" / "cairn"
    evil.parent.mkdir()
    evil.write_text(f"#!/bin/sh\ntouch {tmp_path}/started\n")
    evil.chmod(0o755)
    file = root / ".claude/settings.json"
    file.parent.mkdir()
    commands = [f"{evil} hook stop", f"cairn hook stop; touch {tmp_path}/started", "./cairn hook stop"]
    shutil.copy(evil, root / "cairn")
    file.write_text(json.dumps({"hooks": {"Stop": [{"hooks": [{"command": text} for text in commands]}]}}))
    ran = agent("doctor", "--json", root=root, path=on_path)
    assert ran.code == 1
    assert all("not run" in one["problems"][0] for one in ran.json()["hooks"])
    cairn("doctor", cwd=root, PATH=on_path, HOME=str(root.parent))
    assert not (tmp_path / "started").exists()


@pytest.mark.parametrize(
    ("broken", "sentence"),
    [
        ("exit 3", "ended with 3"),
        ("echo hello", "not JSON"),
        ('echo \'{"decision": "block"}\'', "expects"),
        ("true", "recorded no turn_eligible event"),
    ],
)
def test_doctor_proves_what_a_hook_does(root, tmp_path, on_path, broken, sentence):
    agent("install", "--agent", "claude", "--yes", root=root, path=on_path)
    (tmp_path / "bin/cairn").write_text(f"#!/bin/sh\ncat > /dev/null\n{broken}\n")
    ran = agent("doctor", "--json", root=root, path=on_path)
    assert ran.code == 1
    stop = next(one for one in ran.json()["hooks"] if one["event"] == "Stop")
    assert sentence in stop["problems"][0]


def test_doctor_says_what_stands_in_the_way(root, on_path):
    (root / ".codex").mkdir()
    (root / ".codex/config.toml").write_text("[features]\nhooks = false\n")
    file = root / ".claude/settings.json"
    file.parent.mkdir()
    file.write_text('{"disableAllHooks": true, "hooks": {"Stop": [{"hooks": [{"command": "other"}]}]}}')
    agent("install", "--yes", root=root, path=on_path)
    ran = agent("doctor", root=root, path=on_path, CAIRN_OFF="1")
    assert ran.code == 1
    for sentence in (
        "Claude Code has hooks switched off in .claude/settings.json",
        "Codex has hooks switched off in .codex/config.toml",
        "CAIRN_OFF is set",
        "hooks of others stand before ours for Stop",
        "/hooks",
    ):
        assert sentence in ran.out


def test_doctor_shows_the_log_of_mishaps(root, on_path):
    line = {"ts": "2026-01-01T00:00:00.000Z", "hook": "stop", "phase": "stdin", "error": "stdin was empty"}
    (root / ".cairn/hook-errors.log").write_text("no JSON\n" + json.dumps(line) + "\n")
    assert "stdin was empty" in agent("doctor", root=root, path=on_path).out
    assert "stdin was empty" in cairn("doctor", cwd=root, PATH=on_path).out


def test_a_trial_leaves_nothing_behind(root, on_path):
    agent("install", "--agent", "claude", "--yes", root=root, path=on_path)
    before = tree(root)
    agent("doctor", root=root, path=on_path)
    assert tree(root) == before


# --- tools and skills -------------------------------------------------------------------------------------------------


def test_hooks_alone_where_nobody_wants_tools(root, on_path):
    made = agent("install", "--agent", "claude", "--no-mcp", "--yes", "--json", root=root, path=on_path)
    assert [file["path"] for file in made.json()["agents"][0]["files"]] == [FILES["claude"]]
    assert "no hooks" not in agent("list", root=root).out.splitlines()[0]


def test_a_file_that_cannot_be_edited_costs_the_entry_and_not_the_hooks(root, on_path):
    (root / ".mcp.json").write_text('{"mcpServers": {} // mine\n}')
    made = agent("install", "--agent", "claude", "--yes", root=root, path=on_path)
    assert made.code == 0
    assert "Claude Code gets no tools: .mcp.json has comments" in made.err
    assert "add the entry by hand as docs/how-to/mcp.md shows it. It stays as it is." in made.err
    assert (root / FILES["claude"]).exists()


@pytest.mark.parametrize(("theirs", "told"), [("{} // mine\n", False), ('{"cairn": 1} // mine\n', True)])
def test_a_file_that_cannot_be_read_keeps_nothing_from_being_taken_out(root, on_path, theirs, told):
    (root / ".mcp.json").write_text(theirs)
    agent("install", "--agent", "claude", "--yes", root=root, path=on_path)
    gone = agent("uninstall", "--agent", "claude", "--yes", root=root, path=on_path)
    assert gone.code == 0, gone.err
    assert not (root / FILES["claude"]).exists()
    assert ("take the entry `cairn` out by hand" in gone.err) is told
    assert (root / ".mcp.json").read_text() == theirs


def test_an_entry_of_another_cairn_is_named_and_not_run(root, on_path):
    (root / ".mcp.json").write_text('{"mcpServers": {"cairn": {"command": "/elsewhere/cairn", "args": ["mcp"]}}}')
    tried = agent("doctor", "--agent", "claude", root=root, path=on_path)
    assert tried.code == 1
    assert ".mcp.json starts /elsewhere/cairn, which is not the Cairn that you are using; it was not run" in tried.out


def test_skills_for_every_host_and_gone_again(root, on_path):
    before = outside(root)
    hosts = ("--agent", "claude", "--agent", "codex")
    made = agent("install", *hosts, "--skills", "--yes", "--json", root=root, path=on_path)
    files = [file["path"] for one in made.json()["agents"] for file in one["files"]]
    assert len(files) == len(set(files))
    names = ("cairn", "cairn-curate", "cairn-bootstrap")
    wanted = {f"{folder}/{name}/SKILL.md" for folder in (".agents/skills", ".claude/skills") for name in names}
    assert wanted <= set(files)
    again = agent("install", *hosts, "--skills", "--yes", "--json", root=root, path=on_path)
    assert again.json()["written"] is False
    agent("uninstall", "--agent", "claude", "--yes", root=root, path=on_path)
    assert (root / ".agents/skills/cairn/SKILL.md").exists()
    assert not (root / ".claude").exists()
    agent("uninstall", "--yes", root=root, path=on_path)
    assert outside(root) == before


def test_every_host_gets_its_command_and_none_is_left(root, on_path):
    (root / ".gemini").mkdir()
    (root / ".gemini/settings.json").write_text("{}\n")
    before = outside(root)
    hosts = [word for host in HOSTS for word in ("--agent", host)]
    made = agent("install", *hosts, "--skills", "--yes", root=root, path=on_path)
    for called in (
        "in Claude Code, type `/cairn-curate`",
        "in Codex, type `$cairn-curate`",
        "in Cursor, type `/cairn-curate`",
        "in OpenCode, type `/cairn-curate`",
    ):
        assert called in made.err
    for path in (".opencode/commands/cairn-curate.md", ".gemini/commands/cairn-curate.toml"):
        assert ".agents/skills/cairn-curate/SKILL.md" in (root / path).read_text()
    agent("uninstall", "--yes", root=root, path=on_path)
    assert outside(root) == before


def test_a_skill_that_somebody_changed_is_theirs(root, on_path):
    mine = root / ".agents/skills/cairn/SKILL.md"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine\n")
    made = agent("install", "--agent", "codex", "--skills", "--yes", root=root, path=on_path)
    assert ".agents/skills/cairn/SKILL.md is there and not what we would write; it stays" in made.err
    gone = agent("uninstall", "--yes", root=root, path=on_path)
    assert gone.err.count(".agents/skills/cairn/SKILL.md is not as we would write it today and stays") == 1
    assert [path.name for path in (root / ".agents").rglob("*")] == ["skills", "cairn", "SKILL.md"]
    assert mine.read_text() == "mine\n"


# --- leaving ----------------------------------------------------------------------------------------------------------


def test_taking_cairn_away_takes_its_hooks_along(root, on_path):
    file = root / ".claude/settings.json"
    file.parent.mkdir()
    file.write_text(FOREIGN)
    before = outside(root)
    agent("install", "--agent", "claude", "--agent", "opencode", "--yes", root=root, path=on_path)
    listed = cairn("uninstall", "--dry-run", cwd=root)
    assert ".claude/settings.json (what we put into it)" in listed.out
    gone = cairn("uninstall", "--yes", "--json", cwd=root)
    fits_schema(gone.json(), "uninstall")
    hooks = {".claude/settings.json", ".opencode/plugins/cairn.js"}
    assert set(gone.json()["edited"]) == {*hooks, ".mcp.json", "opencode.json"}
    assert tree(root) == before


def test_settings_that_cannot_be_read_do_not_keep_anybody_from_leaving(root):
    file = root / ".claude/settings.json"
    file.parent.mkdir()
    file.write_text("{")
    ran = cairn("uninstall", "--yes", cwd=root)
    assert ran.code == 0
    assert "hooks for Claude Code stay" in ran.err
    assert file.read_text() == "{"
