"""A prompt over a real connection, to a model on loopback."""

from collections.abc import Iterator

import pytest

from cairn.adapters.runner.connect import connector
from cairn.adapters.runner.resolve import RunnerEnvironment, runner_for
from cairn.core.model_budget import ModelRunner, RunnerFailed
from model_server import ModelServer, model_server


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with model_server() as running:
        yield running


def runner(model: ModelServer, key: str = "s3cr3t") -> ModelRunner:
    env = {
        "CAIRN_FRESHNESS_OPENAI_BASE_URL": model.url,
        "CAIRN_FRESHNESS_OPENAI_MODEL": "llama",
        "CAIRN_FRESHNESS_OPENAI_API_KEY": key,
    }
    return runner_for("openai-compatible", RunnerEnvironment(env, connector({}), lambda _: None))


def test_there_and_back(model: ModelServer) -> None:
    model.says("grüß dich", prompt_tokens=5, completion_tokens=2)
    answer = runner(model).run("hallo ✓", timeout_seconds=20)
    assert answer == ("grüß dich", "openai-compatible", "llama", 5, 2)
    [(path, headers, body)] = model.asked
    assert path == "/v1/chat/completions" and headers["authorization"] == "Bearer s3cr3t"
    assert body["messages"] == [{"role": "user", "content": "hallo ✓"}] and "thinking" not in body


def test_without_a_key_none_is_sent(model: ModelServer) -> None:
    model.says("x")
    runner(model, key="").run("x", timeout_seconds=20)
    assert "authorization" not in model.asked[0][1]


@pytest.mark.parametrize(
    ("status", "body", "retryable"),
    [(500, b"<html>oh", True), (401, {"error": {"message": "bad key"}}, False), (200, b"<html>hello", True)],
)
def test_answers_that_are_none(model: ModelServer, status: int, body: object, retryable: bool) -> None:
    model.reply = status, body
    with pytest.raises(RunnerFailed) as caught:
        runner(model).run("x", timeout_seconds=20)
    assert caught.value.retryable is retryable and "s3cr3t" not in str(caught.value)
    assert len(model.asked) == 1


def test_nobody_there() -> None:
    gone = ModelServer()
    gone.port = 9
    with pytest.raises(RunnerFailed, match="openai-compatible gave no answer") as caught:
        runner(gone).run("x", timeout_seconds=5)
    assert caught.value.retryable
