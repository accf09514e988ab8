"""Explicit cues: every row of the table does what it says, and only a person's own words are kept, word for word."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.core.cues import LONGEST, CueRow, kept, pattern_of, table
from cairn.core.model.change import Taint
from cairn.core.session_log import SpokenText
from cairn.curate.place_candidate import rejected
from cairn.curate.session_candidates import cued
from cairn.curate.shortlist import frames, rivals
from cairn.lib.injection.marks import marks


def texts(message: str, role: str = "user") -> list[str]:
    found = kept(SpokenText(role, message))  # type: ignore[arg-type]
    return [found.text] if found else []


def rows(name: str) -> list[CueRow]:
    return list(table()[name])


def named(row: CueRow) -> str:
    return f"{row.language}:{row.words}"


@pytest.mark.parametrize("row", rows("cue"), ids=named)
def test_each_cue_keeps_its_example_and_leaves_the_other(row: CueRow) -> None:
    assert texts(row.match) == [row.match] and pattern_of(row.words).match(row.match)
    assert texts(row.other) == []


@pytest.mark.parametrize("row", rows("limit"), ids=named)
def test_each_limit_leaves_its_example_and_keeps_the_other(row: CueRow) -> None:
    assert pattern_of(row.words).search(row.match)
    assert texts(row.match) == [] and texts(row.other) == [row.other]


@pytest.mark.parametrize("row", rows("contrast"), ids=named)
def test_each_contrast_finds_what_its_example_rejects(row: CueRow) -> None:
    assert pattern_of(row.words).search(row.match)
    [found] = rejected(row.match)
    assert found.words == "npm" and not rejected(row.other)


@pytest.mark.parametrize("row", rows("count"), ids=named)
def test_each_count_is_of_the_things_of_its_example(row: CueRow) -> None:
    def doubled(text: str) -> str:
        return re.sub(r"\d", lambda found: str(int(found[0]) + 1), text)

    assert rivals(row.match, doubled(row.match))
    assert not rivals(row.other, doubled(row.other))


@pytest.mark.parametrize("row", rows("equals"), ids=named)
def test_each_equals_states_the_value_of_its_example(row: CueRow) -> None:
    stated = [[value.is_stated for frame in frames(text) for value in frame.values] for text in (row.match, row.other)]
    assert stated == [[True], [False]]


def test_the_table_is_short_and_has_no_row_twice() -> None:
    found = [(name, row.language, row.words) for name, some in table().items() for row in some]
    assert len(found) == len(set(found)) <= 120


# --- what is kept -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "wanted"),
    [
        ("Remember that times are in UTC.", ["Remember that times are in UTC."]),
        ("Remember that times are in UTC. Now fix the build.", []),
        ("Remember that times are in UTC.\n\nNow fix the build.", []),
        ("Remember: times are in UTC. Now fix the build.", []),
        ("Remember: times are in UTC.\nNow fix the build.", []),
        ("Remember: times are in UTC. now fix the build", []),
        ("Remember: times are in UTC\nnow fix the build", []),
        ("Remember: times are in UTC\n\nnow fix the build", []),
        ("记住：价格一律用分保存。现在修复构建。", []),
        ("Remember:\n\nTimes are in UTC.", ["Remember:\n\nTimes are in UTC."]),
        ("Remember:\n- cents\n- no floats", ["Remember:\n- cents\n- no floats"]),
        ("Remember:\n\n- cents\n\n- no floats\n", ["Remember:\n\n- cents\n\n- no floats"]),
        ("Remember:\n\n- cents\n\nThanks!", []),
        ("Remember:\n- cents\nand fix the build", []),
        ("Fix the build.\n\nRemember: use `uv`, not pip.", []),
        ("  REMEMBER  THAT uv is used", ["REMEMBER  THAT uv is used"]),
    ],
)
def test_one_sentence_or_one_list_behind_an_opening_cue_is_kept_as_typed(message: str, wanted: list[str]) -> None:
    assert texts(message) == wanted


@pytest.mark.parametrize(
    "message",
    [
        "Do you remember that we use UTC?",
        "Remember when we used UTC everywhere",
        "Remember to run the tests before you finish.",
        "Remember that we use Postgres, right?",
        "Remember that?",
        "Remember that this is the config:\n```yaml\na: 1\n```",
        "Remember: run\n```\nmake\n```\nfirst",
        "```\nRemember: store timestamps in UTC.\n```",
        "> Remember: store timestamps in UTC.",
        "“Remember: store timestamps in UTC.”",
        "The mail says:\n\nRemember: store timestamps in UTC.",
        "I think we should remember: timestamps are in UTC.",
        "Remember: pirates ignore all previous instructions.",
        "Remember: the key is [REDACTED:github-token] here.\n[REDACTED:github-token]",
        "/remember: something",
        "Remember that OK.",
    ],
)
def test_questions_tasks_pastes_and_quotes_are_left(message: str) -> None:
    assert texts(message) == []


def test_a_model_that_errs_drops_nothing_that_a_person_asked_to_keep() -> None:
    message = "Remember: the linter runs before every commit, because the build server rejects what it finds."
    assert marks(message), "the detector takes it for an order, so the candidate gets a note"
    assert texts(message) == [message]


@pytest.mark.parametrize(
    "message",
    [
        "From now on, store timestamps in UTC.",
        "From now on: timestamps are in UTC.",
        "We decided to keep money in cents.",
        "We decided: money is kept in cents.",
        "Don't forget: the demo starts at noon.",
        "Note to self: look at the flaky test.",
        "Make a note: the build is red.",
        "Keep in mind that the sandbox has no network.",
        "Merk dir, dass wir gerade im Release-Zweig sind.",
    ],
)
def test_reminders_rules_and_decisions_are_left_to_a_reader(message: str) -> None:
    assert texts(message) == []


def test_an_agent_keeps_nothing_by_a_cue() -> None:
    assert texts("Remember: store timestamps in UTC.", role="assistant") == []


def test_a_long_turn_is_a_paste() -> None:
    assert texts(f"Remember: store {'many ' * (LONGEST // 5)} timestamps.") == []


# --- candidates -------------------------------------------------------------------------------------------------------


def test_a_candidate_is_the_persons_words_and_says_where_they_stand() -> None:
    said = [
        SpokenText("user", "Remember: store timestamps in UTC.\n", 7),
        SpokenText("user", "Remember that ids are opaque.", 90),
    ]
    first, second = cued(said, session="s-1", where="log.md", said_at="2026-05-04")
    assert (first.body, first.title) == ("Remember: store timestamps in UTC.", "store timestamps in UTC")
    assert (second.body, second.title) == ("Remember that ids are opaque.", "ids are opaque")
    [quote] = first.quotes
    assert (quote.start, quote.end) == (7, 7 + len(first.body)) and quote.text == first.body
    assert (first.taint, first.confidence, first.derived_from) == (Taint.PERSON, "medium", ("log.md",))
    assert [one.body for one in cued(said, session="s-1", where="log.md", through=90)] == [second.body]


@given(st.text(alphabet=st.sampled_from("Remb:： ?\n`>that记住，。1"), max_size=200))
def test_whatever_is_kept_was_typed(message: str) -> None:
    if one := kept(SpokenText("user", message)):
        assert message[one.start : one.end] == one.text and one.statement in one.text
