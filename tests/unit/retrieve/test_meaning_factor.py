"""Vectors: packed, compared, and joined with what words find."""

from itertools import pairwise
from math import sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cairn.retrieve.factors import Facts, factors
from cairn.retrieve.meaning_factor import nearest, packed

NUMBERS = st.lists(st.integers(-100, 100).map(float), min_size=3, max_size=3)


def cosine(one: list[float], other: list[float]) -> float:
    lengths = sqrt(sum(n * n for n in one)) * sqrt(sum(n * n for n in other))
    return sum(a * b for a, b in zip(one, other, strict=True)) / lengths if lengths else 0.0


@settings(deadline=None)  # numpy is imported by the first, where it is installed
@given(NUMBERS, st.lists(NUMBERS, min_size=1, max_size=6))
def test_the_nearest_come_first(question: list[float], pages: list[list[float]]) -> None:
    near = nearest(packed(question), [(f"{number}.md", packed(page)) for number, page in enumerate(pages)])
    exact = {f"{number}.md": cosine(question, page) for number, page in enumerate(pages)}
    order = [exact[path] for path in near]
    assert all(one >= other - 0.01 for one, other in pairwise(order))
    assert all(exact[path] > -0.01 for path in near)
    assert {path for path, found in exact.items() if found > 0.01} <= set(near)
    assert not near or next(iter(near.values())) == 1


def test_those_of_another_model_are_left_out() -> None:
    pages = [("a.md", packed([1, 0])), ("b.md", packed([1, 0, 0])), ("c.md", b"")]
    assert nearest(packed([1, 1]), pages) == {"a.md": 1.0}
    assert nearest(packed([1, 1]), []) == {}
    assert nearest(packed([0, 0]), pages) == {}


def test_no_more_than_are_wanted() -> None:
    pages = [(f"{number}.md", packed([1, number])) for number in range(5)]
    assert list(nearest(packed([1, 0]), pages, most=2)) == ["0.md", "1.md"]


@pytest.mark.parametrize(
    ("near", "told"),
    [(None, []), (0.0, [(1.0, "not near in meaning")]), (0.5, [(1.5, "50% as near in meaning as the nearest page")])],
)
def test_it_is_one_factor_of_several(near: float | None, told: list[tuple[float, str]]) -> None:
    found = factors(1.0, Facts("entry", meaning=near), 1.0)
    assert [(one.value, one.why) for one in found if one.name == "meaning"] == told
