"""Numbers of states: found near their word, in any grouping, and left alone without one."""

from random import Random

import pytest

from cairn.lib.scrub import check_digits
from cairn.lib.scrub.find import find
from cairn.lib.scrub.nearby import _holds
from cairn.lib.scrub.rules.people import STATES, StateNumber
from drawn_numbers import drawn

TELLING = [state for state in STATES if "=" not in state.form]


def test_there_are_numbers_of_many_countries() -> None:
    assert len({state.country for state in STATES}) >= 60
    assert len({state.country for state in STATES if state.by != "anything"}) >= 45


@pytest.mark.parametrize("state", TELLING, ids=lambda state: f"{state.name}-{state.country}-{state.by}")
def test_a_number_is_found_near_its_word_however_it_is_grouped(state: StateNumber) -> None:
    draw = Random(f"{state.country}{state.form}")
    word = next(word for word in state.near.split() if not word.endswith("!")).rstrip("*")
    for gap in ("", " ", "-", "."):
        number = drawn(state, draw)
        cut = len(number) // 2
        written = f"{number[:cut]}{gap}{number[cut:]}"
        for text in (f"{word}: {written}", f"{written} ({word})", f"name,{word},city\nAda,{written},Gent"):
            hits = find(text)
            assert any(text[hit.start : hit.end].endswith(written[-4:]) for hit in hits), (text, hits)
            assert all(hit.category == state.category for hit in hits if "number" in hit.rule) or state.otherwise


@pytest.mark.parametrize(
    "state", [state for state in TELLING if not state.alone], ids=lambda s: f"{s.name}-{s.country}-{s.by}"
)
def test_a_number_without_its_word_is_only_a_number(state: StateNumber) -> None:
    draw = Random(state.by)
    for _ in range(5):
        assert not [hit for hit in find(f"batch {drawn(state, draw)} done") if hit.rule.endswith(f"-{state.country}")]


WRONG = [
    state
    for state in TELLING
    if state.by not in ("anything", "us_ssn", "gb_nino", "ymd", "dmy", "id_nik", "lu_id", "mx_curp")
]


@pytest.mark.parametrize("state", WRONG, ids=lambda state: f"{state.name}-{state.country}-{state.by}")
def test_a_wrong_check_digit_is_no_number_of_that_state(state: StateNumber) -> None:
    draw = Random(state.form)
    rules = set()
    for _ in range(40):
        number = drawn(state, draw)
        digit = max(at for at, char in enumerate(number) if char.isdigit())
        wrong = number[:digit] + str((int(number[digit]) + 1) % 10) + number[digit + 1 :]
        checks = [getattr(check_digits, name) for name in state.by.split()]
        if not any(_holds(check, wrong) for check in checks):
            word = next(word for word in state.near.split() if not word.endswith("!")).rstrip("*")
            rules |= {(hit.rule, hit.category) for hit in find(f"{word}: {wrong}")}
    assert (f"{state.name}-{state.country}", "direct") not in rules


def test_a_date_is_no_number() -> None:
    assert not find("taxpayer since 2021-02-25 14:30:12, social event on 2023/11/02, national day 21.07.2024")
