import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.lib.text.trigger import normalize_trigger

CASES = [
    ("Clúster", "cluster"),
    ("skill-map:explore", "skill map:explore"),
    ("code_review", "code review"),
    ("Code - _ Review", "code review"),
    ("  -a-  ", "a"),
    ("/My-Command", "/my command"),
    ("@agent.name", "@agent.name"),
    ("a\tb\nc", "a b c"),
    ("a\u00a0b\u3000c", "a b c"),
    ("\ufeffname", "name"),
    ("Straße", "straße"),
    ("İstanbul", "istanbul"),
    ("ÅNGSTRÖM", "angstrom"),
    ("日本語", "日本語"),
    ("한국", unicodedata.normalize("NFD", "한국")),
    ("a\x1fb", "a\x1fb"),
    ("", ""),
    ("---", ""),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_names_that_mean_the_same_are_written_the_same(text: str, expected: str) -> None:
    assert normalize_trigger(text) == expected


@given(st.text())
def test_normalising_twice_changes_nothing(text: str) -> None:
    once = normalize_trigger(text)
    assert normalize_trigger(once) == once


@given(st.text(alphabet=st.characters(min_codepoint=9, max_codepoint=126)))
def test_the_short_way_for_ascii_gives_what_the_steps_give(text: str) -> None:
    steps = re.sub("[-_\t-\r ]+", " ", text.lower()).strip(" ")
    assert normalize_trigger(text) == steps
