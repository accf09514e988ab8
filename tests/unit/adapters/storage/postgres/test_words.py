"""Text cut into the words that SQLite's index would find in it."""

import pytest

from cairn.adapters.storage.postgres.words import text_parameters, words
from cairn.core.ports.graph import TextRow

CUT = {
    "see docs/a_b-c.md, now!": "see docs a b c md now ",
    "Café déjà": "Cafe deja",
    "全 文 検 索。": "全 文 検 索 ",
    "": "",
    "a\0b": "a b",
}


@pytest.mark.parametrize(("text", "cut"), CUT.items())
def test_words_have_a_blank_between_them(text: str, cut: str) -> None:
    assert words(text) == cut


def test_a_long_text_is_cut_to_what_fits() -> None:
    [row] = text_parameters([TextRow(1, "n" * 10**6, "t", "s" * 10**6, "b" * 10**6)])
    assert row["id"] == 1
    assert [len(row[key]) for key in ("name", "title", "summary", "body")] == [12_000, 1, 12_000, 120_000]
