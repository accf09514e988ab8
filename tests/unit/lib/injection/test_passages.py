"""Passages cover a text, and keep its paragraphs apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.lib.injection.passages import passages


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One sentence here. And another.", ["One sentence here. And another."]),
        ("first paragraph\n\nsecond paragraph", ["first paragraph", "second paragraph"]),
        ("- first item\n- second item", ["- first item", "- second item"]),
        ("short", []),
    ],
)
def test_passages_keeps_blocks_apart(text: str, expected: list[str]) -> None:
    assert [text[start:end].strip() for start, end in passages(text)] == expected


def test_passages_joins_sentences_up_to_a_length() -> None:
    text = "This sentence has forty characters in it. " * 20
    lengths = [end - start for start, end in passages(text)]
    assert sum(lengths) == len(text) and max(lengths) <= 240


@given(st.text(st.sampled_from("a. \n-|。!`"), max_size=2000))
def test_passages_are_in_order_and_inside(text: str) -> None:
    last = 0
    for start, end in passages(text):
        assert last <= start < end <= len(text) and end - start <= 600
        last = end
