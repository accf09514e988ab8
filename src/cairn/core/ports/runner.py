"""A runner: talks to a model. Text in, text out; what it says is never believed without a check."""

from typing import NamedTuple, Protocol


class RunnerAnswer(NamedTuple):
    text: str
    provider: str
    model: str
    """As the runner knows it, not as the model claims."""
    tokens_in: int | None = None
    tokens_out: int | None = None


class RunnerFailed(Exception):
    """A model gave no usable answer; the message says why."""

    def __init__(self, message: str, *, retryable: bool) -> None:
        super().__init__(message)
        self.retryable = retryable


class ModelRunner(Protocol):
    @property
    def provider(self) -> str: ...

    @property
    def model(self) -> str: ...

    def run(self, prompt: str, *, timeout_seconds: float) -> RunnerAnswer: ...


MODEL_PROVIDERS = ("anthropic", "deepseek", "zai", "openai-compatible", "replay")
