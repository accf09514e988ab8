"""Sections of a page, and the text that a reader sees."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.lib.markdown.sections import headings, headings_text, sections, seen_text

HEADINGS = {
    "by signs": ("# One\n\n## Two ##\n\ntext\n", [(1, "One"), (2, "Two")]),
    "by a line below": ("One\n===\n\ntext\n\nTwo\n---\n", [(1, "One"), (2, "Two")]),
    "not within a fence": ("```sh\n# no\n```\n# yes\n~~~\n```\n# no\n~~~\n", [(1, "yes")]),
    "not a rule, a list or a table": ("text\nmore\n---\n\n- a\n---\n\n| a |\n---\n", []),
    "not a tag": ("#tag\n####### seven\n", []),
}


@pytest.mark.parametrize(("body", "expected"), HEADINGS.values(), ids=HEADINGS)
def test_headings(body: str, expected: list[tuple[int, str]]) -> None:
    assert [(heading.level, heading.text) for heading in headings(body)] == expected
    assert headings_text(body).split("\n") == [text for _, text in expected] or not expected


def test_sections_know_what_is_above_them() -> None:
    found = sections("intro\n# A\na\n## B\nb\n### C\nc\n## D\nd\n")
    assert [(section.heading, section.level) for section in found] == [("", 0), ("A", 1), ("B", 2), ("C", 3), ("D", 2)]
    assert [section.above for section in found] == [(), (), (1,), (1, 2), (1,)]


SEEN = {
    "<var>x</var>": "     x      ",
    "a&nbsp;b &#160;": "a      b       ",
    "x <!-- a\nb --> y": "x       \n      y",
    "<!-- never closed": "                 ",
    "`<var>` and <b>": "`<var>` and    ",
    "```\n<var>\n```\n<i>": "```\n<var>\n```\n   ",
    "1 < 2 and 3 > 2": "1 < 2 and 3 > 2",
    "<https://example.org>": "<https://example.org>",
    '<a href="x">y</a>': "            y    ",
}


@pytest.mark.parametrize(("body", "shown"), SEEN.items(), ids=SEEN)
def test_what_a_reader_does_not_see_is_blank(body: str, shown: str) -> None:
    assert seen_text(body) == shown


@given(st.text(alphabet="ab<>!-&;`~#=\n /", max_size=200))
def test_every_place_stays(body: str) -> None:
    assert [len(line) for line in seen_text(body).split("\n")] == [len(line) for line in body.split("\n")]
    found = sections(body)
    assert [section.start for section in found[1:]] == [section.end for section in found[:-1]]
    assert (found[0].start, found[-1].end) == (0, len(body))
