"""Two texts beside each other, on any terminal."""

import io

import pytest

from cairn.cli.diff import side_by_side
from cairn.cli.output import Output, width

LEFT = "# Title\n\nUse npm for packages, as everybody does who has not yet heard of anything better than that.\n\nSame."
RIGHT = "# Title\n\nUse pnpm.\n\nSame."
OUT = Output(io.StringIO(), io.StringIO())


@pytest.mark.parametrize("room", [20, 69, 70, 100, 200])
def test_nothing_is_wider_than_the_room_and_nothing_is_lost(room: int) -> None:
    lines = side_by_side(OUT, LEFT, RIGHT, titles=("old", "new"), room=room)
    assert max(map(width, lines)) <= room
    assert all(word in "\n".join(lines) for word in ("everybody", "pnpm", "Same."))


def test_a_long_title_is_told_by_its_end_and_leaves_the_bar_where_it_is() -> None:
    first, second, *_ = side_by_side(OUT, "a", "b", titles=(f"knowledge/{'数x' * 30}/name.md", "new"), room=80)
    assert first.startswith("…") and "/name.md" in first
    assert width(first.partition("│")[0]) == width(second.partition("│")[0])


def test_wide_letters_and_long_words_fit_too() -> None:
    lines = side_by_side(OUT, "数据库连接必须关闭" * 10, "x" * 300, titles=("a", "b"), room=80)
    assert max(map(width, lines)) <= 80


def test_what_differs_is_marked_and_what_moves_the_cursor_is_shown() -> None:
    lines = side_by_side(OUT, "one\nsame", "two\x1b[2J\nsame", titles=("a", "b"), room=80)
    assert lines[1].startswith("- one") and "+ two" in lines[1] and "\x1b" not in lines[1]
    assert not lines[2].startswith("-")
