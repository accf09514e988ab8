"""Signals and rejections survive their packed form, whatever is in them."""

from hypothesis import given
from hypothesis import strategies as st

from cairn.core.model import signal
from cairn.core.model.signal import Candidate, Rejection, Signal

texts = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=20)
numbers = st.integers(0, 10**6)
data = st.none() | st.dictionaries(texts, st.none() | st.booleans() | numbers | texts, max_size=3)
candidates = st.builds(
    Candidate, texts, texts, texts, st.floats(0, 1), texts, texts, st.booleans(), data, st.just("") | texts
)
signals = st.builds(
    Signal,
    st.just("body") | st.sampled_from(["frontmatter", "sidecar"]),
    numbers,
    numbers,
    numbers,
    texts,
    st.lists(candidates, min_size=1, max_size=3).map(tuple),
    st.just("") | texts,
    st.just("") | texts,
)


@given(st.lists(signals, max_size=4))
def test_signals(wanted: list[Signal]) -> None:
    emitters = signal.Emitters()
    text = signal.dump_signals(wanted, emitters)
    known = signal.Emitters(emitters.take_fresh())
    assert signal.load_signals(text, known) == wanted
    assert [type(c) for s in signal.load_signals(text, known) for c in s.candidates] == [
        Candidate for s in wanted for _ in s.candidates
    ]


@given(
    st.lists(st.builds(Rejection, signals, texts, texts, texts, texts, texts, numbers, numbers, numbers), max_size=3)
)
def test_rejections(wanted: list[Rejection]) -> None:
    assert signal.load_rejections(signal.dump_rejections(wanted)) == wanted


def test_emitters_are_numbered_once_and_told_once() -> None:
    emitters = signal.Emitters([(3, "a/b", "points")])
    assert emitters.number("a/b", "points") == 3
    assert emitters.number("a/b", "invokes") == emitters.number("a/b", "invokes") == 4
    assert emitters.take_fresh() == [(4, "a/b", "invokes")]
    assert emitters.take_fresh() == []
    assert emitters.name(4) == ("a/b", "invokes")
