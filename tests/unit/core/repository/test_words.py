"""Words of code, and the patterns that find a few of them."""

import random

import pytest

from cairn.core.repository.words import as_token, tokens_in

TEXTS = [
    (b"app --dry-run now", {b"app", b"--dry-run", b"dry", b"run", b"now"}),
    (b"3fold max-age- a_b", {b"fold", b"max", b"age", b"max-age", b"a_b"}),
    (b"-x --- --", {b"x"}),
]


@pytest.mark.parametrize(("text", "tokens"), TEXTS)
def test_tokens_of_a_text(text: bytes, tokens: set[bytes]) -> None:
    assert tokens_in(text) == tokens


def test_pattern_of_a_word_finds_exactly_the_tokens() -> None:
    dice = random.Random(1)
    for _ in range(20_000):
        text = "".join(dice.choices("ab1_-. \n", k=dice.randint(1, 14))).encode()
        word = "".join(dice.choices("ab1_--", k=dice.randint(1, 5))).encode()
        assert (word in tokens_in(text)) == (as_token(word).search(text) is not None), (text, word)
