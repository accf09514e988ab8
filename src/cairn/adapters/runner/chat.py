"""Models behind an interface of the `chat/completions` kind: one message there, one back."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from cairn.core.model_budget import RunnerAnswer, RunnerFailed

MOST_TOKENS = 8192
"""Of an answer."""

Send = Callable[[Mapping[str, Any], float], tuple[int, Any]]
"""Posts a body within so many seconds: the status, and the JSON that came back, or None when it was none.
`RunnerFailed` when nobody answered."""


class Service(NamedTuple):
    provider: str
    model: str
    extra: Mapping[str, Any]
    """What this one wants to be told besides."""


NO_THINKING: Mapping[str, Any] = {"thinking": {"type": "disabled"}}


class ChatRunner:
    def __init__(self, service: Service, send: Send) -> None:
        self._service = service
        self._send = send

    @property
    def provider(self) -> str:
        return self._service.provider

    @property
    def model(self) -> str:
        return self._service.model

    def run(self, prompt: str, *, timeout_seconds: float) -> RunnerAnswer:
        status, value = self._send(self._body(prompt), timeout_seconds)
        if not 200 <= status < 300:
            raise RunnerFailed(self._failure(status, value), retryable=is_retryable(status))
        text = _content(value)
        if not text.strip():
            what = "no JSON" if value is None else "an empty answer"
            raise RunnerFailed(f"{self.provider} gave {what}.", retryable=True)
        return RunnerAnswer(
            text, self.provider, self.model, _usage(value, "prompt_tokens"), _usage(value, "completion_tokens")
        )

    def _body(self, prompt: str) -> dict[str, Any]:
        return {
            "model": self.model,
            "messages": [{"role": "user", "content": prompt}],
            "temperature": 0,
            "max_tokens": MOST_TOKENS,
            "stream": False,
            **self._service.extra,
        }

    def _failure(self, status: int, value: Any) -> str:
        error = value.get("error") if isinstance(value, dict) else None
        said = error.get("message") if isinstance(error, dict) else error
        why = f": {' '.join(said.split())[:200]}" if isinstance(said, str) and said.strip() else ""
        hint = "; check its key" if status in (401, 403) else ""
        return f"{self.provider} answered with HTTP {status}{why}{hint}."


def is_retryable(status: int) -> bool:
    """Whether the same question may fare better a little later, or elsewhere."""
    return status in (408, 429) or status >= 500


def _content(value: Any) -> str:
    """The text of the first choice, whatever shape the rest has."""
    choices = value.get("choices") if isinstance(value, dict) else None
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, dict) else None
    content = message.get("content") if isinstance(message, dict) else None
    return content if isinstance(content, str) else ""


def _usage(value: Any, name: str) -> int | None:
    usage = value.get("usage") if isinstance(value, dict) else None
    count = usage.get(name) if isinstance(usage, dict) else None
    return count if isinstance(count, int) and not isinstance(count, bool) and count >= 0 else None
