"""Checksums and what else tells a hit from something that only looks like one."""

import string
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.lib.scrub.arithmetic import LENGTH_OF, is_iban, luhn
from cairn.lib.scrub.value import entropy, is_name, is_placeholder, looks_random
from drawn_secrets import card, chars, iban


@given(st.integers(0, 2**32), st.integers(0, 13), st.integers(1, 9))
def test_one_wrong_digit_breaks_a_card_number(seed: int, place: int, by: int) -> None:
    digits = "".join(char for char in card(Random(seed)) if char.isdigit())
    assert luhn(digits)
    wrong = str((int(digits[place]) + by) % 10)
    assert not luhn(digits[:place] + wrong + digits[place + 1 :])


@given(st.integers(0, 2**32), st.integers(4, 14), st.integers(1, 9))
def test_one_wrong_digit_breaks_an_account_number(seed: int, place: int, by: int) -> None:
    number = "".join(iban(Random(seed)).split())
    assert is_iban(number)
    wrong = str((int(number[place]) + by) % 10)
    assert not is_iban(number[:place] + wrong + number[place + 1 :])
    assert not is_iban(number + "0")


def test_account_numbers_of_their_country() -> None:
    assert is_iban("BE71 0961 2345 6769")
    assert is_iban("NO93 8601 1117 947")
    assert not is_iban("XX71 0961 2345 6769")
    assert min(LENGTH_OF.values()) == 15


@pytest.mark.parametrize(
    "text",
    [
        "my-secret-v2",
        "settings.apiKey",
        "kSecAttrTokenIDSecureEnclave",
        "OPENAI_API_KEY",
        "o200k_base",
        "12ms",
        "v1.2.3",
    ],
)
def test_names_are_not_random(text: str) -> None:
    assert is_name(text)
    assert not looks_random(text)


@pytest.mark.parametrize(
    "text", ["ghp_xxxxxxxxxxxxxxxx", "AKIAIOSFODNN7EXAMPLE", "your-api-key-1a2b", "0123456789ab", "changeme99", "aaaa"]
)
def test_examples_say_so(text: str) -> None:
    assert is_placeholder(text)


def test_what_is_drawn_by_lot_looks_like_it() -> None:
    draw = Random(4)
    drawn = [chars(draw, string.ascii_letters + string.digits, 24) for _ in range(500)]
    assert sum(looks_random(text) for text in drawn) >= 495


def test_entropy() -> None:
    assert entropy("") == 0
    assert entropy("aaaa") == 0
    assert entropy("abcd") == 2
