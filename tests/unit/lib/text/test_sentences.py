"""Where sentences start and end."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.lib.markdown.blocks import sentences

CASES = {
    "One. Two! Three? Four": ["One.", "Two!", "Three?", "Four"],
    "Use it, e.g. `a.b`. `c()` does more.": ["Use it, e.g. `a.b`.", "`c()` does more."],
    "It is v1.2.3 now. Really.": ["It is v1.2.3 now.", "Really."],
    "One line\ngoes on. Next.": ["One line goes on.", "Next."],
    "# Title\nText.": ["# Title", "Text."],
    "- one\n- two\n  more": ["- one", "- two more"],
    "1. First thing. And more.": ["1. First thing.", "And more."],
    "| a | b |\n| c | d. E |": ["| a | b |", "| c | d. E |"],
    "(See here.) Then there.": ["(See here.)", "Then there."],
    "A.\n\n\nB.": ["A.", "B."],
    "> quoted. Text.": ["> quoted.", "Text."],
    "`x. Y` stays whole.": ["`x. Y` stays whole."],
    "": [],
}


@pytest.mark.parametrize(("text", "found"), CASES.items(), ids=lambda value: str(value)[:30])
def test_prose(text: str, found: list[str]) -> None:
    assert [sentence.text for sentence in sentences(text)] == found


def test_each_line_of_a_fence_is_one() -> None:
    body = "Text.\n\n```bash\n$ one\n\n  two\n```\n\n~~~ python title\nx = 1\n~~~\nEnd.\n"
    assert [(s.line, s.text, s.fence) for s in sentences(body, 3)] == [
        (3, "Text.", None),
        (6, "$ one", "shell"),
        (8, "two", "output"),
        (12, "x = 1", "python"),
        (14, "End.", None),
    ]


@given(st.text(alphabet="aB.!? \n`#-|1>)", max_size=300))
def test_nothing_is_lost_and_nothing_overlaps(text: str) -> None:
    found = sentences(text)
    assert all(one.end <= other.start for one, other in pairwise(found))
    left = [character for character in "".join(s.text for s in found if s.fence is None) if not character.isspace()]
    fenced = any(sentence.fence is not None for sentence in found) or "```" in text
    assert fenced or left == [character for character in text if not character.isspace()]
