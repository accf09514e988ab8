"""Equal when it is the same, and never by accident."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.capture.turn_outcome import Score, score, similarity, words_of
from cairn.core.fingerprint import _LITTLE, content_words, digest, fingerprint, gist
from cairn.core.model.session import ToolCall, TurnRequest

SAME = [
    ("The importer needs UTF-8.", "so the importer needs UTF 8"),
    ("Ran at 10:03, nothing to do.", "Ran at 11:04: nothing to do"),
    ("Checked 2026-01-31T10:00:00Z, fine", "Checked 2026-02-01, fine"),
    ("Done in 3.2s, 4 files", "Done took 400 ms 4 files"),
]
OTHER = [
    ("The importer needs UTF-8.", "The importer does not need UTF-8."),
    ("Raised the timeout to 30 s.", "Raised the timeout to 60 s."),
    ("A blocks B", "B blocks A"),
    ("Fixed issue 12", "Fixed issue 13"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_tellings_of_the_same_have_one_gist(one: str, other: str) -> None:
    assert gist(one) == gist(other)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_what_may_be_something_else_has_another(one: str, other: str) -> None:
    assert gist(one) != gist(other)


def test_a_text_without_words_has_no_gist() -> None:
    assert gist("…") == gist("") == ""


def test_parts_cannot_pretend_to_be_others() -> None:
    assert digest("a", "b") != digest("a|b") != digest('a","b')
    assert fingerprint("s", "A  b", ["X", "x"]) == fingerprint("s", "a b", ["x"])
    assert fingerprint("s", "a", ["x,y"]) != fingerprint("s", "a", ["x", "y"])


# --- score ----------------------------------------------------------------------------------------------------------

PLAIN = TurnRequest("t", "s", "a", summary="The importer loses rows of files in latin-1.")
MENDED = (ToolCall("Bash", "pytest", False), ToolCall("Edit", "a.py", True), ToolCall("Bash", "pytest", True))


def scored(earlier: list[str] | None = None, **given: object) -> Score:
    from dataclasses import replace

    return score(replace(PLAIN, **given), [words_of(text) for text in earlier or []])  # type: ignore[arg-type]


def test_what_raises_a_score() -> None:
    assert scored() == Score(40, 0, 0, 0, 10)
    assert scored(decision="Use UTF-8.").decision == 15
    assert scored(evidence=("commit:4f2a91c",)).evidence == 15
    assert scored(evidence=("commit:4f2a91c", "file:src/a.py", "tests/test_a.py:3")).evidence == 25
    assert scored(evidence=("tools:Bash",)).evidence == 5
    assert scored(tools=MENDED).resolved == 10
    assert scored(tools=MENDED[::-1]).resolved == 0
    assert scored(tools=MENDED[:2]).resolved == 0
    best = scored(decision="x", evidence=("commit:1234567", "file:a/b.py"), tools=MENDED)
    assert best.total == 100


def test_what_lowers_it() -> None:
    assert scored(["The importer loses rows of files in latin-1!"]).novelty == 0
    assert 0 < scored(["The importer loses rows."]).novelty < 40
    assert scored(summary="Hm.").length == 0
    assert scored(summary="w" * 2_000).length == 5


def test_nothing_is_like_nothing() -> None:
    assert similarity(frozenset(), frozenset()) == 0


@given(st.text('aBzZ09\u2019_.,;!?()[]{}<>#/\\"\n\t \x00\x1f\x7f', max_size=80))
def test_ascii_and_other_texts_are_cut_into_the_same_words(text: str) -> None:
    """Bytes are quicker than the pattern; stored gists must stay equal to new ones."""
    ascii_text, said = text.replace("\u2019", " "), re.compile(r"[^\W_]+").findall
    assert content_words(ascii_text) == [word for word in said(ascii_text.lower()) if word not in _LITTLE]
