"""How near a page is to what somebody works on."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cairn.retrieve.work_context import NOWHERE, Around, nearness, telling

ORDERS = Around(
    ("src/shop/orders/cart.py", "docs/orders/returns.md"), telling("src/shop/orders/cart.py", "refund-fees")
)


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        (("src/shop/OrderCart.py",), {"shop", "order", "cart"}),
        (("feature/JIRA-12-refund-fees",), {"jira", "refund", "fee"}),
        (("HTTPServer_error",), {"http", "server", "error"}),
        (("Fix the tests", "docs/index.md"), set()),
        (("Überweisung 注文",), {"überweisung", "注文"}),
        (("",), set()),
    ],
)
def test_words_that_tell_something(texts: tuple[str, ...], words: set[str]) -> None:
    assert telling(*texts) == words


@pytest.mark.parametrize(
    ("path", "about", "at_least", "at_most"),
    [
        ("docs/orders/returns.md", "", 1.0, 1.0),
        ("docs/orders/other.md", "", 0.8, 0.8),
        ("docs/ovens.md", "", 0.1, 0.3),
        ("knowledge/ovens.md", "How hot the ovens run", 0.0, 0.0),
        ("knowledge/fees.md", "Refund fees of orders", 0.6, 0.9),
        ("README.md", "", 0.0, 0.0),
    ],
)
def test_how_near(path: str, about: str, at_least: float, at_most: float) -> None:
    assert at_least <= nearness(path, telling(about), ORDERS) <= at_most


def test_more_in_common_is_nearer() -> None:
    one, two = (nearness("knowledge/a.md", telling(text), ORDERS) for text in ("Carts", "Carts of the shop"))
    assert 0 < one < two


@settings(max_examples=40)
@given(st.text(max_size=30), st.lists(st.text(max_size=12), max_size=4), st.lists(st.text(max_size=12), max_size=4))
def test_always_between_nothing_and_all(path: str, about: list[str], paths: list[str]) -> None:
    around = Around(tuple(paths), telling(*paths))
    assert 0.0 <= nearness(path, telling(*about), around) <= 1.0
    assert nearness(path, telling(*about), NOWHERE) == 0.0
