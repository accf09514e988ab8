"""Which of the files that went are among those that came."""

import random
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.core.ports.graph import MissingNode
from cairn.graph.moved_files import Matches, match
from cairn.lib.yaml.write import frontmatter_hash


def page(path: str, body: str, front: str = "") -> MissingNode:
    return MissingNode(path, sha256(body.encode()).digest(), frontmatter_hash({"name": front} if front else {}, None))


def told(matches: Matches) -> tuple[list[tuple[str, str, str]], list[tuple[str, tuple[str, ...]]], list[str]]:
    return [tuple(m) for m in matches.moves], [tuple(a) for a in matches.ambiguous], [g.path for g in matches.orphans]


# name, files that went, files that came, (moves, ambiguous, orphans); a file is path, body, name in the frontmatter
CASES = [
    ("the same body is a move", [("a", "x")], [("b", "x")], ([("a", "b", "high")], [], [])),
    (
        "the same frontmatter is probably a move",
        [("a", "x", "n")],
        [("b", "y", "n")],
        ([("a", "b", "medium")], [], []),
    ),
    (
        "several with that frontmatter: nobody knows",
        [("a", "x", "n"), ("b", "y", "n")],
        [("c", "z", "n")],
        ([], [("c", ("a", "b"))], ["a", "b"]),
    ),
    ("nothing alike came", [("a", "x")], [("b", "y")], ([], [], ["a"])),
    ("an empty body proves nothing", [("a", "")], [("b", "")], ([], [], ["a"])),
    (
        "an empty body with the same frontmatter does",
        [("a", "", "n")],
        [("b", "", "n")],
        ([("a", "b", "high")], [], []),
    ),
    ("no frontmatter proves nothing", [("a", "x")], [("b", "y")], ([], [], ["a"])),
    (
        "one file moves once",
        [("a", "x")],
        [("b", "x"), ("c", "x")],
        ([("a", "b", "high")], [], []),
    ),
    (
        "of twins the one of the same name moves",
        [("d/one", "x"), ("d/two", "x")],
        [("e/two", "x")],
        ([("d/two", "e/two", "high")], [], ["d/one"]),
    ),
    (
        "body and frontmatter before body alone",
        [("a", "x", "p"), ("b", "x", "q")],
        [("c", "x", "q"), ("d", "x", "p")],
        ([("b", "c", "high"), ("a", "d", "high")], [], []),
    ),
    (
        "the first of two heirs gets it",
        [("a", "x", "n")],
        [("b", "y", "n"), ("c", "z", "n")],
        ([("a", "b", "medium")], [], []),
    ),
]


@pytest.mark.parametrize(("gone", "came", "expected"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_matching(gone, came, expected):
    assert told(match([page(*g) for g in gone], [page(*c) for c in came])) == expected


pages = st.lists(
    st.tuples(st.sampled_from("abcdefgh"), st.sampled_from(["", "x", "y"]), st.sampled_from(["", "n", "m"])),
    max_size=6,
    unique_by=lambda item: item[0],
)


@given(pages, pages, st.randoms(use_true_random=False))
def test_one_to_one_and_the_same_whatever_the_order(gone, came, shuffler: random.Random):
    went = [page(f"old/{path}", body, front) for path, body, front in gone]
    arrived = [page(f"new/{path}", body, front) for path, body, front in came]
    found = match(went, arrived)
    old, new = [m.old for m in found.moves], [m.new for m in found.moves]
    assert len(set(old)) == len(old)
    assert len(set(new)) == len(new)
    assert sorted([*old, *(g.path for g in found.orphans)]) == sorted(g.path for g in went)
    shuffler.shuffle(went)
    shuffler.shuffle(arrived)
    assert match(went, arrived) == found
