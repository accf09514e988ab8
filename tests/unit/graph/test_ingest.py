"""Taking files in: what is new, what is gone, what was passed over."""

from pathlib import Path
from typing import Any

import pytest

from cairn.adapters.files.local import LocalFiles
from cairn.core.ports.runtime import FoundFile, ReadFailed
from cairn.graph.ingest import cap, compare
from unit.graph.tiny import World


def file(path: str, size: int = 1) -> FoundFile:
    return FoundFile(path, size, 1, 1)


# found, known, only below, (fresh, gone, unchanged)
CASES: list[tuple[list[FoundFile], list[FoundFile], str, tuple[list[str], list[str], int]]] = [
    ([], [], "", ([], [], 0)),
    ([file("a")], [], "", (["a"], [], 0)),
    ([file("a")], [file("a")], "", ([], [], 1)),
    ([file("a", 2)], [file("a")], "", (["a"], [], 0)),
    ([], [file("b"), file("a")], "", ([], ["a", "b"], 0)),
    ([file("d/a")], [file("d/b"), file("e/c")], "d/", (["d/a"], ["d/b"], 0)),
    ([file("a"), file("b")], [file("a")], "", (["b"], [], 1)),
    ([file("a", 2), file("b")], [file("a"), file("c")], "", (["a", "b"], ["c"], 0)),
]


@pytest.mark.parametrize(("found", "known", "below", "expected"), CASES)
def test_compare(found, known, below, expected):
    difference = compare(found, known, lambda path: path.startswith(below))
    assert ([f.path for f in difference.fresh], difference.gone, difference.unchanged) == expected


def test_a_limit_says_what_was_left_out():
    files = [file("a"), file("b"), file("c")]
    assert cap(files, None) == (files, [])
    assert cap(files, 3) == (files, [])
    kept, (issue,) = cap(files, 1)
    assert (kept, issue.path, issue.analyzer) == ([file("a")], "b", "node-limit")
    assert "2 files from `b` on were left out" in issue.message


@pytest.fixture
def world(tmp_path: Path) -> World:
    made = World(tmp_path)
    made.write({"a.md": "# A", "b.md": "<a.md>"})
    made.use({})
    return made


def test_a_touched_file_is_not_a_changed_one(world: World):
    path = world.root / "a.md"
    path.write_text("# A")
    path.touch()
    assert world.use({}).changed == ()
    assert world.use({}).unchanged == 2


@pytest.mark.parametrize(
    ("content", "rule", "wanted"),
    [(b"x" * 100, "file-oversized", {"max_file_size": 50}), (b"x\0", "file-binary", {})],
)
def test_a_node_that_becomes_no_text_is_set_aside_not_gone(
    world: World, content: bytes, rule: str, wanted: dict[str, Any]
):
    world.use({}, **wanted)
    world.write({"a.md": content})
    report = world.use({}, **wanted)
    assert report.removed == ("a.md",)
    assert world.issues(rule) == [(rule, "a.md")]
    assert world.store.orphans() == []
    assert world.use({}, **wanted).unchanged == 2  # it is not read again
    assert world.issues(rule) == [(rule, "a.md")]
    world.write({"a.md": "# A again"})
    assert world.use({}, **wanted).added == ("a.md",)
    assert world.issues(rule) == []


def test_a_file_set_aside_may_change_and_go(tmp_path: Path):
    """Also when it is all there is."""
    world = World(tmp_path)
    for content in ("x" * 20, "x" * 21):
        world.write({"big.md": content})
        world.use({}, max_file_size=10)
        (issue,) = world.store.issues()
        assert issue.data == {"bytes": len(content), "limit": 10}
    world.write({"small.md": "x"})
    (tmp_path / "big.md").unlink()
    world.use({}, max_file_size=10)
    assert world.issues() == []


def test_a_higher_limit_lets_it_in_and_a_lower_one_out(world: World):
    world.use({}, max_file_size=4)
    assert world.paths() == ["a.md"]
    world.use({}, max_file_size=100)
    assert world.paths() == ["a.md", "b.md"]
    assert world.issues() == []


class Unruly(LocalFiles):
    """Files of which some can't be read."""

    def __init__(self, root: Path, **rules: str) -> None:
        super().__init__(root)
        self.rules = rules

    def read(self, path: str) -> tuple[bytes, FoundFile]:
        rule = self.rules.get(path.removesuffix(".md"))
        if rule:
            raise ReadFailed(rule, f"{path} cannot be read: permission denied.")
        return super().read(path)


@pytest.mark.parametrize("rule", ["file-unreadable", "file-changing"])
def test_a_file_that_cannot_be_read_is_an_error_with_its_name_and_tried_again(world: World, rule: str):
    world.write({"a.md": "# A changed", "c.md": "# C"})
    report = world.use({}, files=Unruly(world.root, a=rule))
    assert (report.added, report.removed) == (("c.md",), ("a.md",))
    assert [(i.analyzer, i.path, str(i.severity)) for i in world.store.issues()] == [(rule, "a.md", "error")]
    assert world.store.orphans() == []
    world.use({}, files=Unruly(world.root, a=rule))
    assert world.issues(rule) == [(rule, "a.md")]
    assert world.use({}).added == ("a.md",)
    assert world.issues() == []


def test_a_file_that_vanished_between_walk_and_reading_is_no_issue(world: World):
    world.write({"c.md": "# C"})
    world.use({}, files=Unruly(world.root, c="file-vanished"))
    assert (world.paths(), world.issues()) == (["a.md", "b.md"], [])


def test_a_file_named_for_reading_again_counts_once(world: World):
    world.write({"new.md": "x", "a.md": "# A changed"})
    report = world.use({}, force=("new.md", "a.md", "b.md"))
    assert (report.added, report.changed) == (("new.md",), ("a.md", "b.md"))


def test_issues_of_reading_go_with_the_file(world: World):
    world.write({"a.md": b"\xff"})
    world.use({})
    assert world.issues() == [("file-encoding", "a.md")]
    (world.root / "a.md").unlink()
    world.use({})
    assert world.issues() == []
