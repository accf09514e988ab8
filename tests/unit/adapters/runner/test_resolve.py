"""Whom to ask: the chain of the seed, and what is missing said plainly."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from cairn.adapters.runner.replay import Replay
from cairn.adapters.runner.resolve import RunnerEnvironment, automatic, runner_for
from cairn.core.model_budget import RunnerAnswer, RunnerFailed
from cairn.errors import ConfigError, EnvironmentProblem

ZAI, DEEPSEEK, ANTHROPIC = {"ZAI_API_KEY": "z"}, {"DEEPSEEK_API_KEY": "d"}, {"ANTHROPIC_API_KEY": "a"}
OPENAI = {"CAIRN_FRESHNESS_OPENAI_BASE_URL": "http://localhost:1/v1/", "CAIRN_FRESHNESS_OPENAI_MODEL": "llama"}


class Wire:
    """Keeps whom a runner would talk to."""

    def __init__(self) -> None:
        self.opened: list[tuple[str, str | None, str]] = []

    def __call__(self, url: str, key: str | None, provider: str) -> Any:
        self.opened.append((url, key, provider))
        return lambda body, seconds: (500, None)


def around(env: Mapping[str, str], *, claude: bool = False, wire: Wire | None = None) -> RunnerEnvironment:
    return RunnerEnvironment(env, wire or Wire(), lambda name: f"/bin/{name}" if claude else None)


@pytest.mark.parametrize(
    ("env", "claude", "expected"),
    [
        (ZAI, False, "zai"),
        (DEEPSEEK, True, "deepseek"),
        (ANTHROPIC, True, "anthropic"),
        ({}, True, "anthropic"),
        ({**ZAI, "DEEPSEEK_API_KEY": " "}, False, "zai"),
    ],
)
def test_automatic(env: Mapping[str, str], claude: bool, expected: str) -> None:
    assert automatic(around(env, claude=claude)) == expected
    assert runner_for("auto", around(env, claude=claude)).provider == expected


@pytest.mark.parametrize(
    ("provider", "env", "claude", "error", "said"),
    [
        ("auto", {}, False, EnvironmentProblem, "There is no model to ask: set ZAI_API_KEY"),
        ("auto", ZAI | DEEPSEEK, True, ConfigError, "ZAI_API_KEY and DEEPSEEK_API_KEY are all set"),
        ("auto", ZAI | DEEPSEEK | ANTHROPIC, True, ConfigError, "ZAI_API_KEY, DEEPSEEK_API_KEY and ANTHROPIC_API_KEY"),
        ("auto", ANTHROPIC, False, EnvironmentProblem, "needs the program `claude`"),
        ("anthropic", ANTHROPIC, False, EnvironmentProblem, "needs the program `claude`"),
        ("deepseek", {}, True, EnvironmentProblem, "set DEEPSEEK_API_KEY"),
        ("zai", {}, True, EnvironmentProblem, "set ZAI_API_KEY"),
        ("zai", ZAI | {"CAIRN_FRESHNESS_ZAI_MODEL": "gpt"}, True, ConfigError, "it can be glm-4.6 or glm-4.5-air"),
        ("openai-compatible", {}, True, EnvironmentProblem, "needs CAIRN_FRESHNESS_OPENAI_BASE_URL"),
        (
            "openai-compatible",
            {"CAIRN_FRESHNESS_OPENAI_BASE_URL": "http://localhost:1"},
            True,
            EnvironmentProblem,
            "needs CAIRN_FRESHNESS_OPENAI_MODEL",
        ),
        (
            "openai-compatible",
            OPENAI | {"CAIRN_FRESHNESS_OPENAI_BASE_URL": "localhost:1"},
            True,
            ConfigError,
            "has to be an address",
        ),
        ("replay", {}, True, EnvironmentProblem, "set CAIRN_FRESHNESS_REPLAY"),
        ("replay", {"CAIRN_FRESHNESS_REPLAY": "/nowhere/at/all"}, True, EnvironmentProblem, "There is no folder"),
        ("gpt", {}, True, ConfigError, "`gpt` is no provider"),
        ("zai", ZAI | {"CAIRN_FRESHNESS_FALLBACK_PROVIDER": "zai"}, True, ConfigError, "as is the provider itself"),
        ("zai", ZAI | {"CAIRN_FRESHNESS_FALLBACK_PROVIDER": "gpt"}, True, ConfigError, "it can be anthropic"),
        ("zai", ZAI | {"CAIRN_FRESHNESS_FALLBACK_PROVIDER": "deepseek"}, True, EnvironmentProblem, "DEEPSEEK_API_KEY"),
    ],
)
def test_what_is_missing(
    provider: str, env: Mapping[str, str], claude: bool, error: type[Exception], said: str
) -> None:
    with pytest.raises(error) as caught:
        runner_for(provider, around(env, claude=claude))
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("provider", "env", "opened", "model"),
    [
        ("deepseek", DEEPSEEK, ("https://api.deepseek.com", "d", "deepseek"), "deepseek-v4-flash"),
        (
            "deepseek",
            DEEPSEEK | {"CAIRN_FRESHNESS_DEEPSEEK_MODEL": "deepseek-v4-pro"},
            ("https://api.deepseek.com", "d", "deepseek"),
            "deepseek-v4-pro",
        ),
        ("zai", ZAI, ("https://api.z.ai/api/paas/v4", "z", "zai"), "glm-4.6"),
        ("openai-compatible", OPENAI, ("http://localhost:1/v1", None, "openai-compatible"), "llama"),
        (
            "openai-compatible",
            OPENAI | {"CAIRN_FRESHNESS_OPENAI_API_KEY": "o"},
            ("http://localhost:1/v1", "o", "openai-compatible"),
            "llama",
        ),
    ],
)
def test_addresses_and_models(provider: str, env: Mapping[str, str], opened: tuple[Any, ...], model: str) -> None:
    wire = Wire()
    runner = runner_for(provider, around(env, wire=wire))
    assert wire.opened == [opened] and (runner.provider, runner.model) == (provider, model)


def test_what_the_key_of_one_provider_is_never_sent_to_another() -> None:
    wire = Wire()
    env = ZAI | DEEPSEEK | {"CAIRN_FRESHNESS_FALLBACK_PROVIDER": "deepseek"}
    runner_for("zai", around(env, wire=wire))
    assert [(url.split("/")[2], key) for url, key, _ in wire.opened] == [("api.z.ai", "z"), ("api.deepseek.com", "d")]


# --- the second one ---------------------------------------------------------------------------------------------------


class Failing:
    provider, model = "first", "m"

    def __init__(self, retryable: bool) -> None:
        self.retryable = retryable

    def run(self, prompt: str, *, timeout_seconds: float) -> RunnerAnswer:
        raise RunnerFailed("The first failed.", retryable=self.retryable)


PROMPT = '"entry_name": "evil" … "entry_name": "rates"'


def test_the_second_is_asked_when_it_may_help() -> None:
    from cairn.adapters.runner.fallback import FallbackRunner

    answer = FallbackRunner(Failing(True), Replay({"rates": "hello", "evil": "no"})).run(PROMPT, timeout_seconds=1)
    assert answer.provider == "replay" and answer.text == "hello"
    with pytest.raises(RunnerFailed, match=r"^The first failed\.$"):
        FallbackRunner(Failing(False), Replay({"rates": "hello"})).run(PROMPT, timeout_seconds=1)
    with pytest.raises(
        RunnerFailed, match=r"Both providers failed\. The first failed\. There is no recorded"
    ) as caught:
        FallbackRunner(Failing(True), Replay({})).run(PROMPT, timeout_seconds=1)
    assert not caught.value.retryable


def test_recorded_answers(tmp_path: Path) -> None:
    (tmp_path / "rates.json").write_text("{}")
    (tmp_path / "notes.md").write_text("no answer")
    env = {"CAIRN_FRESHNESS_REPLAY": str(tmp_path)}
    runner = runner_for("replay", around(env))
    assert runner.run(PROMPT, timeout_seconds=1) == ("{}", "replay", "recorded", None, None)
    with pytest.raises(RunnerFailed, match="no recorded answer about `notes`"):
        runner.run('"entry_name": "notes"', timeout_seconds=1)
    with pytest.raises(RunnerFailed, match=r"no recorded answer\."):
        runner.run("hello", timeout_seconds=1)
