"""Text of others stays between its fences."""

from hypothesis import given
from hypothesis import strategies as st

from cairn.retrieve.excerpt import fenced, one_line

tricky = st.lists(st.sampled_from(["~", "~~~~~", "\n", "~~~~~~~~ end", "x", "`", "\r", "\u2028"]), max_size=30).map(
    "".join
)


@given(st.text(max_size=200) | tricky)
def test_nothing_inside_closes_the_fence(text):
    lines = fenced(text, "a page").split("\n")
    fence = lines[0].partition(" ")[0]
    assert set(fence) == {"~"}
    assert lines[-1] == fence
    assert "\n".join(lines[1:-1]) == text
    assert fence not in text


@given(st.text(max_size=80))
def test_a_title_is_one_line(text):
    assert len(one_line(text).splitlines()) <= 1
    assert one_line(text).isprintable()
