"""Candidates keep their names, whatever is added to a log, and what is no candidate harms no other."""

from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from cairn.core.model.candidate import KnowledgeCandidate, Quote
from cairn.core.model.change import Taint
from cairn.curate.session_candidates import (
    SUMMARY_LONGEST,
    TITLE_LONGEST,
    candidate_value,
    one_line,
    read_proposals,
    topics_of,
    with_candidates,
)

ONE = KnowledgeCandidate(
    origin="s:practice:0",
    kind="practice",
    title="Use tabs",
    summary="Use tabs.",
    body="Use tabs.",
    tags=("style",),
    confidence="high",
    taint=Taint.PERSON,
    derived_from=("log.md",),
    quotes=(Quote("log.md", "always use tabs", 3, 18),),
    said_at="2026-05-04T10:00:00.000Z",
)
MAP = replace(ONE, origin="s:map:0", kind="map", title="Tabs live in `a`", tags=("tabs",))


def read(value: Any) -> tuple[KnowledgeCandidate, ...]:
    return read_proposals(value, session="s", where="log.md").candidates


def test_there_and_back() -> None:
    added = with_candidates(None, [ONE, MAP], session="s")
    assert added.candidates == (ONE, MAP) == read(added.proposals)


def test_later_ones_stand_behind_and_none_twice() -> None:
    first = with_candidates(None, [ONE], session="s").proposals
    first["practice"][0]["fate"] = "add"  # somebody's own key
    other = replace(ONE, title="Use spaces", body="Use spaces.")
    again = with_candidates(first, [replace(ONE, summary="Tabs!"), other, other], session="s")
    assert [one.origin for one in again.candidates] == ["s:practice:1"]
    assert again.proposals["practice"][0]["fate"] == "add"
    assert len(first["practice"]) == 1


def test_what_is_no_candidate_keeps_its_place() -> None:
    good = candidate_value(ONE)
    wrong = ["text", {**good, "title": " "}, {**good, "kind": "map"}, {"title": "Only that"}]
    found = read_proposals({"practice": [*wrong, good], "map": "nothing"}, session="s", where="log.md")
    assert [one.origin for one in found.candidates] == ["s:practice:4"]
    assert len(found.problems) == 4 and all("log.md: practice" in one for one in found.problems)


def test_what_nobody_vouches_for() -> None:
    """A log of another program: the fields of the seed and no more."""
    [found] = read({"practice": [{"title": "T", "summary": "S", "body": "B", "tags": ["x", 3, "x"]}], "map": []})
    assert (found.taint, found.confidence, found.tags, found.quotes) == (Taint.OUTSIDE, "low", ("x",), ())


def test_topics() -> None:
    assert topics_of([ONE, MAP], ("old", "style")) == ("old", "style", "tabs")


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(
                st.sampled_from(
                    ["practice", "map", "title", "summary", "body", "kind", "tags", "quote", "text", "start"]
                ),
                inner,
            )
        ),
    )
)
def test_whatever_stands_there(value: Any) -> None:
    for found in read(value):
        assert 0 < len(found.title) <= TITLE_LONGEST and 0 < len(found.summary) <= SUMMARY_LONGEST
    with_candidates(value, [ONE], session="s")


@given(st.text(), st.integers(10, 200))
def test_one_line(text: str, longest: int) -> None:
    assert len(one_line(text, longest)) <= longest and "\n" not in one_line(text, longest)
