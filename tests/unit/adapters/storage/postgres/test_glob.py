"""A shell pattern means the same on both databases."""

import sqlite3
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cairn.adapters.storage.postgres.glob import glob_regex


@pytest.fixture(scope="module")
def answers(postgres_url: str) -> Iterator[Any]:
    """(what SQLite says, what PostgreSQL says) about a text and a pattern."""
    lite = sqlite3.connect(":memory:")
    with psycopg.connect(postgres_url, autocommit=True) as server:

        def ask(text: str, pattern: str) -> tuple[bool, bool]:
            here = lite.execute("SELECT ? GLOB ?", (text, pattern)).fetchone()[0]
            there = server.execute('SELECT %s::text COLLATE "C" ~ %s', (text, glob_regex(pattern))).fetchone()
            assert there is not None
            return bool(here), bool(there[0])

        yield ask
    lite.close()


CASES = [
    ("docs/a.md", "docs/*", True),
    ("docs/a/b.md", "docs/*.md", True),
    ("docs/a.md", "docs/?.md", True),
    ("docs/ab.md", "docs/?.md", False),
    ("docs/a.md", "[a-d]ocs/a.md", True),
    ("docs/a.md", "[^a-c]ocs/a.md", True),
    ("docs/a.md", "Docs/*", False),
    ("a]b", "a[]]b", True),
    ("a-b", "a[a-]b", True),
    ("a-b", "a[]-z]b", True),
    ("zb", "[z-a]b", True),
    ("a", "[a", False),
    ("a.b", "a.b", True),
    ("axb", "a.b", False),
    ("a+(b)|c$", "a+(b)|c$", True),
    ("a\\b", "a\\b", True),
    ("日本.md", "日?.md", True),
    ("a\nb", "a*b", True),
    ("", "*", True),
    ("***:x", "***:*", True),
]


@pytest.mark.parametrize(("text", "pattern", "matches"), CASES)
def test_a_pattern_means_the_same_to_both(answers: Any, text: str, pattern: str, matches: bool) -> None:
    assert answers(text, pattern) == (matches, matches)


odd = st.text(alphabet="ab-/]^[*?.\\+(){}|$^!日_ \n", max_size=8)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300, deadline=None)
@given(odd.map(lambda text: text.replace("[", "").replace("*", "")), odd)
def test_any_pattern_means_the_same_to_both(answers: Any, text: str, pattern: str) -> None:
    here, there = answers(text, pattern)
    assert here == there
