"""Every row of the table of denials does what it says, and only names right beside its words are denied."""

import re

import pytest

from cairn.freshness.diff.denials import DenialRow, denies, table

NAME = re.compile(r"(?<!\w)fetch_page(?!\w)")


def denied(text: str) -> bool:
    """Whether the text denies the name at the last of its places."""
    return [denies(text, one.start(), one.end()) for one in NAME.finditer(text)][-1]


def rows(*kinds: str) -> list[DenialRow]:
    return [row for kind in kinds for row in table()[kind]]


def named(row: DenialRow) -> str:
    return f"{row.language}:{row.words[0]}"


@pytest.mark.parametrize("row", rows("before", "after", "thing", "join"), ids=named)
def test_each_row_denies_its_example_and_not_the_other(row: DenialRow) -> None:
    assert denied(row.match)
    assert not denied(row.other)


@pytest.mark.parametrize("row", rows("condition"), ids=named)
def test_each_condition_makes_its_example_no_denial(row: DenialRow) -> None:
    assert not denied(row.match)
    assert denied(row.other)


def test_the_table_has_no_words_twice_and_few_rows() -> None:
    found = [(kind, row.language, word) for kind, some in table().items() for row in some for word in row.words]
    assert len(found) == len(set(found))
    assert sum(map(len, table().values())) <= 80


@pytest.mark.parametrize(
    "text",
    [
        "There is no **fetch_page**.",
        "There is no method named `fetch_page`.",
        "There is no client.fetch_page() here.",
        "There is no :func:`fetch_page`.",
        "There is no ``fetch_page``.",
        "There’s no `fetch_page`.",
        "It is small. There is no `load_all`, `load` or `fetch_page`.",
        "If it is open, close it. There is no `fetch_page`.",
        "The option `fetch_page` does not exist.",
        "`fetch_page`, `load` and `load_all` do not exist.",
        "`app run fetch_page` does not exist.",
    ],
)
def test_forms_of_a_denial(text: str) -> None:
    assert denied(text)


@pytest.mark.parametrize(
    "text",
    [
        "`fetch_page` exists.",
        "There is no need to call `fetch_page`.",
        "There is no `load_all`: call `fetch_page`.",
        "There is no `load_all`. Call `fetch_page`.",
        "`load_all` does not exist, `fetch_page` does.",
        "The file is made if there is no `fetch_page`.",
        "| there is no | `fetch_page` |",
    ],
)
def test_what_denies_nothing_or_something_else(text: str) -> None:
    assert not denied(text)
