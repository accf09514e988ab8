"""Literals are found block by block, at the places where one look over the whole text finds them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cairn.lib.scrub.places as module
from cairn.lib.scrub.find import Views, find
from cairn.lib.scrub.places import literal_places, places, wide_places
from cairn.lib.scrub.plan import plan_of
from cairn.lib.scrub.rules import GENERIC

PLAN = plan_of(GENERIC)
WORDS = [literal for rule in GENERIC for literal in rule.literals]
PIECES = st.one_of(st.sampled_from(WORDS), st.sampled_from(" -:=|\n1Aé"), st.text(max_size=4))
TEXTS = st.lists(PIECES, max_size=60).map("".join)


@given(TEXTS, st.integers(1, 40))
def test_blocks_change_no_place(text: str, block: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BLOCK", block)
        view = Views(text)
        narrow, wide = literal_places(view.lower, PLAN), wide_places(view.text, PLAN)
    whole = [(list(places(view.lower, literal)), orders) for literal, _, orders in sorted(PLAN.literals)]
    assert narrow == [found for found in whole if found[0]]
    whole = [(list(places(view.text, literal)), orders) for literal, orders in sorted(PLAN.wide_orders.items())]
    assert wide == [found for found in whole if found[0]]


@pytest.mark.parametrize("at", range(module.BLOCK - 40, module.BLOCK + 10, 5))
def test_a_password_is_found_across_the_end_of_a_block(at: int) -> None:
    text = "x" * (at - 1) + "\npassword: hunter2-Abc9\nпароль: Hunter2-Abc9\n"
    assert [text[hit.start : hit.end] for hit in find(text)] == ["hunter2-Abc9", "Hunter2-Abc9"]
