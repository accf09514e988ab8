"""`cairn refresh`."""

import os

import pytest

import garden
from program import cairn, fits_schema


@pytest.fixture
def workspace(tmp_path):
    return garden.make(tmp_path)


def edit_unseen(path, old, new):
    """Other content, but size, time and inode as before: no scan would read it."""
    facts = path.stat()
    path.write_text(path.read_text().replace(old, new))
    os.utime(path, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    assert path.stat().st_size == facts.st_size


def test_a_file_is_read_although_nothing_seems_to_have_changed(workspace):
    edit_unseen(workspace / "docs" / "beds.md", "(plan.md)", "(plam.md)")
    assert "docs/plam.md" not in cairn("scan", "--json", cwd=workspace).out
    ran = cairn("refresh", "docs/beds.md", cwd=workspace)
    assert ran.code == 0
    assert "changed node: docs/beds.md" in ran.out
    assert "added link: docs/beds.md references docs/plam.md (broken)" in ran.out
    assert "removed link: docs/beds.md references docs/plan.md (node)" in ran.out
    assert "added issue: reference-broken docs/beds.md" in ran.out
    assert "1 file read again" in ran.err


def test_as_json(workspace):
    edit_unseen(workspace / "docs" / "beds.md", "(plan.md)", "(plam.md)")
    ran = cairn("refresh", "beds.md", "gardener", "--json", cwd=workspace / "docs")
    assert (ran.code, ran.err) == (0, "")
    fits_schema(ran.json(), "refresh")
    assert ran.json()["refreshed"] == ["docs/beds.md", ".claude/agents/gardener.md"]
    assert ran.json()["difference"]["nodes"]["changed"] == ["docs/beds.md"]


def test_nothing_is_different(workspace):
    ran = cairn("refresh", "gardener", cwd=workspace)
    assert (ran.code, ran.out) == (0, "")
    assert "nothing is different" in ran.err


def test_a_file_that_went(workspace):
    (workspace / "README.md").unlink()
    ran = cairn("refresh", "README.md", cwd=workspace)
    assert ran.code == 0
    assert "removed node: README.md" in ran.out


def test_stale(workspace):
    (workspace / "docs" / "beds.md").write_text("# Other beds, and more of them\n")
    ran = cairn("refresh", "--stale", "--json", cwd=workspace)
    fits_schema(ran.json(), "refresh")
    assert ran.json()["changes"]["changed"] == ["docs/beds.md"]
    assert "nothing changed" in cairn("refresh", "--stale", cwd=workspace).out


@pytest.mark.parametrize(
    ("args", "code", "sentence"),
    [
        ((), 2, "or give --stale"),
        (("README.md", "--stale"), 2, "or give --stale"),
        (("docs/bets.md",), 5, "did you mean `docs/beds.md`?"),
    ],
)
def test_what_is_refused(workspace, args, code, sentence):
    ran = cairn("refresh", *args, cwd=workspace)
    assert (ran.code, ran.out) == (code, "")
    assert sentence in ran.err
