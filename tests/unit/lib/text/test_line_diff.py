"""The fewest lines that turn one text into another."""

from hypothesis import given
from hypothesis import strategies as st

from cairn.lib.text import line_diff as lines
from cairn.lib.text.line_diff import LineChange, changed_lines

TEXTS = st.lists(st.sampled_from("abcd"), max_size=12).map("\n".join)


def test_what_went_and_what_came() -> None:
    assert changed_lines("a\nb\nc\n", "a\nx\nc\nd\n") == LineChange((1,), (1, 3))
    assert changed_lines("a\nb\n", "a\nb\n") == LineChange((), ())
    assert changed_lines("", "a") == LineChange((0,), (0,))


def test_a_line_that_moved_counts_twice_and_nothing_else_does() -> None:
    old = [str(number) for number in range(50)]
    new = [*old[:5], *old[6:40], old[5], *old[40:]]
    assert changed_lines("\n".join(old), "\n".join(new)) == LineChange((5,), (39,))


@given(TEXTS, TEXTS)
def test_without_them_both_texts_are_the_same(old: str, new: str) -> None:
    change = changed_lines(old, new)
    kept = [line for at, line in enumerate(old.split("\n")) if at not in change.removed]
    assert kept == [line for at, line in enumerate(new.split("\n")) if at not in change.added]


@given(TEXTS, TEXTS)
def test_no_fewer_would_do(old: str, new: str) -> None:
    change = changed_lines(old, new)
    common = longest_common(old.split("\n"), new.split("\n"))
    assert len(change.removed) == len(old.split("\n")) - common
    assert len(change.added) == len(new.split("\n")) - common


def longest_common(one: list[str], other: list[str]) -> int:
    row = [0] * (len(other) + 1)
    for left in one:
        before = 0
        for at, right in enumerate(other, 1):
            before, row[at] = row[at], before + 1 if left == right else max(row[at], row[at - 1])
    return row[-1]


def test_of_a_page_written_anew_the_lines_that_are_nowhere_else_count() -> None:
    old = "\n".join(f"old {number}" for number in range(lines.MOST))
    new = "\n".join(["old 3", *(f"new {number}" for number in range(lines.MOST))])
    change = changed_lines(old, new)
    assert len(change.removed) == lines.MOST - 1
    assert change.added == tuple(range(1, lines.MOST + 1))
