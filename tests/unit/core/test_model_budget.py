"""A ceiling for what models cost is never passed, and what was spent is known."""

import pytest

from cairn.core.model_budget import (
    MOST_ANSWER,
    MeteredRunner,
    ModelBudget,
    ModelPrice,
    RunnerAnswer,
    RunnerFailed,
    parse_budget,
    parse_price,
    spending_text,
    tokens_of,
)
from cairn.errors import UsageError


class Talker:
    provider, model = "p", "m"

    def __init__(self, tokens: tuple[int | None, int | None] = (100, 50), *, fails: bool = False) -> None:
        self.tokens = tokens
        self.fails = fails
        self.calls = 0

    def run(self, prompt: str, *, timeout_seconds: float) -> RunnerAnswer:
        self.calls += 1
        if self.fails:
            raise RunnerFailed("no", retryable=True)
        return RunnerAnswer("answer", "p", "m", *self.tokens)


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
    with pytest.raises(UsageError, match="CAIRN_FRESHNESS_PRICE"):
        parse_price(text)


def test_what_might_pass_the_ceiling_is_not_asked() -> None:
    talker = Talker()
    metered = MeteredRunner(talker, ModelBudget(tokens=MOST_ANSWER + 300))
    for _ in range(3):
        metered.run("x" * 30, timeout_seconds=1)  # ten tokens by our guess, 150 by what the provider says
        if metered.spent.tokens > 290:
            break
    with pytest.raises(RunnerFailed, match="The budget of 8,492 tokens does not suffice: 300 are spent") as caught:
        metered.run("x" * 30, timeout_seconds=1)
    assert talker.calls == 2 and not caught.value.retryable
    assert metered.spent == (2, 200, 100, False)


def test_money_needs_a_price() -> None:
    with pytest.raises(UsageError, match="CAIRN_FRESHNESS_PRICE"):
        MeteredRunner(Talker(), ModelBudget(dollars=1))
    talker = Talker()
    metered = MeteredRunner(talker, ModelBudget(dollars=0.02), parse_price("0.60/2.20"))
    metered.run("x", timeout_seconds=1)
    assert metered.dollars == pytest.approx(100 * 0.6e-6 + 50 * 2.2e-6)
    with pytest.raises(RunnerFailed, match=r"The budget of \$0\.001 does not suffice"):
        MeteredRunner(talker, ModelBudget(dollars=0.001), ModelPrice(0.6, 2.2)).run("x", timeout_seconds=1)
    assert talker.calls == 1


def test_what_is_not_told_is_guessed() -> None:
    metered = MeteredRunner(Talker((None, None)), ModelBudget())
    metered.run("x" * 300, timeout_seconds=1)
    assert metered.spent == (1, 100, 2, True) and metered.dollars is None
    assert spending_text(metered.spent, None) == "about 100 tokens read and 2 written"
    failing = MeteredRunner(Talker(fails=True), ModelBudget())
    with pytest.raises(RunnerFailed):
        failing.run("x" * 300, timeout_seconds=1)
    assert failing.spent.tokens_in == 100
    assert tokens_of("語") == 1
