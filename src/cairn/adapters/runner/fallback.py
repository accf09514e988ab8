"""Two runners: the second is asked when the first could not answer, this time."""

from cairn.core.model_budget import ModelRunner, RunnerAnswer, RunnerFailed


class FallbackRunner:
    def __init__(self, first: ModelRunner, second: ModelRunner) -> None:
        self._first = first
        self._second = second

    @property
    def provider(self) -> str:
        return self._first.provider

    @property
    def model(self) -> str:
        return self._first.model

    def run(self, prompt: str, *, timeout_seconds: float) -> RunnerAnswer:
        """The answer names who really gave it."""
        try:
            return self._first.run(prompt, timeout_seconds=timeout_seconds)
        except RunnerFailed as failed:
            if not failed.retryable:
                raise
            return self._other(prompt, timeout_seconds, failed)

    def _other(self, prompt: str, timeout_seconds: float, failed: RunnerFailed) -> RunnerAnswer:
        try:
            return self._second.run(prompt, timeout_seconds=timeout_seconds)
        except RunnerFailed as again:
            raise RunnerFailed(f"Both providers failed. {failed} {again}", retryable=False) from again
