"""What is sent to a model, and what its answers mean."""

from collections.abc import Mapping
from typing import Any

import pytest

from cairn.adapters.runner.chat import NO_THINKING, ChatRunner, Service
from cairn.core.model_budget import RunnerFailed

GOOD = {"choices": [{"message": {"content": "hello"}}], "usage": {"prompt_tokens": 7, "completion_tokens": 3}}


class Server:
    def __init__(self, status: int, value: Any) -> None:
        self.answer = status, value
        self.bodies: list[Mapping[str, Any]] = []

    def __call__(self, body: Mapping[str, Any], seconds: float) -> tuple[int, Any]:
        self.bodies.append(body)
        assert seconds == 9
        return self.answer


def runner(server: Server) -> ChatRunner:
    return ChatRunner(Service("deepseek", "deepseek-v4-flash", NO_THINKING), server)


def test_one_message_without_surprises() -> None:
    server = Server(200, {**GOOD, "model": "gpt-something"})
    answer = runner(server).run("the prompt", timeout_seconds=9)
    assert answer == ("hello", "deepseek", "deepseek-v4-flash", 7, 3)
    assert server.bodies == [
        {
            "model": "deepseek-v4-flash",
            "messages": [{"role": "user", "content": "the prompt"}],
            "thinking": {"type": "disabled"},
            "temperature": 0,
            "max_tokens": 8192,
            "stream": False,
        }
    ]


@pytest.mark.parametrize(
    ("status", "value", "retryable", "said"),
    [
        (408, None, True, "HTTP 408"),
        (429, {"error": {"message": "slow\n down"}}, True, "HTTP 429: slow down."),
        (500, {"error": "broken"}, True, "HTTP 500: broken."),
        (503, None, True, "HTTP 503."),
        (400, {"error": {"message": "x" * 5_000}}, False, "HTTP 400"),
        (401, None, False, "check its key"),
        (402, {}, False, "HTTP 402"),
        (404, [], False, "HTTP 404"),
        (302, None, False, "HTTP 302"),
        (200, None, True, "gave no JSON"),
        (200, {}, True, "an empty answer"),
        (200, {"choices": []}, True, "an empty answer"),
        (200, {"choices": [{"message": {"content": None}}]}, True, "an empty answer"),
        (200, {"choices": [{"message": {"content": "  \n"}}]}, True, "an empty answer"),
        (200, {"choices": "x"}, True, "an empty answer"),
    ],
)
def test_failures(status: int, value: Any, retryable: bool, said: str) -> None:
    with pytest.raises(RunnerFailed) as caught:
        runner(Server(status, value)).run("x", timeout_seconds=9)
    assert said in str(caught.value) and caught.value.retryable is retryable
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("usage", [None, {}, {"prompt_tokens": "7"}, {"prompt_tokens": -1}, {"prompt_tokens": True}, 3])
def test_odd_accounts(usage: Any) -> None:
    assert runner(Server(200, {**GOOD, "usage": usage})).run("x", timeout_seconds=9).tokens_in is None
