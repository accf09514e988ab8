"""Who talks to a model, and what that may cost: a ceiling that is never passed, and what was spent."""

import re
from typing import Final, NamedTuple, Protocol

from cairn.errors import UsageError


class RunnerAnswer(NamedTuple):
    text: str
    provider: str
    model: str
    """As the runner knows it, not as the model claims."""
    tokens_in: int | None = None
    tokens_out: int | None = None


class RunnerFailed(Exception):
    """A model gave no usable answer; the message says why."""

    def __init__(
        self,
        message: str,
        *,
        retryable: bool,
        is_busy: bool = False,
        ends_run: bool = False,
        after_seconds: float | None = None,
    ) -> None:
        super().__init__(message)
        self.retryable = retryable
        self.is_busy = is_busy
        """Too much was asked: it may answer a little later."""
        self.ends_run = ends_run
        """No question would fare better: the reader is not there, or lets nobody in."""
        self.after_seconds = after_seconds
        """Of a busy one, where it says so."""


class ModelRunner(Protocol):
    @property
    def provider(self) -> str: ...

    @property
    def model(self) -> str: ...

    def run(self, prompt: str, *, timeout_seconds: float) -> RunnerAnswer: ...


MODEL_PROVIDERS = ("anthropic", "deepseek", "zai", "openai-compatible", "replay")

MOST_ANSWER: Final = 8192
"""Tokens that an answer may have."""
_BYTES_A_TOKEN: Final = 3
"""Fewer than a token really has, so that a guess is rather too high."""
_FORM: Final = re.compile(r"(\$)?([0-9][0-9_,]*(?:\.[0-9]+)?)\s*+(?:(k|m)\s*+)?(tokens?|usd|\$)?", re.IGNORECASE)
_TIMES: Final = {None: 1, "k": 1_000, "m": 1_000_000}


class ModelBudget(NamedTuple):
    tokens: int | None = None
    dollars: float | None = None


class ModelPrice(NamedTuple):
    """Dollars for a million tokens."""

    reading: float
    writing: float

    def of(self, tokens_in: int, tokens_out: int) -> float:
        return (tokens_in * self.reading + tokens_out * self.writing) / 1_000_000


class ModelSpending(NamedTuple):
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    guessed: bool = False
    """Whether some of it was not told by the provider."""

    @property
    def tokens(self) -> int:
        return self.tokens_in + self.tokens_out


def parse_budget(text: str) -> ModelBudget:
    """`50000`, `50k tokens`, `$0.50` or `0.5usd`."""
    found = _FORM.fullmatch(text.strip())
    if not found:
        raise UsageError(f"--budget is `{text}`; write tokens like 50000 or 50k, or money like $0.50.")
    amount = float(found[2].replace("_", "").replace(",", "")) * _TIMES[found[3].lower() if found[3] else None]
    if found[1] or (found[4] or "").lower() in ("usd", "$"):
        return ModelBudget(dollars=amount)
    return ModelBudget(tokens=int(amount))


def parse_price(text: str, variable: str = "CAIRN_FRESHNESS_PRICE") -> ModelPrice:
    """`0.60/2.20`: dollars for a million tokens read and written."""
    try:
        reading, writing = (float(part) for part in text.split("/"))
        if not (0 <= reading < 1e6 and 0 <= writing < 1e6):
            raise ValueError
    except ValueError:
        raise UsageError(
            f"{variable} is `{text}`; write dollars for a million tokens read and written, like 0.60/2.20."
        ) from None
    return ModelPrice(reading, writing)


class MeteredRunner:
    """A runner with a ceiling: what might pass it is not asked."""

    def __init__(self, runner: ModelRunner, budget: ModelBudget, price: ModelPrice | None = None) -> None:
        if budget.dollars is not None and price is None:
            raise UsageError(
                "A budget in money needs the price of the model; set CAIRN_FRESHNESS_PRICE, like 0.60/2.20 "
                "(dollars for a million tokens read and written), or give the budget in tokens."
            )
        self._runner = runner
        self._budget = budget
        self._price = price
        self.spent = ModelSpending()

    @property
    def provider(self) -> str:
        return self._runner.provider

    @property
    def model(self) -> str:
        return self._runner.model

    @property
    def dollars(self) -> float | None:
        return None if self._price is None else self._price.of(self.spent.tokens_in, self.spent.tokens_out)

    def json(self) -> dict[str, object]:
        """What was spent."""
        return {
            "calls": self.spent.calls,
            "tokensIn": self.spent.tokens_in,
            "tokensOut": self.spent.tokens_out,
            "dollars": self.dollars,
            "guessed": self.spent.guessed,
        }

    def run(self, prompt: str, *, timeout_seconds: float) -> RunnerAnswer:
        wanted = tokens_of(prompt)
        self._refuse_beyond(wanted)
        try:
            answer = self._runner.run(prompt, timeout_seconds=timeout_seconds)
        except RunnerFailed:
            self._add(wanted, 0, guessed=True)  # it may have been read, and billed
            raise
        told = answer.tokens_in is not None and answer.tokens_out is not None
        tokens_in = wanted if answer.tokens_in is None else answer.tokens_in
        tokens_out = tokens_of(answer.text) if answer.tokens_out is None else answer.tokens_out
        self._add(tokens_in, tokens_out, guessed=not told)
        return answer

    def _add(self, tokens_in: int, tokens_out: int, *, guessed: bool) -> None:
        before = self.spent
        self.spent = ModelSpending(
            before.calls + 1, before.tokens_in + tokens_in, before.tokens_out + tokens_out, before.guessed or guessed
        )

    def _refuse_beyond(self, wanted: int) -> None:
        """Before anything is sent: the longest answer has to fit too."""
        tokens = self.spent.tokens + wanted + MOST_ANSWER
        if self._budget.tokens is not None and tokens > self._budget.tokens:
            raise RunnerFailed(
                f"The budget of {self._budget.tokens:,} tokens does not suffice: {self.spent.tokens:,} are spent, and "
                f"this question may take {wanted + MOST_ANSWER:,} more. Raise --budget.",
                retryable=False,
            )
        if self._budget.dollars is not None and self._price is not None:
            cost = self._price.of(self.spent.tokens_in + wanted, self.spent.tokens_out + MOST_ANSWER)
            if cost > self._budget.dollars:
                raise RunnerFailed(
                    f"The budget of ${self._budget.dollars:g} does not suffice: with this question it may come to "
                    f"${cost:.4f}. Raise --budget.",
                    retryable=False,
                )


def tokens_of(text: str) -> int:
    return -(-len(text.encode("utf-8", "replace")) // _BYTES_A_TOKEN)


def spending_text(spent: ModelSpending, dollars: float | None) -> str:
    """What it cost, in words."""
    about = "about " if spent.guessed else ""
    money = "" if dollars is None else f", {about}${dollars:.4f}"
    return f"{about}{spent.tokens_in:,} tokens read and {spent.tokens_out:,} written{money}"


def ceiling_of(budget: str | None) -> ModelBudget:
    """None is no ceiling. A slip of the pen is one whoever judges, and an empty word (a variable that nobody set) must
    not mean that all may be spent."""
    return ModelBudget() if budget is None else parse_budget(budget)
