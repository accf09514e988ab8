"""Every command that a shipped skill names is run, in a repository that has one of everything."""

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest

from asked_jobs import SAFE
from cairn.agents.shipped_skills import SKILLS, skill_text
from host_lines import claude, joined
from model_server import model_server
from program import cairn
from reading_agent import WITH, answers, env_of, lesson, placed
from repository import git, make

PAGE = "knowledge/practice/access-logs.md"
OLD = "Keep access logs for 14 days, then delete them."
SAID = "we keep access logs for 30 days now, legal agreed to that"
NEVER = "never touch the ledger from more than one worker, billing dies otherwise"
LONG = "The pool opens a connection for every row of the import, which takes long. " * 8
TALK = (claude("user", NEVER), claude("assistant", LONG), claude("user", SAID, uuid="u2"))
FILES = {
    PAGE: f"---\nname: access-logs\ndescription: How long.\ntopics: [logs]\n---\n\n# Keep access logs\n\n{OLD}\n",
    "docs/queue.md": "# Queue\n\nFour workers take jobs from the queue. Each of them holds a lock on the gateway.\n",
    "CLAUDE.md": "# Rules\n\n- Run the tests before you push.\n",
    ".ai/knowledge-base/nodes/practice/tests.md": "---\nid: tests\n---\n\n# Tests\n",
    ".cairn/settings.json": '{"corpora": {"knowledge": {"root": "knowledge", "layout": "entries"}}}',
    ".gitignore": ".cairn/*\n!.cairn/settings.json\n",
}
FINDS_NOTHING = {"learned": {"candidates": []}, "distil": {"candidates": []}, "place": placed("drop", PAGE)}
NAMED = re.compile(r"`cairn ([^`]+)`")


def capture(root: Path, session: str) -> None:
    file = root.parent / f"{session}.jsonl"
    file.write_bytes(joined({**line, "sessionId": session} for line in TALK))
    assert cairn("session", "capture", "--transcript", str(file), cwd=root).code == 0


def place(prompt: str) -> dict:
    material = prompt.rpartition("<user-content")[2]
    if NEVER in material.partition("PAGE")[0]:
        return placed("add")
    return placed("contradict", "access-logs", (OLD, "Keep access logs for 30 days, then delete them."))


@pytest.fixture(scope="module")
def root(tmp_path_factory) -> Path:
    """A page, a conflict, a change request, and a question that is waiting."""
    root = make(tmp_path_factory.mktemp("skills") / "w", FILES)
    capture(root, "5f1c8d1e-6f3a-4b52-9c3e-0d8a6f2b7c11")
    found = [lesson("Keep access logs for 30 days", SAID), lesson("Use the ledger from one worker only", NEVER)]
    with model_server() as model:
        answers(model, learned={"candidates": found}, place=place)
        cairn("curate", *WITH, cwd=root, **env_of(model))
    capture(root, "6a1c8d1e-6f3a-4b52-9c3e-0d8a6f2b7c22")
    assert cairn("session", "propose", cwd=root).code == 0
    assert len(cairn("conflict", "list", "--json", cwd=root).json()["conflicts"]) == 1
    return root


def commands() -> list[str]:
    found = [said for name in SKILLS for said in NAMED.findall(skill_text(name))]
    return list(dict.fromkeys(found))


def filled(said: str, root: Path) -> list[str]:
    """With what is there in place of the words in capitals."""
    commit = git(root, "rev-parse", "HEAD").strip()
    words = shlex.split(said.replace("commit:…", f"commit:{commit}").replace("…", "Ovens run hot"))
    given = {"PATH": "docs" if words[0] == "bootstrap" else PAGE, "FILE": "report.json", "@FILE": "@docs/queue.md"}
    if words[0] == "change" and "ID" in words:
        given["ID"] = cairn("change", "list", "--json", cwd=root).json()["requests"][0]["id"]
    if words[0] == "conflict" and "ID" in words:
        given["ID"] = cairn("conflict", "list", "--json", cwd=root).json()["conflicts"][0]["id"]
    if words[0] == "record":
        job = cairn("job", "claim", "--json", cwd=root).json()
        given |= {"ID": job["id"], "NONCE": job["nonce"]}
        (root / "report.json").write_text(json.dumps({"confidence": 1, "safety": SAFE, "candidates": []}))
    return [given.get(word, word) for word in words]


@pytest.mark.parametrize("said", commands())
def test_every_command_of_a_skill_works(root, tmp_path, said):
    copy = tmp_path / "w"
    shutil.copytree(root, copy, symlinks=True)
    words = filled(said, copy)
    with model_server() as model:
        answers(model, **FINDS_NOTHING)
        ran = cairn(*words, cwd=copy, CAIRN_JUDGE_WITH="openai-compatible", **env_of(model))
    assert ran.code == 0 or (ran.code == 1 and words[0] in ("check", "bootstrap", "import")), ran.out + ran.err
