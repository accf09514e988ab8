"""What reading may cost: a ceiling, a price, and what was spent."""

import re
from typing import Final, NamedTuple

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


MOST_ANSWER: Final = 8192
"""Tokens that an answer may have."""
_BYTES_A_TOKEN: Final = 3
"""Fewer than a token really has, so that a guess is rather too high."""
_FORM: Final = re.compile(r"(\$)?([0-9][0-9_,]*(?:\.[0-9]+)?)\s*+(?:(k|m)\s*+)?(tokens?|usd|\$)?", re.IGNORECASE)
_TIMES: Final = {None: 1, "k": 1_000, "m": 1_000_000}


class ModelBudget(NamedTuple):
    tokens: int | None = None
    dollars: float | None = None

    def is_within(self, other: "ModelBudget") -> bool:
        """Whether it allows nothing that the other does not. Tokens and dollars can't be compared."""
        if other == ModelBudget():
            return True
        pairs = ((self.tokens, other.tokens), (self.dollars, other.dollars))
        return all(most is None or (own is not None and own <= most) for own, most in pairs)


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


def parse_budget(text: str, name: str = "--budget") -> ModelBudget:
    """`50000`, `50k tokens`, `$0.50` or `0.5usd`."""
    found = _FORM.fullmatch(text.strip())
    if not found:
        raise UsageError(f"{name} is `{text}`; write tokens like 50000 or 50k, or money like $0.50.")
    amount = float(found[2].replace("_", "").replace(",", "")) * _TIMES[found[3].lower() if found[3] else None]
    if found[1] or (found[4] or "").lower() in ("usd", "$"):
        return ModelBudget(dollars=amount)
    return ModelBudget(tokens=int(amount))


def parse_price(text: str, variable: str) -> ModelPrice:
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


def tokens_of(text: str) -> int:
    return -(-len(text.encode("utf-8", "replace")) // _BYTES_A_TOKEN)


def ceiling_of(budget: str | None) -> ModelBudget:
    """None is no ceiling. A slip of the pen is one whoever judges, and an empty word (a variable that nobody set) must
    not mean that all may be spent."""
    return ModelBudget() if budget is None else parse_budget(budget)
