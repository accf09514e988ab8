"""Transcripts of a project, found in the folders of four hosts, and nobody else's."""

import json
import os
from pathlib import Path

import pytest

from cairn.adapters.transcripts.find import find_transcripts
from host_lines import claude, codex_meta, cursor, joined


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "work" / "my.app" / "sub").mkdir(parents=True)
    return tmp_path / "work" / "my.app"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def put(file: Path, data: bytes, at: int) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    os.utime(file, (at, at))


def slug(path: Path) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in str(path))


def test_every_host_has_its_place(project: Path, home: Path) -> None:
    projects = home / ".claude" / "projects"
    put(
        projects / slug(project) / "c-1.jsonl", joined([{"type": "summary"}, claude("user", "a", cwd=str(project))]), 40
    )
    put(projects / slug(project / "sub") / "c-2.jsonl", joined([claude("user", "a", cwd=str(project / "sub"))]), 30)
    put(
        projects / slug(project.parent / "my-app") / "c-3.jsonl",
        joined([claude("user", "a", cwd=f"{project.parent}/my-app")]),
        90,
    )
    put(projects / f"{slug(project)}-two" / "c-4.jsonl", joined([claude("user", "a", cwd=f"{project}-two")]), 90)

    sessions = home / ".codex" / "sessions" / "2026" / "05" / "04"
    put(sessions / "rollout-2026-05-04T10-00-00-x-1.jsonl", joined([codex_meta(str(project), "x-1")]), 20)
    put(sessions / "rollout-2026-05-04T11-00-00-x-2.jsonl", joined([codex_meta("/elsewhere", "x-2")]), 90)
    put(sessions / "rollout-2026-05-04T12-00-00-x-3.jsonl", b"\xff\xfe broken", 90)

    chats = home / ".cursor" / "projects" / slug(project).strip("-") / "agent-transcripts"
    put(chats / "u-1" / "u-1.jsonl", joined([cursor("user", "a")]), 10)
    put(chats / "u-1" / "subagents" / "u-9.jsonl", joined([cursor("user", "a")]), 90)
    put(chats / "u-2.txt", b"user:\na\n", 5)

    storage = home / ".local" / "share" / "opencode" / "storage" / "session" / "p"
    for id, folder, parent in (("ses_1", project, None), ("ses_2", "/elsewhere", None), ("ses_3", project, "ses_1")):
        value = {"id": id, "directory": str(folder), "parentID": parent, "time": {"updated": 50_000}}
        put(storage / f"{id}.json", json.dumps(value).encode(), 90)

    found = find_transcripts({"HOME": str(home)}, project)
    assert [(one.host, one.session) for one in found] == [
        ("opencode", "ses_1"),
        ("claude", "c-1"),
        ("claude", "c-2"),
        ("codex", "x-1"),
        ("cursor", "u-1"),
        ("cursor", "u-2"),
    ]
    assert [one.session for one in find_transcripts({"HOME": str(home)}, project, ["codex"])] == ["x-1"]


def test_hosts_that_live_elsewhere(project: Path, tmp_path: Path) -> None:
    put(tmp_path / "cc" / "projects" / slug(project) / "c-1.jsonl", joined([claude("user", "a", cwd=str(project))]), 1)
    put(tmp_path / "cx" / "sessions" / "a.jsonl", joined([codex_meta(str(project), "x-1")]), 1)
    env = {
        "CLAUDE_CONFIG_DIR": str(tmp_path / "cc"),
        "CODEX_HOME": str(tmp_path / "cx"),
        "HOME": str(tmp_path / "none"),
    }
    assert {one.session for one in find_transcripts(env, project)} == {"c-1", "x-1"}


@pytest.mark.parametrize("env", [{}, {"HOME": ""}, {"HOME": "/nowhere"}])
def test_without_a_home_there_is_nothing(project: Path, env: dict[str, str]) -> None:
    assert find_transcripts(env, project) == []


def test_a_first_prompt_of_a_megabyte_is_read_to_its_end(project: Path, home: Path) -> None:
    long = claude("user", "word " * 200_000, cwd=str(project))
    put(home / ".claude" / "projects" / slug(project) / "c-1.jsonl", joined([{"type": "summary"}, long]), 1)
    put(home / ".claude" / "projects" / f"{slug(project)}-other" / "c-2.jsonl", joined([long]), 2)
    assert [one.session for one in find_transcripts({"HOME": str(home)}, project)] == ["c-2", "c-1"]
