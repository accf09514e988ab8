"""What compares equal, however it is spelled."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.lib.text.atoms import atoms, spellings

SAME = [
    ("5 minutes", "300 s"),
    ("24 hours", "one day"),
    ("1,000 requests", "1000 requests"),
    ("10k rows", "10,000 rows"),
    ("1.5 million rows", "1500000 rows"),
    ("5 MB", "5MB"),
    ("$10", "10 USD"),
    ("three retries", "3 retries"),
    ("March 3, 2024", "2024-03-03"),
    ("3 March 2024", "2024-03-03"),
    ("version v2.1.0", "version 2.1.0"),
    ("no more than 5", "at most 5"),
    ("It has to expire", "it must expire"),
    ("modified files", "files changed"),
    ("99.9 %", "99.9%"),
    ("12 months", "one year"),
]
OTHER = [
    ("5 minutes", "5 hours"),
    ("5 MB", "5 MiB"),
    ("$10", "€10"),
    ("at least 5", "at most 5"),
    ("must expire", "may expire"),
    ("is enabled", "is disabled"),
    ("`retention.ms`", "`retention.bytes`"),
    ("3:1", "3:2"),
    ("v1.2", "v1.3"),
    ("is set", "is not set"),
]


def _keys(text: str) -> set[str]:
    return {atom.key for atom in atoms(text) if atom.kind != "stop"}


@pytest.mark.parametrize(("one", "other"), SAME)
def test_says_the_same(one: str, other: str) -> None:
    assert _keys(one) == _keys(other)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_says_something_else(one: str, other: str) -> None:
    assert _keys(one) != _keys(other)


KINDS = {
    "read_timeout": "name",
    "--no-verify": "name",
    "terminationGracePeriodSeconds": "name",
    "Retry-After": "name",
    "TLS": "name",
    "2FA": "name",
    "30s": "number",
    "4.5:1": "number",
    "1.2.3": "version",
    "0.8.x": "version",
    "2025-11-25": "date",
    "never": "logic",
    "<=": "logic",
    "server": "word",
    "the": "stop",
}


@pytest.mark.parametrize(("text", "kind"), KINDS.items())
def test_kind(text: str, kind: str) -> None:
    assert [atom.kind for atom in atoms(text)] == [kind]


@given(st.text(max_size=200))
def test_takes_any_text_apart(text: str) -> None:
    assert all(atom.key and atom.text for atom in atoms(text))


@pytest.mark.parametrize("word", ["modified", "retries", "released", "queries", "window"])
def test_finds_a_word_by_its_beginning(word: str) -> None:
    (atom,) = atoms(word)
    assert any(word.startswith(start) for start in spellings(atom.key))
