import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.cli.width import columns, cut, safe, width

RED = "\x1b[31m"
RESET = "\x1b[0m"


@pytest.mark.parametrize(
    ("text", "room"),
    [("", 0), ("abc", 3), ("漢字", 4), ("é", 1), ("e\u0301", 1), (f"{RED}ab{RESET}", 2), ("👍", 2), ("a\u200bb", 2)],
)
def test_width_counts_columns(text, room):
    assert width(text) == room


@pytest.mark.parametrize(
    ("text", "room", "short"),
    [
        ("abcdef", 6, "abcdef"),
        ("abcdef", 4, "abc…"),
        ("漢字漢字", 5, "漢字…"),
        ("漢字漢字", 4, "漢…"),
        (f"{RED}abcdef{RESET}", 3, f"{RED}ab…{RESET}"),
        ("abc", 0, "…"),
    ],
)
def test_cutting_leaves_an_ellipsis(text, room, short):
    assert cut(text, room) == short


@given(st.text(), st.integers(1, 40))
def test_what_is_cut_fits(text, room):
    assert width(cut(text, room)) <= room


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain é 漢", "plain é 漢"),
        ("a\x1b[2Jb", "a\\x1b[2Jb"),
        ("a\x1b[31mb", "a\\x1b[31mb"),
        ("a\nb", "a\\x0ab"),
        ("x\u202egnp.exe", "x\\u202egnp.exe"),
        ("\x9b31m", "\\x9b31m"),
        ("\udcff", "\\udcff"),
    ],
)
def test_text_from_outside_cannot_play_with_the_terminal(text, shown):
    assert safe(text) == shown


def test_columns_are_aligned():
    assert columns([["a", "b"], ["漢字", "c"], [f"{RED}x{RESET}", "d"]]) == [
        "a     b",
        "漢字  c",
        f"{RED}x{RESET}     d",
    ]


def test_cells_keep_colours_and_lose_other_sequences():
    assert columns([[f"{RED}x{RESET}\x1b]0;title\x07"]]) == [f"{RED}x{RESET}\\x1b]0;title\\x07"]


def test_the_widest_column_gives_way():
    lines = columns([["key", "x" * 100, "end"]], room=40)
    assert width(lines[0]) == 40
    assert lines[0].startswith("key  xxx")
    assert lines[0].endswith("…  end")


def test_without_a_terminal_nothing_is_cut():
    assert columns([["x" * 500, "y"]]) == ["x" * 500 + "  y"]
