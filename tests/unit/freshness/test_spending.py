"""A ceiling for what models cost is never passed, and what was spent is known."""

import pytest

from cairn.core.ports.runner import Answer, RunnerFailed
from cairn.errors import UsageError
from cairn.freshness.spending import MOST_ANSWER, Budget, Metered, Price, parse_budget, parse_price, said, tokens_of


class Talker:
    provider, model = "p", "m"

    def __init__(self, tokens: tuple[int | None, int | None] = (100, 50), *, fails: bool = False) -> None:
        self.tokens = tokens
        self.fails = fails
        self.calls = 0

    def run(self, prompt: str, *, timeout_seconds: float) -> Answer:
        self.calls += 1
        if self.fails:
            raise RunnerFailed("no", retryable=True)
        return Answer("answer", "p", "m", *self.tokens)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("50000", Budget(tokens=50_000)),
        ("50k", Budget(tokens=50_000)),
        ("1.5M tokens", Budget(tokens=1_500_000)),
        ("50_000", Budget(tokens=50_000)),
        ("$0.50", Budget(dollars=0.5)),
        ("2usd", Budget(dollars=2.0)),
        (" 2 USD ", Budget(dollars=2.0)),
    ],
)
def test_budgets(text: str, expected: Budget) -> None:
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
    metered = Metered(talker, Budget(tokens=MOST_ANSWER + 300))
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
        Metered(Talker(), Budget(dollars=1))
    talker = Talker()
    metered = Metered(talker, Budget(dollars=0.02), parse_price("0.60/2.20"))
    metered.run("x", timeout_seconds=1)
    assert metered.dollars == pytest.approx(100 * 0.6e-6 + 50 * 2.2e-6)
    with pytest.raises(RunnerFailed, match=r"The budget of \$0\.001 does not suffice"):
        Metered(talker, Budget(dollars=0.001), Price(0.6, 2.2)).run("x", timeout_seconds=1)
    assert talker.calls == 1


def test_what_is_not_told_is_guessed() -> None:
    metered = Metered(Talker((None, None)), Budget())
    metered.run("x" * 300, timeout_seconds=1)
    assert metered.spent == (1, 100, 2, True) and metered.dollars is None
    assert said(metered.spent, None) == "about 100 tokens read and 2 written"
    failing = Metered(Talker(fails=True), Budget())
    with pytest.raises(RunnerFailed):
        failing.run("x" * 300, timeout_seconds=1)
    assert failing.spent.tokens_in == 100
    assert tokens_of("語") == 1
