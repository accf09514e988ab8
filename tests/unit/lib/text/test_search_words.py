"""Text as the full-text index takes it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.lib.text.search_words import searchable, split_name

TEXTS = {
    "plain words": "plain words",
    "see maxRetryCount.": "see maxRetryCount. max Retry Count",
    "HTTPServer and parseHTMLPage": "HTTPServer and parseHTMLPage parse HTML Page",
    "GitHub, iPhone15Pro": "GitHub, iPhone15Pro Git Hub i Phone15 Pro",
    "snake_case": "snake_case",
    "東京": " 東  京 ",
    "키를": " 키  를 ",
    "مِفْتاح": "مفتاح",
    "שָׁלוֹם": "שלום",
    "café": "café",
}


@pytest.mark.parametrize(("text", "expected"), TEXTS.items())
def test_what_is_indexed(text: str, expected: str) -> None:
    assert searchable(text) == expected


def test_a_run_of_letters_that_nobody_chose_is_left_alone() -> None:
    picture = "aGVsbG8gd29ybGQK" * 100
    assert searchable(f"before {picture} afterThat") == f"before {picture} afterThat after That"


@given(st.text(alphabet="aAzZ09 _.é東مِ"))
def test_nothing_is_lost(text: str) -> None:
    kept = "".join(text.replace("ِ", "").split())
    assert "".join(searchable(text).split()).startswith(kept)


@given(st.from_regex("[A-Za-z0-9]{1,20}", fullmatch=True))
def test_parts_are_the_name(name: str) -> None:
    assert split_name(name).replace(" ", "") == name
