"""`cairn reconcile` and `cairn undo-rename`, which take each other back."""

import json

import pytest

import garden
from program import cairn, fits_schema


@pytest.fixture
def workspace(tmp_path):
    """One page was moved and rewritten at once, another was moved with its frontmatter only."""
    garden.make(tmp_path, {"docs/old.md": "# Old\n", "docs/was.md": "---\ntitle: T\nowner: me\n---\nx\n"})
    (tmp_path / "docs" / "old.md").unlink()
    (tmp_path / "docs" / "was.md").unlink()
    garden.write(tmp_path, {"docs/new.md": "# New words\n", "docs/now.md": "---\ntitle: T\nowner: me\n---\ny\n"})
    garden.scan(tmp_path)
    return tmp_path


def orphans(root):
    return [orphan["path"] for orphan in cairn("orphans", "--json", cwd=root).json()["orphans"]]


def events(root):
    texts = [file.read_text() for file in (root / ".cairn" / "ledger").glob("*.jsonl")]
    lines = [json.loads(line) for text in texts for line in text.splitlines()]
    return [(line["type"], line["payload"]) for line in lines if line["type"] != "scan_completed"]


def test_there_and_back(workspace):
    assert orphans(workspace) == ["docs/old.md"]
    dry = cairn("reconcile", "docs/old.md", "--to", "docs/new.md", "--dry-run", cwd=workspace)
    assert (dry.code, orphans(workspace)) == (0, ["docs/old.md"])
    assert "would move" in dry.out
    ran = cairn("reconcile", "old.md", "--to", "new.md", cwd=workspace / "docs")
    assert ran.code == 0
    assert "`docs/old.md` is now `docs/new.md`" in ran.out
    assert orphans(workspace) == []
    back = cairn("undo-rename", "docs/new.md", "--json", cwd=workspace)
    fits_schema(back.json(), "undo-rename")
    assert back.json() == {"from": "docs/new.md", "to": "docs/old.md", "movedFacts": 0, "dryRun": False}
    assert orphans(workspace) == ["docs/old.md"]
    pair = {"from": "docs/old.md", "to": "docs/new.md"}
    assert events(workspace) == [("reconciled", pair), ("rename_undone", pair)]


def test_as_json(workspace):
    ran = cairn("reconcile", "docs/old.md", "--to", "docs/new.md", "--json", cwd=workspace)
    fits_schema(ran.json(), "reconcile")
    assert ran.json()["from"] == "docs/old.md"


@pytest.mark.parametrize(
    ("args", "code", "sentence"),
    [
        (("docs/zzz.md", "--to", "docs/new.md"), 5, "Nothing is known about `docs/zzz.md`"),
        (("docs/old.md", "--to", "docs/nev.md"), 5, "did you mean `docs/new.md`?"),
        (("docs/now.md", "--to", "docs/new.md"), 3, "is still there"),
        (("docs/old.md",), 2, "--to"),
    ],
)
def test_what_reconcile_refuses(workspace, args, code, sentence):
    ran = cairn("reconcile", *args, cwd=workspace)
    assert (ran.code, ran.out) == (code, "")
    assert sentence in ran.err
    assert orphans(workspace) == ["docs/old.md"]
    assert events(workspace) == []


def test_undoing_what_the_scan_guessed(workspace):
    ran = cairn("undo-rename", "docs/now.md", cwd=workspace)
    assert ran.code == 0
    assert orphans(workspace) == ["docs/old.md", "docs/was.md"]
    assert cairn("undo-rename", "docs/now.md", cwd=workspace).code == 5


def test_undoing_when_the_old_one_came_back(workspace):
    garden.write(workspace, {"docs/was.md": "# Was again\n"})
    garden.scan(workspace)
    refused = cairn("undo-rename", "docs/now.md", cwd=workspace)
    assert refused.code == 1
    assert "add --force" in refused.err
    assert cairn("undo-rename", "docs/now.md", "--force", "-n", cwd=workspace).code == 0
    assert cairn("undo-rename", "docs/now.md", "--force", cwd=workspace).code == 0
    assert orphans(workspace) == ["docs/old.md"]


def test_several_became_one(workspace):
    assert cairn("reconcile", "docs/old.md", "--to", "docs/now.md", cwd=workspace).code == 0
    unclear = cairn("undo-rename", "docs/now.md", cwd=workspace)
    assert unclear.code == 3
    assert "say which with --from" in unclear.err
    assert cairn("undo-rename", "docs/now.md", "--from", "docs/zzz.md", cwd=workspace).code == 5
    assert cairn("undo-rename", "docs/now.md", "--from", "docs/old.md", cwd=workspace).code == 0
    assert orphans(workspace) == ["docs/old.md"]
