"""Sessions that are too short to learn from."""

import pytest

from cairn.capture.trivial_session import Said, is_cursory


@pytest.mark.parametrize(
    ("said", "cursory"),
    [
        (Said(1, 200, 500), True),
        (Said(0, 0, 0), True),
        (Said(2, 200, 500), False),
        (Said(1, 201, 500), False),
        (Said(1, 200, 501), False),
    ],
)
def test_all_three_have_to_be_small(said: Said, cursory: bool) -> None:
    assert is_cursory(said) is cursory


def test_what_is_said_is_counted() -> None:
    assert Said().more("user", "ab").more("assistant", "abc").more("user", "c") == Said(2, 3, 3)
