"""What readers may still cost today: a ceiling that is kept across runs, and never passed."""

from typing import Final

from cairn.core.model_budget import MOST_ANSWER, ModelBudget, ModelPrice, ModelSpending
from cairn.core.ports.jobs import ExecutionFilter, JobStore
from cairn.errors import UsageError

RUNNER: Final = "cli"
"""Who answers in a run, in the history. What an agent at work answers is its own affair."""
_DAY_MS: Final = 86_400_000


class DailyBudget:
    """Counts what was spent since midnight (UTC), and keeps back the longest answer for each question that is out."""

    def __init__(self, budget: ModelBudget, price: ModelPrice | None, spent: ModelSpending) -> None:
        if budget.dollars is not None and price is None:
            raise UsageError(
                "A budget in money needs the price of the model: set CAIRN_JUDGE_PRICE, like 0.60/2.20 (dollars for a "
                "million tokens read and written), or give the budget in tokens."
            )
        self._budget, self._price = budget, price
        self.before = spent
        self.spent = ModelSpending()
        """In this run."""
        self._held: dict[str, int] = {}

    def hold(self, job: str, tokens: int) -> None:
        """For a question that is about to be asked."""
        self._held[job] = tokens

    def settle(self, job: str, tokens_in: int, tokens_out: int, *, guessed: bool) -> None:
        """What it took in the end."""
        self._held.pop(job, None)
        calls, read, written, before = self.spent
        self.spent = ModelSpending(calls + 1, read + tokens_in, written + tokens_out, before or guessed)

    def release(self, job: str) -> None:
        """A question that was not asked after all."""
        self._held.pop(job, None)

    @property
    def most_tokens(self) -> int | None:
        """Of the next prompt; None without a ceiling."""
        read = self.before.tokens_in + self.spent.tokens_in + sum(self._held.values())
        written = self.before.tokens_out + self.spent.tokens_out + MOST_ANSWER * (len(self._held) + 1)
        if self._budget.tokens is not None:
            return max(0, self._budget.tokens - read - written)
        if self._budget.dollars is not None and self._price is not None:
            left = self._budget.dollars - self._price.of(read, written)
            return max(0, int(left * 1_000_000 / self._price.reading)) if self._price.reading else int(left >= 0) << 40
        return None

    @property
    def dollars(self) -> float | None:
        """Of this run."""
        return None if self._price is None else self._price.of(self.spent.tokens_in, self.spent.tokens_out)

    @property
    def sentence(self) -> str:
        """Why no further question is asked."""
        before = ModelSpending(0, self.before.tokens_in + self.spent.tokens_in, 0)
        tokens = before.tokens + self.before.tokens_out + self.spent.tokens_out
        ceiling = f"{self._budget.tokens:,} tokens" if self._budget.tokens is not None else f"${self._budget.dollars:g}"
        return (
            f"The budget of {ceiling} a day does not suffice for the next question ({tokens:,} tokens are spent "
            "today); raise --budget or `judge.budget`, or go on tomorrow."
        )


def spent_today(store: JobStore, now_ms: int) -> ModelSpending:
    """By readers in runs, since midnight (UTC)."""
    rows = store.executions(ExecutionFilter(since_ms=now_ms - now_ms % _DAY_MS))
    own = [row for row in rows if row.runner == RUNNER]
    return ModelSpending(len(own), sum(row.tokens_in or 0 for row in own), sum(row.tokens_out or 0 for row in own))
