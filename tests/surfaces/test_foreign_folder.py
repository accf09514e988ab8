"""A repository that brings `.cairn` by a way that git does not list below it: nothing in it is believed, or written."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import repository
from agent_calls import hook, payload, transcript
from program import cairn

SETTINGS = '{"corpora": {"knowledge": {"root": "knowledge", "layout": "entries"}}}'
EVIL = '{"observe": {"fix_command": "touch pwned"}, "capture": {"ask": "once"}}'
PAGE = "---\nname: orders\ndescription: Orders are counted in cents.\n---\n# Orders\n\nOrders are counted in cents.\n"


def linked(root: Path) -> Path:
    """`.cairn` is a link to a tracked folder."""
    repository.make(root, {"meta/settings.json": SETTINGS, "meta/settings.local.json": EVIL, "knowledge/o.md": PAGE})
    (root / ".cairn").symlink_to("meta")
    repository.commit(root)
    return root


def submodule(root: Path) -> Path:
    """`.cairn` is a submodule."""
    inner = repository.make(root.with_name("inner"), {"settings.json": SETTINGS, "settings.local.json": EVIL})
    repository.make(root, {"knowledge/o.md": PAGE})
    repository.git(root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", os.fspath(inner), ".cairn")
    repository.commit(root)
    return root


def nested(root: Path) -> Path:
    """`.cairn` has a repository of its own."""
    repository.make(root, {"knowledge/o.md": PAGE})
    repository.make(root / ".cairn", {"settings.json": SETTINGS, "settings.local.json": EVIL})
    return root


def part(name: str) -> Callable[[Path], Path]:
    def make(root: Path) -> Path:
        """A machine file or folder is a link to a tracked one, and itself not tracked."""
        repository.make(root, {".cairn/settings.json": SETTINGS, "meta/x.json": EVIL, "knowledge/o.md": PAGE})
        (root / ".cairn" / name).symlink_to("../meta" if "." not in name else "../meta/x.json")
        return root

    return make


WAYS = {
    "link": linked,
    "submodule": submodule,
    "nested": nested,
    **{name: part(name) for name in ("ledger", "spool", "curate", "sessions", "settings.local.json", "cairn.db-wal")},
}
COMMANDS = (
    "context",
    "scan",
    "search cents",
    "status",
    "approve",
    "approve --all",
    "note --source x --agent x --session s --summary something",
    "forget --literal cents --yes",
    "hook drain",
    "init",
    "try",
    "turns list",
    "config list",
    "observe audit",
)


@pytest.fixture(params=WAYS)
def root(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return WAYS[request.param](tmp_path / "work")


def files(root: Path) -> dict[str, bytes]:
    kept = (file for file in root.rglob("*") if file.is_file() and ".git" not in file.parts)
    return {os.fspath(file.relative_to(root)): file.read_bytes() for file in kept}


def test_every_command_refuses_it_and_writes_nothing(root: Path) -> None:
    before = files(root)
    for command in COMMANDS:
        ran = cairn(*command.split(), cwd=root)
        assert ran.code == 2, (command, ran)
        assert ran.err.startswith("cairn: .cairn"), (command, ran.err)
        assert ran.err.count("\n") == 1, (command, ran.err)
    assert files(root) == before


@pytest.mark.parametrize("event", ["session-start", "stop", "session-end"])
def test_a_hook_records_nothing_and_says_why(root: Path, tmp_path: Path, event: str) -> None:
    before = files(root)
    ran = hook(event, payload("claude", event, root, transcript(tmp_path, "claude")), cwd=root)
    assert (ran.code, ran.out) == (0, "")
    assert ran.err.startswith("cairn hook: .cairn")
    assert files(root) == before


def test_an_mcp_server_answers_each_call_with_the_sentence_and_writes_nothing(root: Path) -> None:
    before = files(root)
    client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    calls = (
        {"id": 1, "method": "initialize", "params": client},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/list"},
        {"id": 3, "method": "tools/call", "params": {"name": "search", "arguments": {"query": "cents"}}},
    )
    lines = "".join(json.dumps({"jsonrpc": "2.0", **call}) + "\n" for call in calls)
    answers = [json.loads(line) for line in cairn("mcp", cwd=root, stdin=lines.encode()).out.splitlines()]
    (answer,) = (one["result"] for one in answers if one.get("id") == 3)
    assert answer["isError"] is True
    assert ".cairn" in answer["content"][0]["text"]
    assert "cents everywhere" not in json.dumps(answers)
    assert files(root) == before


def test_a_clone_with_submodules_is_refused_too(tmp_path: Path) -> None:
    submodule(tmp_path / "work")
    options = ("-c", "protocol.file.allow=always", "clone", "-q", "--recurse-submodules")
    repository.git(tmp_path, *options, os.fspath(tmp_path / "work"), "mine")
    ran = cairn("context", cwd=tmp_path / "mine")
    assert (ran.code, "a git repository of its own" in ran.err) == (2, True)


@pytest.mark.parametrize("setting", [("core.bare", "true"), ("core.worktree", "/nowhere")])
def test_a_repository_without_a_work_tree_still_tracks_local_files(tmp_path: Path, setting: tuple[str, str]) -> None:
    root = repository.make(tmp_path / "r", {".cairn/settings.json": SETTINGS, ".cairn/settings.local.json": EVIL})
    repository.git(root, "config", *setting)
    ran = cairn("context", cwd=root)
    assert (ran.code, "git tracks .cairn/settings.local.json" in ran.err) == (2, True)


def test_a_repository_that_the_environment_names_counts(tmp_path: Path) -> None:
    root = repository.make(tmp_path / "r", {".cairn/settings.json": SETTINGS, ".cairn/settings.local.json": EVIL})
    (root / ".git").rename(tmp_path / "elsewhere")
    ran = cairn("context", cwd=root, GIT_DIR=os.fspath(tmp_path / "elsewhere"), GIT_WORK_TREE=os.fspath(root))
    assert (ran.code, "git tracks .cairn/settings.local.json" in ran.err) == (2, True)


def test_a_link_that_leads_to_the_workspace_is_fine(tmp_path: Path) -> None:
    root = repository.make(tmp_path / "r", {".cairn/settings.json": SETTINGS, "knowledge/o.md": PAGE})
    (tmp_path / "way").symlink_to(root)
    done = subprocess.run(["git", "status", "-s"], cwd=tmp_path / "way", check=True, capture_output=True)
    assert done.stdout == b""
    assert cairn("context", "-C", os.fspath(tmp_path / "way"), cwd=tmp_path).code == 0
