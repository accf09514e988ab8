"""Counting signals."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from cairn.adapters.storage.memory import open_memory
from cairn.observe.tally import DAY_MS, LESSONS, tally
from signals import count, payload

_SIGNALS = st.lists(
    st.tuples(
        st.integers(0, 5 * DAY_MS),
        st.sampled_from(["w1", "w2", "w3"]),
        st.builds(
            payload,
            st.sampled_from(["caches", "Caches", "locks", "rate limits"]),
            project=st.sampled_from(["a", "b", LESSONS]),
            session=st.sampled_from(["", "s1", "s2"]),
            excerpt=st.sampled_from(["", *"abcdefgh"]),
        ),
    ),
    max_size=40,
)


def known(*batches: list[Any]) -> list[Any]:
    store = open_memory()
    for batch in batches:
        count(store.gaps, batch)
    voices = [store.gaps.voices(0, "project"), store.gaps.voices(0, "worktree")]
    excerpts = store.gaps.excerpts(["caches", "locks", "rate-limits"], 0)
    return [store.gaps.counts(0), store.gaps.by_day(0), voices, excerpts]


@given(_SIGNALS, st.integers(0, 40), st.randoms(use_true_random=False))
def test_neither_the_order_nor_the_batches_matter(signals: list[Any], cut: int, random: Any) -> None:
    shuffled = signals.copy()
    random.shuffle(shuffled)
    assert known(shuffled[:cut], shuffled[cut:]) == known(signals)


def test_lessons_are_nobodys_project() -> None:
    found = tally([(0, "w", payload("caches", project=LESSONS)), (1, "w", payload("caches"))])
    assert [(day.signals, day.projects, day.worktrees) for day in found.days] == [(2, 1, 1)]
    assert (found.projects, found.worktrees) == ({"a" * 64: 1}, {"w": 1})
