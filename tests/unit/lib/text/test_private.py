"""Spans that a person marked as private."""

import pytest

from cairn.lib.text.private import without_private


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("nothing of it", "nothing of it"),
        ("a <private>b</private> c", "a  c"),
        ("a <PRIVATE>b</Private> c", "a  c"),
        ("a <kk-private>b</kk-private> c", "a  c"),
        ("a <private reason='x'>b</private > c", "a  c"),
        ("a <private>b", "a "),
        ("a <private>b</kk-private> c", "a "),
        ("<private>a</private>b<private>c</private>d", "bd"),
        ("a <private>b <private>c</private> d</private> e", "a  e"),
        ("a </private> b", "a </private> b"),
        ("a <privately> b", "a <privately> b"),
        ("a private matter", "a private matter"),
        ("<private>\nb\n</private>", ""),
    ],
)
def test_what_is_private_is_gone(text: str, left: str) -> None:
    assert without_private(text) == left


def test_many_of_them_take_no_time_to_speak_of() -> None:
    assert without_private("<private>" * 20_000) == ""
    assert without_private("<private>x</private>y" * 20_000) == "y" * 20_000
