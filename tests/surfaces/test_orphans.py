"""`cairn orphans`."""

import json

import pytest

import garden
from program import cairn, fits_schema


@pytest.fixture
def workspace(tmp_path):
    garden.make(tmp_path, {"docs/a.md": "# A\n", "docs/b.md": "# B\n", "keep.md": "# Keep\n"})
    (tmp_path / "docs" / "a.md").unlink()
    (tmp_path / "docs" / "b.md").unlink()
    garden.scan(tmp_path)
    return tmp_path


def orphans(root):
    listed = cairn("orphans", "--json", cwd=root)
    fits_schema(listed.json(), "orphans")
    return [orphan["path"] for orphan in listed.json()["orphans"]]


def events(root, kind):
    texts = [file.read_text() for file in (root / ".cairn" / "ledger").glob("*.jsonl")]
    lines = [json.loads(line) for text in texts for line in text.splitlines()]
    return [line["payload"] for line in lines if line["type"] == kind]


def test_what_went_is_listed(workspace):
    ran = cairn("orphans", cwd=workspace)
    assert ran.code == 0
    assert garden.first_column(ran) == ["docs/a.md", "docs/b.md"]
    assert orphans(workspace) == ["docs/a.md", "docs/b.md"]
    assert garden.first_column(cairn("orphans", "a.md", cwd=workspace / "docs")) == ["docs/a.md"]


def test_forgetting_some(workspace):
    dry = cairn("orphans", "--forget", "docs/a.md", "-n", "--json", cwd=workspace)
    fits_schema(dry.json(), "orphans")
    assert dry.json() == {"forgotten": ["docs/a.md"], "dryRun": True}
    assert orphans(workspace) == ["docs/a.md", "docs/b.md"]
    ran = cairn("orphans", "--forget", "a.md", cwd=workspace / "docs")
    assert (ran.code, ran.out) == (0, "docs/a.md\n")
    assert orphans(workspace) == ["docs/b.md"]
    assert events(workspace, "orphan_forgotten") == [{"path": "docs/a.md"}]


def test_forgetting_all(workspace):
    assert cairn("orphans", "--forget-all", cwd=workspace).out == "docs/a.md\ndocs/b.md\n"
    assert orphans(workspace) == []
    assert len(events(workspace, "orphan_forgotten")) == 2
    ran = cairn("orphans", cwd=workspace)
    assert (ran.code, ran.out) == (0, "")
    assert "there are no orphans" in ran.err
    assert "nothing to forget" in cairn("orphans", "--forget-all", cwd=workspace).err


@pytest.mark.parametrize(
    ("args", "code", "sentence"),
    [
        (("--forget",), 2, "Name what to forget"),
        (("--forget-all", "docs/a.md"), 2, "not both"),
        (("--dry-run",), 2, "goes with"),
        (("--forget", "docs/a.md", "docs/z.md"), 5, "`docs/z.md` is not among the files that went"),
        (("docs/z.md",), 5, "not among the files that went"),
    ],
)
def test_what_is_refused(workspace, args, code, sentence):
    ran = cairn("orphans", *args, cwd=workspace)
    assert (ran.code, ran.out) == (code, "")
    assert sentence in ran.err
    assert orphans(workspace) == ["docs/a.md", "docs/b.md"]
