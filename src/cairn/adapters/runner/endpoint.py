"""Models behind an address as readers: `chat/completions`, Anthropic's `messages`, and Ollama's `chat`."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from cairn.adapters.http.json_client import JsonAnswer, JsonClient, NoAnswer, Patience, Sizes
from cairn.core.model_budget import MOST_ANSWER, RunnerAnswer, RunnerFailed
from cairn.core.ports.reader import ReaderRequest

_MOST_BYTES: Final = 8 * 1024 * 1024
_BUSY: Final = (429, 503, 529)
_KEPT: Final = ("type", "properties", "required", "items", "enum", "additionalProperties", "$ref", "$defs", "anyOf")
_TOO_LONG: Final = ("context length", "context_length", "too long", "maximum context", "too many tokens")


class Body(NamedTuple):
    """What is sent, and to which path below the address."""

    path: str
    value: dict[str, Any]


class EndpointAnswer(NamedTuple):
    text: str
    tokens_in: int | None
    tokens_out: int | None


class Endpoint(NamedTuple):
    """One kind of interface."""

    body: Callable[[str, str, Mapping[str, Any]], Body]
    """For a model, a prompt, and the schema of the answer."""
    answer: Callable[[Any], EndpointAnswer]


class EndpointReader:
    def __init__(
        self,
        name: str,
        model: str,
        endpoint: Endpoint,
        address: str,
        headers: Mapping[str, str],
        env: Mapping[str, str],
        *,
        extra: Mapping[str, Any] | None = None,
        parallel: int = 4,
        window: int | None = None,
    ) -> None:
        self.name, self.model, self.parallel, self.window = name, model, parallel, window
        self._endpoint, self._address, self._headers, self._env = endpoint, address, headers, env
        self._extra: Mapping[str, Any] = extra or {}
        self._refused: set[str] = set()
        """Fields that this address does not take."""

    def stop(self) -> None:
        """Nothing runs here; what is still on its way is not waited for."""

    def read(self, request: ReaderRequest) -> RunnerAnswer:
        answer = self._sent(request)
        while answer.status in (400, 422) and (refused := _refused(answer) - self._refused):
            self._refused |= refused
            answer = self._sent(request)
        if not answer.fine:
            raise self._failure(answer)
        said = self._endpoint.answer(answer.value)
        if not said.text.strip():
            what = "no JSON" if answer.value is None else "an empty answer"
            raise RunnerFailed(f"{self.name} gave {what}.", retryable=True)
        return RunnerAnswer(said.text, self.name, self.model, said.tokens_in, said.tokens_out)

    def _sent(self, request: ReaderRequest) -> JsonAnswer:
        path, body = self._endpoint.body(self.model, request.prompt, request.schema)
        body = {name: value for name, value in body.items() if name not in self._refused}
        if "max_tokens" in self._refused:
            body["max_completion_tokens"] = MOST_ANSWER  # its name for models that think
        seconds = request.timeout_seconds
        sizes = Sizes(most_bytes=_MOST_BYTES, read_seconds=seconds, total_seconds=seconds)
        # Once: whoever waits for a busy service is the run, which knows about the other questions.
        client = JsonClient(self._address, self._headers, env=self._env, patience=Patience(attempts=1), sizes=sizes)
        try:
            return client.send("POST", path, {**body, **self._extra}, repeatable=False)
        except NoAnswer as problem:
            refused = not problem.sent
            raise RunnerFailed(f"{self.name} gave no answer: {problem}", retryable=True, ends_run=refused) from None
        finally:
            client.close()

    def _failure(self, answer: JsonAnswer) -> RunnerFailed:
        why = reason_of(answer.value)
        hint = "; check its key" if answer.status in (401, 403) else ""
        if any(word in why.lower() for word in _TOO_LONG):
            hint = "; the prompt is longer than its window, so use another reader or model"
        message = f"{self.name} answered with HTTP {answer.status}{f': {why}' if why else ''}{hint}."
        busy = answer.status in _BUSY or answer.limited
        shut = not busy and answer.status in (401, 402, 403, 404)
        return RunnerFailed(message, retryable=busy, is_busy=busy, ends_run=shut, after_seconds=_after(answer.headers))


def _refused(answer: JsonAnswer) -> set[str]:
    """Fields that it names, and that are not needed."""
    said = answer.body[:4000].decode("utf-8", "replace").lower()
    return {name for name in ("response_format", "format", "temperature", "max_tokens") if name in said}


def reason_of(value: Any) -> str:
    error = value.get("error") if isinstance(value, dict) else None
    said = error.get("message") if isinstance(error, dict) else error
    return " ".join(said.split())[:200].rstrip(".") if isinstance(said, str) else ""


def _after(headers: Mapping[str, str]) -> float | None:
    try:
        return max(0.0, float(headers.get("retry-after", "")))
    except ValueError:
        return None


def simple_schema(schema: Any) -> Any:
    """Only what every service that takes a schema understands."""
    if isinstance(schema, list):
        return [simple_schema(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key: value for key, value in schema.items() if key in _KEPT}
    for key in ("properties", "$defs"):
        if key in kept:
            kept[key] = {name: simple_schema(inner) for name, inner in kept[key].items()}
    return {
        key: value if key in ("properties", "$defs", "enum") else simple_schema(value) for key, value in kept.items()
    }


# --- chat/completions -------------------------------------------------------------------------------------------------


def _chat_body(model: str, prompt: str, schema: Mapping[str, Any]) -> Body:
    form = {"response_format": {"type": "json_object"}} if schema else {}
    said = {"model": model, "messages": [{"role": "user", "content": prompt}], "stream": False}
    return Body("/chat/completions", {**said, "temperature": 0, "max_tokens": MOST_ANSWER, **form})


def _chat_answer(value: Any) -> EndpointAnswer:
    choices = value.get("choices") if isinstance(value, dict) else None
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, dict) else None
    usage = value.get("usage") if isinstance(value, dict) else None
    return EndpointAnswer(_text(message, "content"), _count(usage, "prompt_tokens"), _count(usage, "completion_tokens"))


# --- messages ---------------------------------------------------------------------------------------------------------


def _messages_body(model: str, prompt: str, _schema: Mapping[str, Any]) -> Body:
    said = {"model": model, "messages": [{"role": "user", "content": prompt}]}
    return Body("/v1/messages", {**said, "max_tokens": MOST_ANSWER})


def _messages_answer(value: Any) -> EndpointAnswer:
    blocks = value.get("content") if isinstance(value, dict) else None
    texts = [_text(block, "text") for block in blocks] if isinstance(blocks, list) else []
    usage = value.get("usage") if isinstance(value, dict) else None
    read = [_count(usage, name) for name in ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")]
    counts = [one for one in read if one is not None]
    return EndpointAnswer("".join(texts), sum(counts) if counts else None, _count(usage, "output_tokens"))


# --- Ollama -----------------------------------------------------------------------------------------------------------

OLLAMA_WINDOW: Final = 32_768
"""Tokens. A longer prompt would be cut by Ollama without a word, so it is not sent."""


def _ollama_body(model: str, prompt: str, schema: Mapping[str, Any]) -> Body:
    options = {"temperature": 0, "num_ctx": OLLAMA_WINDOW, "num_predict": MOST_ANSWER}
    form = {"format": simple_schema(schema)} if schema else {}
    said = {"model": model, "messages": [{"role": "user", "content": prompt}], "stream": False}
    return Body("/api/chat", {**said, "options": options, **form})


def _ollama_answer(value: Any) -> EndpointAnswer:
    message = value.get("message") if isinstance(value, dict) else None
    return EndpointAnswer(_text(message, "content"), _count(value, "prompt_eval_count"), _count(value, "eval_count"))


def _text(value: Any, name: str) -> str:
    text = value.get(name) if isinstance(value, dict) else None
    return text if isinstance(text, str) else ""


def _count(value: Any, name: str) -> int | None:
    count = value.get(name) if isinstance(value, dict) else None
    return count if isinstance(count, int) and not isinstance(count, bool) and count >= 0 else None


CHAT: Final = Endpoint(_chat_body, _chat_answer)
MESSAGES: Final = Endpoint(_messages_body, _messages_answer)
OLLAMA: Final = Endpoint(_ollama_body, _ollama_answer)
