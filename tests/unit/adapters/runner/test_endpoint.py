"""Services as readers, against a model on loopback: three interfaces, and what each refusal means."""

from collections.abc import Iterator

import pytest

from cairn.adapters.runner.choose import ReaderEnvironment, choose_reader
from cairn.adapters.runner.endpoint import OLLAMA_WINDOW, simple_schema
from cairn.core.model_budget import MOST_ANSWER, RunnerAnswer, RunnerFailed
from cairn.core.ports.reader import Reader, ReaderRequest
from model_server import ModelServer, model_server

SCHEMA = {"type": "object", "properties": {"a": {"type": "string", "pattern": "x", "enum": ["x"]}}, "title": "T"}


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as model:
        yield model


def chosen(name: str, server: ModelServer, model: str | None = "m-1") -> Reader:
    root = server.url.removesuffix("/v1")
    env = {"OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": "k", "OLLAMA_HOST": root.removeprefix("http://")}
    env |= {"ANTHROPIC_BASE_URL": root, "ANTHROPIC_API_KEY": "k"}
    return choose_reader(name, model, ReaderEnvironment(env, lambda program: None)).reader


def ask(reader: Reader, **more: object) -> RunnerAnswer:
    return reader.read(ReaderRequest("Why?", SCHEMA, 10)._replace(**more))


def test_chat_completions(server: ModelServer) -> None:
    server.says("Because.", prompt_tokens=5, completion_tokens=2)
    assert ask(chosen("openai", server)) == RunnerAnswer("Because.", "openai-compatible", "m-1", 5, 2)
    [(path, headers, body)] = server.asked
    assert path == "/v1/chat/completions" and headers["authorization"] == "Bearer k"
    assert body["messages"] == [{"role": "user", "content": "Why?"}] and "tools" not in body
    assert body["response_format"] == {"type": "json_object"} and body["max_tokens"] == MOST_ANSWER


def test_messages(server: ModelServer) -> None:
    usage = {"input_tokens": 4, "cache_read_input_tokens": 1, "output_tokens": 2}
    server.reply = 200, {"content": [{"type": "text", "text": "Because."}], "usage": usage}
    assert ask(chosen("anthropic", server)) == RunnerAnswer("Because.", "anthropic", "m-1", 5, 2)
    [(path, headers, body)] = server.asked
    assert (path, headers["x-api-key"], headers["anthropic-version"]) == ("/v1/messages", "k", "2023-06-01")
    assert body["max_tokens"] == MOST_ANSWER and "tools" not in body


def test_ollama(server: ModelServer) -> None:
    server.reply = 200, {"message": {"content": "Because."}, "prompt_eval_count": 5, "eval_count": 2}
    reader = chosen("ollama", server)
    assert ask(reader) == RunnerAnswer("Because.", "ollama", "m-1", 5, 2) and reader.window == OLLAMA_WINDOW
    [(path, _, body)] = server.asked
    assert path == "/api/chat" and body["options"]["num_ctx"] == OLLAMA_WINDOW and body["stream"] is False
    assert body["format"] == {"type": "object", "properties": {"a": {"type": "string", "enum": ["x"]}}}


def test_fields_that_a_service_does_not_take_are_left_out_from_then_on(server: ModelServer) -> None:
    def picky(body):
        for name in ("max_tokens", "temperature", "response_format"):
            if name in body:
                return 400, {"error": {"message": f"Unsupported parameter: '{name}'"}}
        return 200, {"choices": [{"message": {"content": "Because."}}]}

    server.reply = picky
    reader = chosen("openai-compatible", server)
    assert ask(reader).text == "Because." and ask(reader).text == "Because."
    assert len(server.asked) == 5 and server.asked[-1][2]["max_completion_tokens"] == MOST_ANSWER


@pytest.mark.parametrize(
    ("status", "reply", "busy", "ends", "message"),
    [
        (
            429,
            {"error": {"message": "Slow down."}},
            True,
            False,
            "openai-compatible answered with HTTP 429: Slow down.",
        ),
        (529, None, True, False, "openai-compatible answered with HTTP 529."),
        (401, {"error": "bad key"}, False, True, "openai-compatible answered with HTTP 401: bad key; check its key."),
        (404, None, False, True, "openai-compatible answered with HTTP 404."),
        (500, None, False, False, "openai-compatible answered with HTTP 500."),
        (200, b"<html>", False, False, "openai-compatible gave no JSON."),
        (200, {"choices": []}, False, False, "openai-compatible gave an empty answer."),
        (
            400,
            {"error": {"message": "maximum context length is 8192"}},
            False,
            False,
            "openai-compatible answered with HTTP 400: maximum context length is 8192; the prompt is longer than its "
            "window, so use another reader or model.",
        ),
    ],
)
def test_refusals(server: ModelServer, status: int, reply: object, busy: bool, ends: bool, message: str) -> None:
    server.reply = status, reply
    with pytest.raises(RunnerFailed) as caught:
        ask(chosen("openai-compatible", server))
    assert (str(caught.value), caught.value.is_busy, caught.value.ends_run) == (message, busy, ends)
    assert len(server.asked) == 1, "whoever waits is the run"


def test_an_answer_beyond_the_bound_is_refused(server: ModelServer) -> None:
    server.reply = 200, b'{"x": "' + b"x" * (9 * 1024 * 1024) + b'"}'
    with pytest.raises(RunnerFailed, match="openai-compatible gave no answer"):
        ask(chosen("openai-compatible", server))


def test_nobody_there_ends_the_run() -> None:
    env = {"OLLAMA_HOST": "http://127.0.0.1:9"}
    with pytest.raises(RunnerFailed, match="ollama gave no answer") as caught:
        ask(choose_reader("ollama", "m", ReaderEnvironment(env, lambda program: None)).reader)
    assert caught.value.ends_run


def test_a_simple_schema_keeps_names_that_are_keywords() -> None:
    assert simple_schema({"properties": {"pattern": {"type": "string", "minLength": 1}}}) == {
        "properties": {"pattern": {"type": "string"}}
    }
