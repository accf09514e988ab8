"""Hosts as they are: what is kept of a short session, how new a briefing is, and what `agent doctor` finds."""

import json
import shutil
import subprocess
import sys

import pytest

import mcp_workspace
import repository
from agent_calls import SESSION, events, hook, payload
from host_lines import claude, claude_use, joined
from program import cairn, clean_env, command_line, fits_schema


@pytest.fixture
def root(tmp_path):
    return mcp_workspace.make(tmp_path / "bakery")


def session(root, *lines, session=SESSION):
    """One message and its answer, told by the hooks of a host, and drained."""
    folder = root.parent / ".claude"
    folder.mkdir(exist_ok=True)
    transcript = folder / f"{session}.jsonl"
    hook("prompt", payload("claude", "prompt", root, transcript, session_id=session, prompt="a prompt"), cwd=root)
    transcript.write_bytes(joined(lines))
    for event in ("stop", "session-end"):
        hook(event, payload("claude", event, root, transcript, session_id=session), cwd=root)
    assert cairn("hook", "drain", cwd=root).code == 0


def kept(root):
    return {one["session"]: one["status"] for one in cairn("session", "list", "--json", cwd=root).json()["sessions"]}


SHORT = [
    ("Always use tabs in the Makefile of this project.", [], "pending"),
    ("Remember: prices are integers, in cents.", [], "done"),
    ("Ab jetzt wird immer dienstags veröffentlicht.", [], "pending"),
    ("Fix the typo in the second line of the README.", [claude_use("t", "Edit", file_path="README.md")], "skipped"),
    ("What is the second line of the README about?", [], "skipped"),
    ("Hello there.", [], "skipped"),
]


@pytest.mark.parametrize(("words", "tools", "status"), SHORT, ids=[row[0][:20] for row in SHORT])
def test_a_session_of_one_message_that_teaches_something_is_kept(root, words, tools, status):
    session(root, claude("user", words, uuid="u1"), *tools, claude("assistant", "All right, noted.", uuid="a1"))
    [found] = kept(root).values()
    assert (found != "skipped") == (status != "skipped")


def test_what_was_asked_to_be_kept_in_one_message_becomes_a_candidate(root):
    session(root, claude("user", "Remember: prices are integers, in cents.", uuid="u1"), claude("assistant", "Yes."))
    [action] = cairn("curate", "--dry-run", "--apply", "--json", cwd=root).json()["actions"]
    assert "prices are integers" in action["proposedNode"]["body"].lower()


# --- briefing -------------------------------------------------------------------------------------------------------


def test_a_briefing_has_a_page_that_was_merged_a_minute_ago(tmp_path):
    root = repository.make(tmp_path / "shop", {"README.md": "# Shop\n"})
    env = {"HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path / "state")}
    assert cairn("init", cwd=root, **env).code == 0
    repository.commit(root)
    cairn("hook", "drain", cwd=root, **env)
    cairn("note", "--keep", "Prices are integers, in cents.", cwd=root, **env)
    assert cairn("curate", cwd=root, **env).code == 0
    [request] = cairn("change", "list", "--json", cwd=root, **env).json()["requests"]
    assert cairn("change", "merge", request["id"], cwd=root, **env).code == 0
    told = json.dumps(payload("claude", "session-start", root, None)).encode()
    out = subprocess.run(
        command_line("hook", "session-start"), cwd=root, env=clean_env(**env), input=told, capture_output=True
    ).stdout.decode()
    assert "Prices are integers" in out


# --- doctor ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def on_path(tmp_path):
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "cairn").write_text(f'#!/bin/sh\nexec {sys.executable} -P -m cairn "$@"\n')
    (folder / "cairn").chmod(0o755)
    return f"{folder}:/usr/local/bin:/usr/bin:/bin"


def examined(root, path, host="claude"):
    ran = cairn("agent", "doctor", "--agent", host, "--json", cwd=root, PATH=path, HOME=str(root.parent))
    fits_schema(ran.json(), "agent-doctor")
    return ran.code, [one["message"] for one in ran.json()["findings"] if one["state"] == "error"]


def listed(root, client="claude-code"):
    """A host starts the server and asks for its tools."""
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": client, "version": "1"}}
    lines = [{"id": 0, "method": "initialize", "params": hello}, {"id": 1, "method": "tools/list"}]
    told = "".join(json.dumps({"jsonrpc": "2.0", **line}) + "\n" for line in lines).encode()
    subprocess.run(command_line("mcp"), cwd=root, env=clean_env(), input=told, capture_output=True, check=True)


def three_sessions(root, *lines):
    for number in range(3):
        session(root, *lines, session=f"{number}{SESSION[1:]}")


SAID = (
    claude("user", "Mend it.", uuid="u1"),
    claude("assistant", "Mended the parser, and it takes tabs now.", uuid="a"),
)


def test_doctor_fails_when_a_host_never_listed_the_tools(root, on_path):
    cairn("agent", "install", "--agent", "claude", "--yes", cwd=root, PATH=on_path, HOME=str(root.parent))
    three_sessions(root, *SAID)
    code, errors = examined(root, on_path)
    assert (code, len(errors)) == (1, 1)
    assert "never listed the tools" in errors[0]
    listed(root, "somebody else")
    assert examined(root, on_path)[0] == 1
    listed(root)
    assert examined(root, on_path) == (0, [])
    assert [e["payload"] for e in events(root) if e["type"] == "tools_listed"][-1] == {"client": "claude-code"}


def test_doctor_fails_when_turns_of_a_host_have_no_words(root, on_path):
    cairn("agent", "install", "--agent", "claude", "--yes", cwd=root, PATH=on_path, HOME=str(root.parent))
    listed(root)
    three_sessions(root, claude("user", "Mend it.", uuid="u1"), claude_use("t", "Edit", file_path="a"))
    code, errors = examined(root, on_path)
    assert (code, len(errors)) == (1, 1)
    assert "none of the last 3 turns came with its words" in errors[0]
    session(root, *SAID)
    assert examined(root, on_path) == (0, [])


# --- the library of the MCP entry -----------------------------------------------------------------------------------


@pytest.fixture
def without_library(tmp_path):
    """Python does not find the library, and its `pip` only writes down what it was asked for."""
    folder = tmp_path / "site"
    (folder / "pip").mkdir(parents=True)
    (folder / "sitecustomize.py").write_text("import sys\nsys.modules['mcp'] = None\n")
    (folder / "pip/__init__.py").touch()
    (folder / "pip/__main__.py").write_text(
        f"import sys\nopen({str(tmp_path / 'asked')!r}, 'w').write(' '.join(sys.argv))\n"
    )
    return folder


def install(root, on_path, site, *more):
    given = {"PATH": on_path, "HOME": str(root.parent), "PYTHONPATH": str(site)}
    return cairn("agent", "install", "--agent", "claude", "--yes", *more, cwd=root, **given)


def test_install_offers_the_library_before_it_writes(root, on_path, without_library, tmp_path):
    made = install(root, on_path, without_library)
    said = made.err + made.out
    assert made.code == 0
    assert "-m pip install" in made.err
    assert "mcp" in said[said.index("-m pip install") :].splitlines()[0]
    assert not (tmp_path / "asked").exists()
    assert not (root / ".mcp.json").exists()


def test_install_adds_the_library_when_asked_to(root, on_path, without_library, tmp_path):
    made = install(root, on_path, without_library, "--add-mcp")
    assert made.code == 0, made.err
    assert "mcp>=2" in (tmp_path / "asked").read_text()
    assert (root / ".mcp.json").exists()


# --- backups --------------------------------------------------------------------------------------------------------


def test_backups_never_reach_a_commit(root, on_path):
    cairn("init", cwd=root)
    (root / ".claude").mkdir()
    (root / ".claude/settings.json").write_text('{"model": "opus"}\n')
    (root / ".mcp.json").write_text('{"mcpServers": {}}\n')
    given = {"PATH": on_path, "HOME": str(root.parent)}
    assert cairn("agent", "install", "--agent", "claude", "--yes", cwd=root, **given).code == 0
    added = subprocess.run(["git", "add", "-A", "-n"], cwd=root, capture_output=True, text=True).stdout
    assert ".claude/settings.json" in added
    assert "before-cairn" not in added
    assert "backups" not in added
    assert cairn("agent", "uninstall", "--yes", cwd=root, **given).code == 0
    assert (root / ".claude/settings.json").read_text() == '{"model": "opus"}\n'
    assert not (root / ".cairn/backups/hosts").exists()


def test_a_backup_of_an_earlier_version_is_used_and_removed(root, on_path):
    (root / ".claude").mkdir()
    given = {"PATH": on_path, "HOME": str(root.parent)}
    (root / ".claude/settings.json").write_text('{"model":   "opus"}\n')
    assert cairn("agent", "install", "--agent", "claude", "--yes", cwd=root, **given).code == 0
    shutil.move(root / ".cairn/backups/hosts/.claude/settings.json", root / ".claude/settings.json.before-cairn")
    assert cairn("agent", "uninstall", "--yes", cwd=root, **given).code == 0
    assert (root / ".claude/settings.json").read_text() == '{"model":   "opus"}\n'
    assert not (root / ".claude/settings.json.before-cairn").exists()
