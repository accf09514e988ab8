"""`cairn status`: the page of the morning."""

import json
import sqlite3
from pathlib import Path

import pytest

import garden
import repository
from commits import commit
from program import cairn, fits_schema


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return garden.make(tmp_path)


def sections(root: Path, *args: str) -> dict[str, list[str]]:
    ran = cairn("status", "--json", *args, cwd=root)
    assert ran.code == 0, ran.err
    fits_schema(ran.json(), "status")
    assert ran.json()["problems"] == []
    return {name: [line["text"] for line in lines] for name, lines in ran.json()["sections"].items()}


def test_the_page(workspace: Path):
    ran = cairn("status", cwd=workspace)
    assert ran.code == 0
    assert "Waiting for you\n  1 error in docs/plan.md: reference-broken  " in ran.out
    assert "Since yesterday\n  1 scan with changes: 5 documents added" in ran.out
    assert "graph: 5 documents (page 3, agent 1, command 1)" in ran.out
    assert "last scan just now, nothing changed since" in ran.out
    assert "Held back" not in ran.out  # nothing when nothing


def test_an_empty_workspace_has_no_kinds_to_list(tmp_path: Path):
    assert cairn("init", cwd=tmp_path).code == 0
    assert "graph: 0 documents, 0 links" in cairn("status", cwd=tmp_path).out


def test_what_changed_since_the_scan(workspace: Path):
    (workspace / "docs/new.md").write_text("# New\n")
    (workspace / "docs/beds.md").unlink()
    (workspace / "README.md").write_text("# Garden, longer than before\n")
    assert any("3 files changed since" in text for text in sections(workspace)["health"])


def test_a_workspace_that_was_never_scanned_stays_so(tmp_path: Path):
    garden.write(tmp_path, {".cairn/settings.json": "{}", "a.md": "# A\n"})
    assert sections(tmp_path) == {"waits": ["nothing was scanned yet"], "happened": [], "held": [], "health": []}
    assert sorted(path.name for path in (tmp_path / ".cairn").iterdir()) == ["settings.json"]


def test_outside_of_a_workspace_it_says_what_to_do(tmp_path: Path):
    ran = cairn("status", cwd=tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert "cairn init" in ran.err


def test_it_waits_for_no_writer(workspace: Path):
    holder = sqlite3.connect(workspace / ".cairn" / "cairn.db", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    assert any("nothing changed since" in text for text in sections(workspace)["health"])
    holder.close()


def test_files_that_were_not_read_are_held_back(workspace: Path):
    (workspace / "docs/odd.md").write_bytes(b"\0\0")
    garden.scan(workspace)
    assert any("1 file not read: file-binary" in text for text in sections(workspace)["held"])


def test_old_events_are_not_of_yesterday(workspace: Path):
    [file] = (workspace / ".cairn" / "ledger").glob("*.jsonl")
    line = json.loads(file.read_text().splitlines()[0])
    old = {"id": "016f5e66-e800-7000-8000-000000000000", "at": "2020-01-01T00:00:00.000Z"}
    file.write_text(json.dumps({**line, **old}) + "\n")
    assert sections(workspace)["happened"] == []


def test_events_of_other_kinds_are_counted(workspace: Path):
    (workspace / "docs/beds.md").unlink()
    garden.scan(workspace)
    assert cairn("orphans", "--forget-all", cwd=workspace).code == 0
    assert "1 × orphan forgotten" in sections(workspace)["happened"]


def test_the_corpus(tmp_path: Path):
    entry = (
        "---\nname: {name}\ndescription: About {name}.\ntopics: [x]\n{more}---\n# {name}\n\n## Deep Guidance\n\nText.\n"
    )
    garden.make(
        tmp_path,
        {
            "knowledge/core/alpha.md": entry.format(name="alpha", more="last-reviewed: 2001-01-01\n"),
            "knowledge/core/beta.md": entry.format(name="beta", more=""),
            "knowledge/web/gamma.md": entry.format(
                name="gamma", more="last-reviewed: 2999-01-01\nsources:\n  - url: https://example.org/\n"
            ),
            "knowledge/practice/delta.md": entry.format(name="delta", more="derived_from: [.cairn/sessions/s.md]\n"),
        },
    )
    [line] = [text for text in sections(tmp_path)["health"] if text.startswith("corpus")]
    kinds = "4 pages (entry 3, practice 1)"
    counts = "1 reviewed in time, 2 without a source, 1 taken from sessions"
    assert line == f"corpus knowledge (entries): {kinds}; {counts}"
    assert "corpus knowledge by category: core 2, practice 1, web 1" in sections(tmp_path, "--corpus")["health"]


def test_a_source_that_changed(tmp_path: Path):
    page = (
        "---\nname: client\ndescription: About it.\nlast-reviewed: 2024-01-01\nsources:\n  - path: src/client.py\n"
        f"    hash: sha256:{'0' * 64}\n---\n# Client\n\n## Deep Guidance\n"
    )
    commit(tmp_path, {"knowledge/core/client.md": page, "src/client.py": "LIMIT = 1\n", ".cairn/settings.json": "{}"})
    repository.known_here(tmp_path)
    garden.scan(tmp_path)
    changed = "1 source changed or deleted since the last review: knowledge/core/client.md"
    assert sections(tmp_path)["waits"] == [changed]
    assert cairn("freshness", "stamp", "knowledge/core/client.md", cwd=tmp_path).code == 0
    garden.scan(tmp_path)
    assert sections(tmp_path)["waits"] == []
    (tmp_path / "src/client.py").write_text("LIMIT = 2\n")
    assert sections(tmp_path)["waits"] == [changed]


def test_what_breaks_many_parts_is_said_once(workspace: Path):
    (workspace / ".cairn/cairn.db").write_text("garbage")
    ran = cairn("status", cwd=workspace)
    assert (
        ran.err.count("is not a sound database") == 1
        and " sections could not be computed; the rest is complete: scan, issues, " in ran.err
    )
