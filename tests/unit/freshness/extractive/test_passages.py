"""How a text falls into passages."""

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.freshness.extractive.passages import passages

CASES = {
    "Sessions end after one hour. Tokens end after two days.": [
        "Sessions end after one hour.",
        "Tokens end after two days.",
    ],
    "The read timeout is for two reads. Default: 60s.": ["The read timeout is for two reads. Default: 60s."],
    "# Limits\nUploads are small.": ["# Limits", "Uploads are small."],
    "- one thing\n- another\n  that goes on": ["- one thing", "- another\n  that goes on"],
    "| a | b |\n|---|---|\n| c | d |": ["| a | b |", "| c | d |"],
    "a | b\nc | d": ["a | b", "c | d"],
    "```\nmake all\nmake test\n```": ["make all", "make test"],
    "A sentence that was wrapped by somebody at a\nwidth of forty.": [
        "A sentence that was wrapped by somebody at a\nwidth of forty."
    ],
    "While much is loaded the interval is set to\n0. By default it is one.": [
        "While much is loaded the interval is set to\n0. By default it is one."
    ],
    "": [],
}


@pytest.mark.parametrize(("text", "found"), CASES.items(), ids=lambda value: str(value)[:30])
def test_passages(text: str, found: list[str]) -> None:
    assert [passage.text for passage in passages(text)] == found


SAME = [
    ("**Tokens** expire after `24` hours.", "Tokens expire after 24 hours."),
    ("He said “no”, *didn’t* he?", 'He said "no", didn\'t he?'),
    ("- An item of a list.", "* An item of a list."),
    ("| `read_timeout` | 30 |", "read_timeout | 30"),
    ("## Limits of **keys**", "### Limits of keys"),
    ("Run **`make all`** now.", "Run make all now."),
]
DIFFERENT = [
    ("Served by node 4f9d2c81aa03be77.", "Served by node 9a3be1704f9d2c81."),
    ("Retry while `attempts < 5`.", "Retry while `attempts > 5`."),
    ("Keep it at -10 degrees.", "Keep it at 10 degrees."),
    ("Set `Path` to it.", "Set `PATH` to it."),
    ("Clients must retry.", "Clients MUST retry."),
    ("It reads `src/*.py` files.", "It reads `src/**/*.py` files."),
    ("It reads src/*.py and lib/*.py files.", "It reads src/.py and lib/.py files."),
    ("Call `get_user` first.", "Call `getuser` first."),
    ("Call __init__ first.", "Call init first."),
    ("Pass *args to it.", "Pass args to it."),
    ("Is it on?", "Is it on."),
    ("| a | | b |", "| a | b | |"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_wording_ignores_markup(one: str, other: str) -> None:
    assert passages(one)[0].wording == passages(other)[0].wording


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_wording_keeps_signs_case_and_code(one: str, other: str) -> None:
    assert passages(one)[0].wording != passages(other)[0].wording


SECTIONS = {
    "title only": ("# Page\n\nText.", "Page"),
    "below the title": ("# Page\n\n## Allowed\n\nText.", "Allowed"),
    "two levels": ("# Page\n\n## Allowed\n\n### Files\n\nText.", "Allowed Files"),
    "a sibling ends a section": ("# Page\n\n## Allowed\n\n### Files\n\n## Forbidden\n\nText.", "Forbidden"),
    "no heading": ("Text.", ""),
}


@pytest.mark.parametrize(("text", "section"), SECTIONS.values(), ids=SECTIONS)
def test_section_names_the_nearest_headings(text: str, section: str) -> None:
    assert passages(text)[-1].section == section


def test_context_has_the_names_of_the_heading() -> None:
    (heading, passage) = passages("## read_timeout\n\nThe default is 30 seconds.")
    assert heading.kind == "heading"
    assert "·read_timeout" in passage.context
    assert "·read_timeout" not in passage.keys


@given(st.integers(min_value=45, max_value=120))
def test_wrapping_does_not_matter(width: int) -> None:
    text = (
        "Every client gets a budget of its own and may spend it as it likes within a minute. What is over is refused "
        "with a status that says so. Nobody waits longer than an hour for a fresh one, and most wait for a second."
    )
    wrapped = "\n".join(textwrap.wrap(text, width))
    assert [passage.wording for passage in passages(wrapped)] == [passage.wording for passage in passages(text)]


@given(st.text(max_size=300))
def test_every_passage_stands_in_the_text(text: str) -> None:
    assert all(passage.text in text for passage in passages(text))
