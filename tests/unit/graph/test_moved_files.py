"""Files that moved or went, and how a person puts it right."""

from pathlib import Path

import pytest

from cairn.errors import Conflict, NotFound, Refused
from cairn.graph.moved_files import forget_orphans, history_issues, reconcile, undo_rename
from unit.graph.tiny import World

TEXT = "---\nname: n\n---\n"


@pytest.fixture
def world(tmp_path: Path) -> World:
    made = World(tmp_path)
    made.write({"keep.md": "# stays"})
    return made


def move(world: World, before: dict[str, str], after: dict[str, str]) -> None:
    world.write(before)
    world.use({})
    for name in before:
        (world.root / name).unlink()
    world.write(after)
    world.use({})


def told(world: World) -> list[tuple[str, str, str]]:
    return [(i.analyzer, str(i.severity), i.path) for i in history_issues(world.store)]


# files before, files after, issues
CASES = [
    ("the same body: silent", {"a.md": "# A"}, {"b.md": "# A"}, []),
    (
        "the same frontmatter: said",
        {"a.md": TEXT + "x"},
        {"b.md": TEXT + "y"},
        [("auto-rename-medium", "warn", "b.md")],
    ),
    (
        "several candidates: said, and nothing moves",
        {"a.md": TEXT + "x", "b.md": TEXT + "y"},
        {"c.md": TEXT + "z"},
        [("auto-rename-ambiguous", "warn", "c.md"), ("orphan", "info", "a.md"), ("orphan", "info", "b.md")],
    ),
    ("nothing alike", {"a.md": "# A"}, {"b.md": "# B"}, [("orphan", "info", "a.md")]),
]


@pytest.mark.parametrize(("before", "after", "expected"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_what_is_said(world: World, before, after, expected):
    move(world, before, after)
    assert told(world) == expected
    world.use({})
    assert told(world) == expected  # a scan that changed nothing says the same
    world.write({"keep.md": "# edited"})
    world.use({})
    assert told(world) == []


def test_the_data_and_the_fix_of_a_medium_rename(world: World):
    move(world, {"a.md": TEXT + "x"}, {"b.md": TEXT + "y"})
    (issue,) = history_issues(world.store)
    assert issue.data == {"from": "a.md", "to": "b.md", "confidence": "medium"}
    assert issue.fix is not None
    assert "cairn undo-rename b.md" in issue.fix.summary


def test_reconcile_says_that_one_became_the_other(world: World):
    move(world, {"a.md": "# A"}, {"b.md": "# B"})
    assert reconcile(world.store, "a.md", "b.md", clock=world.clock, dry_run=True).rows == 0
    assert [o.path for o in world.store.orphans()] == ["a.md"]
    reconcile(world.store, "a.md", "b.md", clock=world.clock)
    assert world.store.orphans() == []
    assert [(r.old, r.new, r.confidence) for r in world.store.renames()] == [("a.md", "b.md", "confirmed")]


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [("a.md", "nowhere.md", NotFound), ("never.md", "b.md", NotFound), ("keep.md", "b.md", Conflict)],
)
def test_reconcile_refuses(world: World, old: str, new: str, error: type[Exception]):
    move(world, {"a.md": "# A"}, {"b.md": "# B"})
    with pytest.raises(error):
        reconcile(world.store, old, new, clock=world.clock)
    assert [o.path for o in world.store.orphans()] == ["a.md"]


def test_undo_makes_it_an_orphan_again(world: World):
    move(world, {"a.md": "# A"}, {"b.md": "# A"})
    undo_rename(world.store, "b.md", old=None, clock=world.clock, dry_run=True)
    assert len(world.store.renames()) == 1
    undo_rename(world.store, "b.md", old="a.md", clock=world.clock)
    assert world.store.renames() == []
    assert [o.path for o in world.store.orphans()] == ["a.md"]
    with pytest.raises(NotFound, match=r"No rename to `b\.md` is recorded"):
        undo_rename(world.store, "b.md", old=None, clock=world.clock)


def test_undo_asks_when_the_old_file_is_back(world: World):
    move(world, {"a.md": "# A"}, {"b.md": "# A"})
    world.write({"a.md": "# A"})
    world.use({})
    with pytest.raises(Refused, match="add --force"):
        undo_rename(world.store, "b.md", old=None, clock=world.clock)
    undo_rename(world.store, "b.md", old=None, clock=world.clock, force=True)
    assert (world.store.renames(), world.store.orphans()) == ([], [])


def test_several_renames_to_one_file_need_a_name(world: World):
    move(world, {"a.md": "# A"}, {"b.md": "# A"})
    move(world, {"c.md": "# C"}, {"b.md": "# A"})
    reconcile(world.store, "c.md", "b.md", clock=world.clock)
    with pytest.raises(Conflict, match=r"\(a.md, c.md\); say which with --from"):
        undo_rename(world.store, "b.md", old=None, clock=world.clock)
    assert undo_rename(world.store, "b.md", old="c.md", clock=world.clock).new == "c.md"


def test_forgetting(world: World):
    move(world, {"a.md": "# A", "b.md": "# B"}, {"c.md": "# C"})
    with pytest.raises(NotFound, match=r"`x\.md` is not among"):
        forget_orphans(world.store, ("x.md",))
    assert forget_orphans(world.store, ("a.md",), dry_run=True) == ("a.md",)
    assert forget_orphans(world.store, ("a.md",)) == ("a.md",)
    assert [o.path for o in world.store.orphans()] == ["b.md"]
    assert forget_orphans(world.store, (), all=True) == ("b.md",)
    assert forget_orphans(world.store, (), all=True) == ()
