"""Reading unified diffs: what git writes is read back exactly, what cannot be right is named with its line."""

import re
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cairn.adapters.vcs.git import Git
from cairn.changes.make_change import edits_of, from_diff, from_files, from_worktree, parse_diff
from cairn.core.model.change import FileEdit
from cairn.errors import Conflict, UsageError
from repository import commit, git, make, put

TRICKY = [
    b"one\n",
    b"-- two\n",
    b"++ x\n",
    b"--- a/x\n",
    b"+++ b/y\n",
    b"@@ -1 +1 @@\n",
    b"\n",
    b"cr\r\n",
    b"\\ x\n",
    b"last",
]
_texts = st.lists(st.sampled_from(TRICKY), max_size=12).map(b"".join)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(old=_texts, new=_texts, context=st.integers(0, 4))
def test_what_git_writes_is_read_back(tmp_path: Path, old: bytes, new: bytes, context: int) -> None:
    (tmp_path / "old").write_bytes(old)
    (tmp_path / "new").write_bytes(new)
    command = ["git", "diff", "--no-index", "--no-color", f"-U{context}", "old", "new"]
    diff = subprocess.run(command, cwd=tmp_path, capture_output=True).stdout
    edits = edits_of(diff, lambda path: old if path == "old" else None)
    if old == new:
        assert edits == ()
    else:
        assert edits == (FileEdit("new", new), FileEdit("old", None))


def test_a_diff_of_a_whole_repository(tmp_path: Path) -> None:
    root = make(
        tmp_path, {"a.md": "a\n", "gone.md": "x\n", "old name.md": "1\n2\n3\n4\n", "ü\t.md": "u\n", "empty-gone": ""}
    )
    base = git(root, "rev-parse", "HEAD")
    put(root, {"a.md": "b", "gone.md": None, "old name.md": None, "new name.md": "1\n2\n3\n4\n"})
    put(root, {"ü\t.md": "U\n", "deep/fresh.md": "f\n", "empty": "", "empty-gone": None})
    commit(root)
    for options in (("--no-renames",), ("-M",)):
        diff = subprocess.run(["git", "diff", *options, base, "HEAD"], cwd=root, capture_output=True).stdout
        change = from_diff(diff, lambda path: Git(root).show([(base, path)])[0], base=base)
        wanted = {
            "a.md": b"b",
            "gone.md": None,
            "old name.md": None,
            "new name.md": b"1\n2\n3\n4\n",
            "ü\t.md": b"U\n",
            "deep/fresh.md": b"f\n",
            "empty": b"",
            "empty-gone": None,
        }
        if "-M" in options:  # git takes the one for the other
            wanted = {path: text for path, text in wanted.items() if not path.startswith("empty")}
            assert {e.path: e.content for e in change.edits if not e.path.startswith("empty")} == wanted
        else:
            assert {edit.path: edit.content for edit in change.edits} == wanted


BROKEN = [
    (b"hello\n", "no unified diff"),
    (b"--- a/x\n@@ -1 +1 @@\n", "no line `+++`"),
    (b"--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n-a\n", "middle of a hunk"),
    (b"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n-b\n+c\n", "not as long as it says"),
    (b"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\nxc\n", "not as long as it says"),
    (b"@@ -1 +1 @@\n-a\n+b\n", "without the name"),
    (b"diff --git a/x b/x\n@@ -1 +1 @@\n-a\n+b\n", "before the names"),
    (b"diff --git a/x b/x\nBinary files a/x and b/x differ\n", "not text"),
    (b"diff --git a/x b/y\nsimilarity index 100%\ncopy from x\ncopy to y\n", "copies a file"),
    (b"--- /dev/null\n+++ /dev/null\n", "names no file"),
]


@pytest.mark.parametrize(("diff", "said"), BROKEN)
def test_what_cannot_be_right_is_named(diff: bytes, said: str) -> None:
    with pytest.raises(UsageError, match=re.escape(said)):
        parse_diff(diff)


@pytest.mark.parametrize(
    ("diff", "said"),
    [
        (b"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-other\n+b\n", "does not fit x at line 1"),
        (b"--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n", "not there"),
        (b"--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+b\n", "there already"),
        (b"--- a/x\n+++ b/x\n@@ -9 +9 @@\n-a\n+b\n", "does not fit x at line 9"),
    ],
)
def test_what_does_not_fit_is_a_conflict(diff: bytes, said: str) -> None:
    with pytest.raises(Conflict, match=said):
        edits_of(diff, {"x": b"a\n"}.get)


def test_a_blank_line_whose_mark_was_cut_off() -> None:
    diff = b"--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n"
    assert edits_of(diff, {"x": b"a\n\nb\n"}.get) == (FileEdit("x", b"a\n\nc\n"),)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from([*TRICKY, b"diff --git a/x b/x\n", b"@@ -1,2 +3 @@\n", b"-a\n", b"+b\n"]), max_size=15))
def test_nonsense_is_refused_or_read(lines: list[bytes]) -> None:
    try:
        edits_of(b"".join(lines), lambda _: b"a\n")
    except (UsageError, Conflict):
        return


def test_a_change_of_the_working_tree(tmp_path: Path) -> None:
    root = make(tmp_path, {"a.md": "a\n", "b.md": "b\n", "c.md": "c\n"})
    base = git(root, "rev-parse", "HEAD")
    put(root, {"a.md": "A\n", "b.md": None, "new.md": "n\n", "c.txt": "no\n"})
    (root / "c.md").touch()

    def read(path: str) -> bytes | None:
        return (root / path).read_bytes() if (root / path).exists() else None

    change = from_worktree(Git(root), read, base=base, wanted=lambda path: path.endswith(".md"), subject="mine")
    assert change.edits == (FileEdit("a.md", b"A\n"), FileEdit("b.md", None), FileEdit("new.md", b"n\n"))
    assert (change.origin, change.subject, change.base) == ("person", "mine", base)


def test_a_change_of_files() -> None:
    change = from_files({"b.md": None, "a.md": b"x"}, base="abc", origin="curate")
    assert change.edits == (FileEdit("a.md", b"x"), FileEdit("b.md", None)) and change.origin == "curate"
    assert from_files({"a.md": b"x"}, base="abc").subject == "a.md"
