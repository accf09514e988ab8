"""How documents write values, and the quick check before the pattern."""

import pytest

from cairn.freshness.diff.literals import may_state, words_of, written_value

WRITTEN = [
    ("5", "", "five seconds"),
    ("30", "", "30s"),
    ("25", "", "twenty-five"),
    ("25", "", "twenty five"),
    ("1000", "", "1,000 lines"),
    ("1_000_000", "", "1 000 000"),
    ("10000", "", "10_000"),
    ("300", "", "five minutes"),
    ("300", "", "5 minutes"),
    ("5000", "timeout_ms = 5000", "5 seconds"),
    ("86400", "", "one day"),
    ("1048576", "", "1 MB"),
    ("0.50", "", "0.5"),
    ("-1", "", "is -1"),
    ("007", "", "7"),
    ("30s", "", "30s"),
    ("1.2.3", "", "v1.2.3"),
    ("true", "", "True"),
    ("data/old-file.txt", "", "`data/old-file.txt`"),
]


@pytest.mark.parametrize(("value", "code", "text"), WRITTEN)
def test_may_state_allows_all_that_the_pattern_finds(value: str, code: str, text: str) -> None:
    assert written_value(value, code).search(text)
    assert may_state(value, code, words_of(text))


@pytest.mark.parametrize(("value", "code", "text"), [(*one[:2], "Nothing of this, in 4 words") for one in WRITTEN])
def test_may_state_skips_other_texts(value: str, code: str, text: str) -> None:
    assert not written_value(value, code).search(text)
    assert not may_state(value, code, words_of(text))
