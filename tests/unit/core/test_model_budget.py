"""Ceilings and prices, as an operator writes them."""

import pytest

from cairn.core.model_budget import ModelBudget, parse_budget, parse_price, tokens_of
from cairn.errors import UsageError


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("50000", ModelBudget(tokens=50_000)),
        ("50k", ModelBudget(tokens=50_000)),
        ("1.5M tokens", ModelBudget(tokens=1_500_000)),
        ("50_000", ModelBudget(tokens=50_000)),
        ("$0.50", ModelBudget(dollars=0.5)),
        ("2usd", ModelBudget(dollars=2.0)),
        (" 2 USD ", ModelBudget(dollars=2.0)),
    ],
)
def test_budgets(text: str, expected: ModelBudget) -> None:
    assert parse_budget(text) == expected


@pytest.mark.parametrize("text", ["", "lots", "-5", "5 apples", "$", "1e9"])
def test_no_budgets(text: str) -> None:
    with pytest.raises(UsageError, match="--budget"):
        parse_budget(text)


@pytest.mark.parametrize("text", ["", "1", "1/2/3", "a/b", "-1/2", "inf/1", "nan/1"])
def test_no_prices(text: str) -> None:
    with pytest.raises(UsageError, match="CAIRN_JUDGE_PRICE"):
        parse_price(text, "CAIRN_JUDGE_PRICE")


def test_a_price_counts_what_is_read_and_written() -> None:
    assert parse_price("0.60/2.20", "PRICE").of(100, 50) == pytest.approx(100 * 0.6e-6 + 50 * 2.2e-6)


def test_tokens_are_rather_too_many() -> None:
    assert (tokens_of("語"), tokens_of("x" * 300)) == (1, 100)
