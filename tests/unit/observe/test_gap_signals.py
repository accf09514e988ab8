"""Counting signals."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.adapters.storage.sqlite.store import open_memory
from cairn.observe.gap_signals import DAY_MS, LESSONS, scan_lessons, tally
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


CASES = {
    "": [],
    "   \n\n": [],
    "All went well.": [],
    "<!-- gap-topic: rate-limits -->": ["rate-limits"],
    "<!--gap-topic:a--> and <!-- gap-topic: b-c -->": ["a", "b-c"],
    "<!-- gap-topic: Rate Limits -->": [],
    "<!-- gap-topic: Rate-Limits -->": [],
    "<!-- gap-topic: überprüfung -->": ["überprüfung"],
    "It would have helped to have a guide on Rate Limits.": [],
    "Missing guide on 'retry storms', again": [],
    "There is no knowledge entry for node.js streams. Nor others.": [],
    "MISSING KNOWLEDGE: `3D Rendering`!": ["3d-rendering"],
    "missing knowledge: the user's locale": ["the-users-locale"],
    'missing knowledge: "what\u2019s new in Node"': ["whats-new-in-node"],
    'missing knowledge: "the agents\u2019 handbook" and more': ["the-agents-handbook"],
    "missing knowledge: `don\u2019t cache`": ["dont-cache"],
    "missing knowledge: \u201cwhat\u2019s new\u201d soon": ["whats-new"],
    "missing knowledge: \u2018what\u2019s new\u2019 soon": ["whats-new"],
    "missing knowledge: the user\u2019s locale": ["the-users-locale"],
    "missing knowledge: naïve Bayes?": ["naïve-bayes"],
    "missing knowledge: !!!": [],
    "missing knowledge: " + "x" * 100: [],
    "We keep missing entry points in the map.": [],
    "<!-- gap-topic: caches --> missing knowledge: caches": ["caches"],
}


@pytest.mark.parametrize("text", CASES)
def test_one_line(text: str) -> None:
    assert [lesson.topic for lesson in scan_lessons(text)] == CASES[text]


FENCED = """\
```python
# missing knowledge: one
```
missing knowledge: two
~~~
missing knowledge: three
```
missing knowledge: four
~~~
   ````
missing knowledge: five
```
missing knowledge: six
````
```inline``` missing knowledge: seven
missing knowledge: eight\r
```
missing knowledge: nine
"""


def test_code_between_fences_says_nothing() -> None:
    found = scan_lessons(FENCED)
    assert [(lesson.line, lesson.topic) for lesson in found] == [(4, "two"), (15, "seven"), (16, "eight")]


def test_the_excerpt_is_the_beginning_of_the_line() -> None:
    (lesson,) = scan_lessons("- missing knowledge: caches. " + "More. " * 100)
    assert lesson.excerpt.startswith("- missing knowledge: caches. More.")
    assert len(lesson.excerpt) == 200


@pytest.mark.parametrize("line", ["<!--" * 200_000, "--> " + "<!-- " * 100_000, "missing knowledge: " * 100_000])
def test_a_line_made_to_take_long_does_not(line: str) -> None:
    assert len(scan_lessons(f"{line}\nmissing knowledge: caches")) >= 1
