"""`cairn init`: what it writes, and what it says about the repository."""

import json
import re
import subprocess

import pytest

from program import cairn
from repository import make

PAGE = "# Page\n\nSome words about the beds.\n"
ENTRY = "---\nname: beds\ndescription: About beds.\nsources:\n  - url: https://beds.example/docs\n---\n# Beds\n"


def repository(folder, files, *, git=True):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    if git:
        subprocess.run(["git", "init", "--quiet"], cwd=folder, check=True)
    return folder


@pytest.mark.parametrize("git", [True, False], ids=["git", "no git"])
@pytest.mark.parametrize(
    "files",
    [
        {},
        {"README.md": PAGE},
        {f"docs/{n}.md": PAGE for n in range(5)},
        {"knowledge/core/beds.md": ENTRY},
        {"main.go": "package main\n"},
        {"notes.md": PAGE, ".claude/agents/a.md": "---\nname: a\ndescription: A.\n---\n"},
    ],
    ids=["empty", "one page", "docs", "entries", "no documents", "agents"],
)
def test_every_folder_that_init_names_exists(tmp_path, files, git):
    root = repository(tmp_path / "project", files, git=git) if files else tmp_path
    ran = cairn("init", cwd=root)
    assert ran.code == 0, ran.err
    named = re.findall(r"(?<![\w/.`])[\w./-]+/(?=[ ;,\n])", ran.out + ran.err)
    assert [name for name in named if not (root / name).is_dir()] == []
    corpora = json.loads((root / ".cairn/settings.json").read_text()).get("corpora", {})
    assert [corpus["root"] for corpus in corpora.values() if not (root / corpus["root"]).is_dir()] == []
    assert "no pages yet" not in cairn("status", cwd=root).out


@pytest.mark.parametrize("files", [{"README.md": PAGE}, {f"docs/{n}.md": PAGE for n in range(5)}], ids=["new", "docs"])
def test_the_first_page_creates_the_folder_that_init_did_not_name(tmp_path, files):
    root = make(tmp_path / "project", files)
    assert cairn("init", cwd=root).code == 0 and not (root / "knowledge").exists()
    rule = "Prices are in cents, because rounding cost us money."
    assert cairn("note", "--keep", rule, cwd=root).code == 0
    assert cairn("curate", cwd=root).code == 0
    [request] = cairn("change", "list", "--json", cwd=root).json()["requests"]
    assert cairn("change", "merge", request["id"], cwd=root).code == 0
    assert cairn("search", "prices cents", "--json", cwd=root).json()["hits"][0]["kind"] == "practice"
    assert "corpus knowledge (entries): 1 page" in cairn("status", cwd=root).out


def test_a_dry_run_names_no_file_to_commit(tmp_path):
    root = repository(tmp_path / "project", {"README.md": PAGE})
    ran = cairn("init", "--dry-run", cwd=root)
    assert ran.code == 0
    assert "commit .cairn" not in ran.err
    assert not (root / ".cairn").exists()


def test_counts_are_the_same_in_every_command(tmp_path):
    files = {**{f"docs/{n}.md": f"# {n}\n\n[first](0.md)\n" for n in range(4)}, "knowledge/core/beds.md": ENTRY}
    root = repository(tmp_path / "project", files)
    made = cairn("init", cwd=root)
    assert re.search(r"^5 new; 5 documents, \d+ links, 1 URL cited$", made.out, re.M)
    size = re.search(r"5 documents, \d+ links, 1 URL cited", made.out)[0]
    assert size in cairn("scan", cwd=root).out
    assert size in cairn("doctor", cwd=root).out
    assert size == re.sub(r" \(.*?\)", "", re.search(r"graph: (.*)", cairn("status", cwd=root).out)[1])
    assert "(5 documents, 5 files)" in cairn("check", cwd=root).out
    assert "(5 documents, 5 files, 0 commits)" in cairn("try", cwd=root).err


def test_sentences_for_people_count_no_nodes(tmp_path):
    root = repository(tmp_path / "project", {"README.md": PAGE, "knowledge/core/beds.md": ENTRY})
    cairn("init", cwd=root)
    for command in ("scan", "status", "doctor", "check", "try"):
        ran = cairn(command, cwd=root)
        assert not re.search(r"\d nodes?\b", ran.out + ran.err), command
