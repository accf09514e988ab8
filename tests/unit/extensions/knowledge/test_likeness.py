"""How alike two texts are, from their sketches: near to the truth, and nobody is overlooked."""

from random import Random

import pytest

from cairn.extensions.knowledge.likeness import FEWEST, alike, likeness, share

WORDS = [f"word{number}" for number in range(5_000)]


def texts(seed: int, common: float, length: int = 400) -> tuple[str, str]:
    """Two texts that begin with the same words and go on with others."""
    random = Random(seed)
    same = random.choices(WORDS, k=round(length * common))
    one, other = (random.choices(WORDS, k=length - len(same)) for _ in "ab")
    return " ".join(same + one), " ".join(same + other)


@pytest.mark.parametrize("common", [0.0, 0.5, 0.7, 0.9, 1.0])
def test_the_share_is_about_right(common: float) -> None:
    found = [share(*map(likeness, texts(seed, common))) for seed in range(50)]
    assert abs(sum(found) / len(found) - common / (2 - common)) < 0.05


def test_who_is_alike_is_found_among_many() -> None:
    sketches = {}
    for seed in range(100):
        one, other = texts(seed, 0.7)
        sketches |= {f"{seed:03}-a": likeness(one), f"{seed:03}-b": likeness(other)}
    wanted = [seed for seed in range(100) if share(sketches[f"{seed:03}-a"], sketches[f"{seed:03}-b"]) >= 0.3]
    assert len(wanted) > 90
    assert [paths for paths, _ in alike(sketches, 0.3)] == [[f"{seed:03}-a", f"{seed:03}-b"] for seed in wanted]


def test_short_texts_are_not_compared() -> None:
    assert likeness("a b c d " * 100) == ""
    assert likeness(" ".join(WORDS[: FEWEST + 2])) == ""
    assert likeness(" ".join(WORDS[: FEWEST + 3])) != ""
