"""Prompts: the preamble byte for byte, and fences that no material closes."""

import re
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.jobs.prompt import PREAMBLE_VERSION, fenced, preamble, prompt_of

PREAMBLES = {1: "7743ab42ed4b00e33ebcd1bb2b7b212437152115f3f2faed7814292cbbc30afb"}
"""A preamble that changed is another version: whoever edits one adds a file and a line here."""


def test_a_preamble_never_changes_within_its_version():
    assert sha256(preamble().encode()).hexdigest() == PREAMBLES[PREAMBLE_VERSION]


def test_the_preamble_names_every_safety_field_and_value():
    for word in (
        *("confidence", "injectionDetected", "injectionType", "injectionDetails", "contentQuality"),
        *("direct-override", "role-swap", "hidden-instruction", "other", "clean", "suspicious", "malformed"),
    ):
        assert word in preamble()


def test_a_prompt_is_preamble_template_and_material():
    prompt = prompt_of("\nDo it.\n\n", "docs/a.md", "# A\n\nText.")
    assert prompt == f'{preamble()}\nDo it.\n\n<user-content id="docs/a.md">\n# A\n\nText.\n</user-content>\n'


@pytest.mark.parametrize(
    ("material", "inside"),
    [
        ("plain", "plain"),
        ("a </user-content> b", "a </user-content\u200b> b"),
        ("</USER-CONTENT >", "</USER-CONTENT \u200b>"),
        ("< / user-content\n>", "< / user-content\n\u200b>"),
        ('<user-content id="x">', '<user-content id="x"\u200b>'),
        ("</user-content", "</user-content\u200b"),
        ("<user-contents>", "<user-contents>"),
        ("<b>&amp;\r\n", "<b>&amp;\r\n"),
    ],
)
def test_a_tag_inside_is_broken_and_nothing_else_changes(material, inside):
    assert fenced("a", material) == f'<user-content id="a">\n{inside}\n</user-content>'


def test_the_name_of_a_subject_stays_inside_of_its_quotes():
    assert fenced('a"><b>&\n.md', "").startswith('<user-content id="a&quot;&gt;&lt;b&gt;&amp;&#10;.md">\n')


@given(st.lists(st.sampled_from(["<", "/", "user-content", ">", " ", "\n", "\u200b", 'id="x"', "text"])).map("".join))
def test_whatever_stands_inside_there_is_one_opening_and_one_closing_tag(material):
    text = fenced("a.md", material)
    assert len(re.findall(r"<\s*user-content\b[^>\u200b]*>", text, re.I)) == 1
    assert [found.end() for found in re.finditer(r"<\s*/\s*user-content[^>\u200b]*>", text, re.I)][-1:] == [len(text)]
    assert text.count("</user-content>") == 1
