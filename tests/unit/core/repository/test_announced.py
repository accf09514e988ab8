"""Texts about something that is gone, and entries of lists of news."""

import pytest

from cairn.core.repository.announced import announces_a_change, is_record


@pytest.mark.parametrize(
    "text",
    [
        "The suite was 4,564 lines; it is now five files.",
        "The parser is now part of the reader.",
        "`fetch` was removed in the last release.",
    ],
)
def test_announces_a_change(text: str):
    assert announces_a_change(text)


@pytest.mark.parametrize("text", ["The parser knows how to read a file.", "Call `removed()` first.", "It was easy."])
def test_ordinary_sentences_announce_nothing(text: str):
    assert not announces_a_change(text)


@pytest.mark.parametrize(
    "line",
    [
        "- **[0.1.27](https://example.com)**: added a cache",
        "- 0.1.27: added a cache",
        "* v2.0 – a new reader",
        "- **Jul 2023**: a new reader",
        "2024-03-01 a new reader",
        "[2024/03] a new reader",
    ],
)
def test_entries_of_a_list_of_news(line: str):
    assert is_record(line)


@pytest.mark.parametrize(
    "line",
    [
        "- Python 3.8 or newer",
        "1. Install the [cache](src/cache.py)",
        "- May the force be with you",
    ],
)
def test_other_lines_are_not_news(line: str):
    assert not is_record(line)
