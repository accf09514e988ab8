"""What agents of hosts print, and how they are told to work without tools."""

import json
from collections.abc import Sequence

import pytest

from cairn.adapters.runner.hosts import HOSTS
from cairn.adapters.runner.program import PreparedHost, Said
from cairn.core.model_budget import RunnerFailed


def lines(*events: object) -> bytes:
    return "\n".join(json.dumps(event) for event in events).encode()


CLAUDE = {
    "type": "result",
    "is_error": False,
    "result": '{"a": 1}',
    "usage": {"input_tokens": 10, "cache_read_input_tokens": 5, "output_tokens": 7},
    "modelUsage": {"model-1": {}},
}
CODEX = (
    {"type": "thread.started"},
    {"type": "item.completed", "item": {"type": "error", "message": "metadata"}},
    {"type": "item.completed", "item": {"type": "agent_message", "text": "thinking"}},
    {"type": "item.completed", "item": {"type": "agent_message", "text": '{"a": 1}'}},
    {"type": "turn.completed", "usage": {"input_tokens": 15, "output_tokens": 7}},
)
OPENCODE = (
    {"type": "text", "part": {"type": "text", "text": '{"a"'}},
    {"type": "text", "part": {"type": "text", "text": ": 1}"}},
    {"type": "step_finish", "part": {"type": "step-finish", "tokens": {"input": 15, "output": 6, "reasoning": 1}}},
)
GEMINI = {
    "response": '{"a": 1}',
    "stats": {"models": {"model-1": {"tokens": {"prompt": 15, "candidates": 5, "thoughts": 2}}}},
}


@pytest.mark.parametrize(
    ("name", "out", "model"),
    [
        ("claude", lines(CLAUDE), "model-1"),
        ("codex", b"WARNING: odd\n" + lines(*CODEX), None),
        ("opencode", lines(*OPENCODE), None),
        ("gemini", b"Loaded.\n" + json.dumps(GEMINI, indent=2).encode(), "model-1"),
    ],
)
def test_an_answer_is_found_with_what_it_took(name: str, out: bytes, model: str | None) -> None:
    assert HOSTS[name].said(out) == Said('{"a": 1}', 15, 7, model)


@pytest.mark.parametrize(
    ("name", "out"),
    [
        ("claude", lines({"is_error": True, "result": "Invalid API key"})),
        ("codex", lines({"type": "turn.failed", "error": {"message": "Invalid API key"}})),
        ("opencode", lines({"type": "error", "error": {"data": {"message": "Invalid API key"}}})),
        ("gemini", json.dumps({"error": {"message": "Invalid API key"}}).encode()),
    ],
)
def test_an_error_is_no_answer(name: str, out: bytes) -> None:
    assert HOSTS[name].said(out) == Said("", error="Invalid API key")


@pytest.mark.parametrize("name", HOSTS)
@pytest.mark.parametrize("out", [b"", b"[]", b"{", b'{"result": 3, "response": [], "part": 1}', b"\xff{}\n{}\n"])
def test_odd_output_is_no_crash(name: str, out: bytes) -> None:
    assert isinstance(HOSTS[name].said(out), Said)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("claude", ["--tools", ""]),
        ("codex", ["--disable", "shell_tool"]),
        ("codex", ["--ignore-user-config"]),
        ("opencode", ["--pure"]),
        ("gemini", ["--policy", "policy.toml"]),
    ],
)
def test_hosts_are_told_to_use_no_tools(name: str, words: list[str]) -> None:
    arguments = list(HOSTS[name].arguments("m-1"))
    at = arguments.index(words[0])
    assert arguments[at : at + len(words)] == words and "m-1" in arguments
    assert "m-1" not in HOSTS[name].arguments(None)
    if name == "opencode":
        assert json.loads(HOSTS[name].env["OPENCODE_CONFIG_CONTENT"])["tools"] == {"*": False}


def prepared(listed: bytes | None) -> PreparedHost:
    asked: list[Sequence[str]] = []

    def ask(arguments: Sequence[str]) -> bytes | None:
        asked.append(arguments)
        return listed

    assert HOSTS["codex"].prepare is not None
    found = HOSTS["codex"].prepare(ask)
    assert asked == [["debug", "models", "--bundled"]]
    return found


def test_models_of_codex_lose_the_tools_that_they_bring_along() -> None:
    model = {"slug": "m-1", "tool_mode": "code_mode_only", "multi_agent_version": "v2", "context_window": 272_000}
    found = prepared(json.dumps({"models": [model, {"slug": "m-2"}]}).encode())
    assert json.loads(found.files["models.json"])["models"] == [
        {"slug": "m-1", "tool_mode": None, "multi_agent_version": None, "context_window": 272_000},
        {"slug": "m-2"},
    ]
    assert found.arguments == ["-c", 'model_catalog_json="{folder}/models.json"', "-"]


def test_a_codex_without_a_list_of_models_needs_none() -> None:
    assert prepared(None) == PreparedHost(arguments=["-"])


@pytest.mark.parametrize("listed", [b"{}", b'{"models": {"m-1": {}}}', b'{"models": ["m-1"]}', b"no JSON"])
def test_a_codex_whose_tools_stay_is_refused(listed: bytes) -> None:
    with pytest.raises(RunnerFailed, match="The tools of `codex` can't be switched off") as refused:
        prepared(listed)
    assert refused.value.ends_run
