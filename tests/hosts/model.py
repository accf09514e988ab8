"""A model that says what the prompt tells it to, for real agent clients: Messages, Responses, Gemini API on loopback.

A prompt holds its script as JSON: `SCRIPT [{"tool": "Bash", "input": {…}}, {"text": "Done."}]`. The first request of a
turn gets the first step, the one with that tool's result the second, and so on. A step may be several at once, as a
list, and `{"fail": 529}` or `{"hang": true}` instead. A request without a script (for a title, say) is answered with
`ok`.
"""

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

MARK = "SCRIPT "
ROUTED = '{"complexity_reasoning": "scripted", "complexity_score": 50, "reasoning": "scripted", "model_choice": "pro"}'
"""Gemini CLI first has a small model choose the larger one, and asks again for minutes when the answer is a call."""
Step = dict[str, Any]


class Model(ThreadingHTTPServer):
    """Serves on a free port of loopback until it is closed; what was asked stands in `requests`, and in the log."""

    daemon_threads = True

    def __init__(self, log: Path | None = None) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.requests: list[dict[str, Any]] = []
        self._log = log
        self._lock = threading.Lock()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def record(self, path: str, body: dict[str, Any]) -> None:
        with self._lock:
            self.requests.append({"path": path, "at": time.time(), "body": body})
            if self._log is not None:
                with self._log.open("a") as file:
                    file.write(json.dumps(self.requests[-1]) + "\n")

    def close(self) -> None:
        self.shutdown()
        self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that are killed hang up; that is what they are killed for."""


# --- what to say ----------------------------------------------------------------------------------------------------


def script_of(text: str) -> list[Step | list[Step]]:
    """OpenCode puts a prompt of several words in quotes, and a backslash before those in it."""
    start = text.rfind(MARK)
    for words in (text[start + len(MARK) :], text[start + len(MARK) :].replace('\\"', '"')) if start >= 0 else ():
        try:
            steps, _ = json.JSONDecoder().raw_decode(words)
        except ValueError:
            continue
        return steps if isinstance(steps, list) else []
    return []


def steps_now(said: list[tuple[str, str]]) -> list[Step]:
    """The steps for this request. `said` is the conversation: who (`user`, `tool` or anything else), and the words.
    Tools that were called together give their results together."""
    last = max((n for n, (who, text) in enumerate(said) if who == "user" and MARK in text), default=None)
    if last is None:
        return [{"text": "ok"}]
    done = sum(who == "tool" for who, _ in said[last:])
    for step in script_of(said[last][1]):
        together = step if isinstance(step, list) else [step]
        if done <= 0:
            return together
        done -= sum("tool" in one for one in together)
    return [{"text": "ok"}]


def conversation_of(body: dict[str, Any]) -> list[tuple[str, str]]:
    if "contents" in body:
        parts = [(item.get("role", ""), part) for item in body["contents"] for part in item.get("parts", ())]
        return [("tool" if "functionResponse" in part else who, str(part.get("text", ""))) for who, part in parts]
    items = body.get("messages", body.get("input", []))
    said: list[tuple[str, str]] = []
    for item in items if isinstance(items, list) else []:
        if item.get("type") in ("function_call_output", "custom_tool_call_output", "mcp_tool_call_output"):
            said.append(("tool", ""))
            continue
        content = item.get("content", "")
        blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
        for block in blocks:
            kind = "tool" if block.get("type") == "tool_result" else item.get("role", "")
            said.append((kind, str(block.get("text", ""))))
    return said


# --- how it is said -------------------------------------------------------------------------------------------------


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Model

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            body = json.loads(raw)
        except ValueError:
            body = {}
        self.server.record(self.path, body)
        path = self.path.partition("?")[0]
        if path.endswith("/count_tokens"):
            return self._json({"input_tokens": 100})
        gemini = path.endswith((":generateContent", ":streamGenerateContent"))
        if not (gemini or path.endswith(("/messages", "/responses"))):
            return self._json({})
        steps = steps_now(conversation_of(body))
        for step in steps:
            if "fail" in step:
                return self._json(
                    {"type": "error", "error": {"type": "api_error", "message": step.get("message", "scripted")}},
                    step["fail"],
                )
            if step.get("hang"):
                time.sleep(600)
                return None
        if gemini and path.endswith(":generateContent"):
            return self._gemini(_candidate([{"text": ROUTED}]), stream=False)
        if gemini:
            return self._gemini(_candidate(steps), stream=True)
        events = _messages(steps) if path.endswith("/messages") else _responses(steps)
        return self._stream(events) if body.get("stream") else self._json(_whole(steps))

    def do_GET(self) -> None:
        self.server.record(self.path, {})
        self._json({"data": [], "models": []})

    def do_HEAD(self) -> None:
        self._json({})

    def _json(self, value: Any, status: int = 200) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _stream(self, events: Iterator[dict[str, Any]]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for event in events:
            self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())
            self.wfile.flush()
        self.close_connection = True

    def _gemini(self, said: dict[str, Any], *, stream: bool) -> None:
        if not stream:
            self._json(said)
            return
        data = f"data: {json.dumps(said)}\n\n".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        """Nothing: the requests are recorded."""


_NUMBER = iter(range(1, 1_000_000))


def _id(kind: str) -> str:
    return f"{kind}_{time.time_ns():x}{next(_NUMBER):06d}"


def _blocks(steps: list[Step]) -> list[dict[str, Any]]:
    return [
        {"type": "tool_use", "id": _id("toolu"), "name": step["tool"], "input": step.get("input", {})}
        if "tool" in step
        else {"type": "text", "text": step["text"]}
        for step in steps
    ]


def _reason(steps: list[Step]) -> str:
    return "tool_use" if any("tool" in step for step in steps) else "end_turn"


def _message(content: list[dict[str, Any]], reason: str | None) -> dict[str, Any]:
    usage = {"input_tokens": 10, "output_tokens": 10, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0}
    kind = {"id": _id("msg"), "type": "message", "role": "assistant", "model": "scripted"}
    return {**kind, "content": content, "stop_reason": reason, "stop_sequence": None, "usage": usage}


def _whole(steps: list[Step]) -> dict[str, Any]:
    return _message(_blocks(steps), _reason(steps))


def _messages(steps: list[Step]) -> Iterator[dict[str, Any]]:
    yield {"type": "message_start", "message": _message([], None)}
    for number, block in enumerate(_blocks(steps)):
        if block["type"] == "text":
            start, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            start = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        yield {"type": "content_block_start", "index": number, "content_block": start}
        yield {"type": "content_block_delta", "index": number, "delta": delta}
        yield {"type": "content_block_stop", "index": number}
    ended = {"stop_reason": _reason(steps), "stop_sequence": None}
    yield {"type": "message_delta", "delta": ended, "usage": {"output_tokens": 10}}
    yield {"type": "message_stop"}


def _responses(steps: list[Step]) -> Iterator[dict[str, Any]]:
    id = _id("resp")
    yield {"type": "response.created", "response": {"id": id}}
    for number, step in enumerate(steps):
        item = _item(step)
        yield {"type": "response.output_item.added", "output_index": number, "item": item}
        yield {"type": "response.output_item.done", "output_index": number, "item": item}
    usage = {"input_tokens": 10, "output_tokens": 10, "total_tokens": 20}
    usage |= {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
    yield {"type": "response.completed", "response": {"id": id, "usage": usage, "output": []}}


def _item(step: Step) -> dict[str, Any]:
    if "tool" in step:
        call = {"type": "function_call", "id": _id("fc"), "call_id": _id("call"), "status": "completed"}
        space, _, name = step["tool"].rpartition("/")
        return {**call, "name": name, **({"namespace": space} if space else {}), "arguments": json.dumps(step["input"])}
    text = {"type": "output_text", "text": step["text"], "annotations": []}
    return {"type": "message", "id": _id("msg"), "role": "assistant", "status": "completed", "content": [text]}


def _candidate(steps: list[Step]) -> dict[str, Any]:
    parts = [
        {"functionCall": {"name": step["tool"], "args": step.get("input", {})}}
        if "tool" in step
        else {"text": step["text"]}
        for step in steps
    ]
    said = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}
    counts = {"promptTokenCount": 10, "candidatesTokenCount": 10, "totalTokenCount": 20}
    return {"candidates": [said], "usageMetadata": counts, "modelVersion": "scripted"}
