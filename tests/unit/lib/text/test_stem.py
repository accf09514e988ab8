"""Our stems are those of SQLite's index: else a page would be found without anything in it being marked."""

import re
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.lib.text.search_words import stem

REPOSITORY = Path(__file__).parents[4]


def stems_of_sqlite(words: list[str]) -> list[str]:
    with sqlite3.connect(":memory:") as connection:
        connection.execute("CREATE VIRTUAL TABLE t USING fts5 (x, content = '', tokenize = 'porter unicode61')")
        connection.execute("CREATE VIRTUAL TABLE v USING fts5vocab (t, instance)")
        connection.executemany("INSERT INTO t (rowid, x) VALUES (?, ?)", enumerate(words))
        found = dict(connection.execute("SELECT doc, term FROM v"))
    connection.close()
    return [found[number] for number in range(len(words))]


def test_every_word_of_our_own_pages() -> None:
    pages = [*REPOSITORY.glob("docs/**/*.md"), *REPOSITORY.glob("bench/retrieval/pages/**/*.md")]
    words = sorted({word for page in pages for word in re.findall("[a-z]+", page.read_text().lower())})
    assert len(words) > 2000
    assert [stem(word) for word in words] == stems_of_sqlite(words)


_ENDINGS = (
    "",
    "s",
    "es",
    "ies",
    "ed",
    "ing",
    "ation",
    "ational",
    "izer",
    "ness",
    "ful",
    "fulness",
    "ement",
    "ion",
    "y",
)


@given(
    st.from_regex("[bcdfgklmnprstz][aeiouy][bcdfgklmnprstz]{1,2}[aeiou]?", fullmatch=True), st.sampled_from(_ENDINGS)
)
def test_words_that_nobody_wrote_yet(root: str, ending: str) -> None:
    word = root + ending
    assert [stem(word)] == stems_of_sqlite([word])


@pytest.mark.parametrize("word", ["", "a", "is", "größe", "x" * 65, "ключи"])
def test_what_is_no_english_word_stays_as_it_is(word: str) -> None:
    assert stem(word) == word
