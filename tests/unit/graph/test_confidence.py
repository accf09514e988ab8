"""The fold of confidence: one number, whoever spoke first."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.graph.confidence import Op, fold

CASES = [
    ("nobody speaks", 1.0, [], 1.0),
    ("a delta", 1.0, [("core/a", "delta", -0.5)], 0.5),
    ("deltas add up", 1.0, [("core/a", "delta", -0.5), ("core/b", "delta", -0.3)], 0.2),
    ("the last set by id wins", 1.0, [("core/b", "set", 0.2), ("core/a", "set", 0.7)], 0.2),
    ("deltas come after set", 1.0, [("z/z", "delta", -0.1), ("core/a", "set", 0.5)], 0.4),
    ("a floor lifts", 1.0, [("core/a", "set", 0.1), ("core/b", "floor", 0.3), ("core/c", "floor", 0.2)], 0.3),
    ("a ceiling beats a floor", 1.0, [("core/a", "floor", 0.9), ("core/b", "ceil", 0.4)], 0.4),
    (
        "clamped once, at the end",
        1.0,
        [("core/a", "delta", -0.9), ("core/b", "delta", -0.9), ("c/c", "delta", 0.9)],
        0.1,
    ),
    ("never below nothing", 1.0, [("core/a", "delta", -5.0)], 0.0),
    ("never above one", 0.5, [("core/a", "delta", 5.0)], 1.0),
]


@pytest.mark.parametrize(("base", "ops", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_the_fold(base: float, ops: list[tuple[str, str, float]], expected: float):
    assert fold(base, [Op(*op) for op in ops]) == pytest.approx(expected)


ops = st.lists(
    st.builds(
        Op,
        st.sampled_from(["a/x", "a/y", "b/x"]),
        st.sampled_from(["set", "delta", "floor", "ceil"]),
        st.floats(-1, 1, allow_nan=False),
    ),
    max_size=8,
)


@given(ops, st.randoms(use_true_random=False))
def test_the_order_in_which_they_spoke_does_not_matter(said: list[Op], shuffler: random.Random):
    other = list(said)
    shuffler.shuffle(other)
    assert fold(1.0, said) == fold(1.0, other)
    assert 0.0 <= fold(1.0, said) <= 1.0
