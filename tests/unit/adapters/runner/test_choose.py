"""Which reader answers: by its name, by what is there, and never by what a repository says."""

from pathlib import Path

import pytest

from cairn.adapters.runner.choose import NAMES, ReaderEnvironment, choose_reader
from cairn.errors import CairnError, ConfigError, EnvironmentProblem


def chosen(name=None, model=None, there=(), **env):
    def which(program):
        return f"/bin/{program}" if program in there else None

    return choose_reader(name, model, ReaderEnvironment(env, which))


@pytest.mark.parametrize(
    ("there", "env", "name", "why"),
    [
        (("opencode", "codex"), {"ANTHROPIC_API_KEY": "k"}, "codex", "found on the PATH"),
        ((), {"ANTHROPIC_API_KEY": "k"}, "anthropic", "ANTHROPIC_API_KEY is set"),
        ((), {"ZAI_API_KEY": "k"}, "zai", "ZAI_API_KEY is set"),
        ((), {"OLLAMA_HOST": "localhost:1", "DEEPSEEK_API_KEY": "k"}, "deepseek", "DEEPSEEK_API_KEY is set"),
    ],
)
def test_without_a_name_the_one_that_is_there_answers(there, env, name, why):
    found = chosen(there=there, **env)
    assert (found.reader.name, found.why) == (name, why)
    assert chosen("auto", there=there, **env).reader.name == name


def test_a_name_and_a_model_are_taken():
    found = chosen("claude", "opus", ("claude",))
    assert (found.reader.name, found.reader.model, found.why) == ("claude", "opus", "as the settings say")
    assert chosen("anthropic", ANTHROPIC_API_KEY="k").reader.model.startswith("claude-")
    assert chosen("command:ask --fast", there=("ask",)).reader.model == "ask"


@pytest.mark.parametrize(
    ("name", "env", "error", "said"),
    [
        (None, {}, EnvironmentProblem, "There is no reader: install one of claude, codex"),
        (None, {"ZAI_API_KEY": "k", "OPENAI_API_KEY": "k"}, ConfigError, "OPENAI_API_KEY and ZAI_API_KEY are set"),
        ("claude", {}, EnvironmentProblem, "`claude` is not installed"),
        ("nobody", {}, ConfigError, "`nobody` is not a reader; choose claude"),
        ("rules", {}, ConfigError, "`rules` no longer names a reader"),
        ("extractive", {}, ConfigError, "`extractive` no longer names a reader"),
        ("zai", {}, EnvironmentProblem, "set ZAI_API_KEY"),
        ("openai-compatible", {"OPENAI_API_KEY": "k"}, EnvironmentProblem, "give --model"),
        ("ollama", {}, EnvironmentProblem, "`ollama list`"),
        ("replay", {}, EnvironmentProblem, "CAIRN_JUDGE_REPLAY"),
        ("replay:/nowhere", {}, EnvironmentProblem, "no folder /nowhere"),
        ("command:", {}, ConfigError, "Name a program"),
        ("command:'", {}, ConfigError, "is not a command"),
        ("command:gone x", {}, EnvironmentProblem, "`gone` is not installed"),
        ("zai", {"ZAI_API_KEY": "k", "CAIRN_JUDGE_FALLBACK": "zai"}, ConfigError, "name another one"),
        ("zai", {"CAIRN_FRESHNESS_ZAI_MODEL": "x"}, ConfigError, "CAIRN_FRESHNESS_ZAI_MODEL is now CAIRN_JUDGE_MODEL"),
        ("anthropic", {"ANTHROPIC_BASE_URL": "ftp://x"}, ConfigError, "write an address"),
    ],
)
def test_what_does_not_work_is_one_sentence(name, env, error, said):
    with pytest.raises(CairnError) as caught:
        chosen(name, **env)
    assert isinstance(caught.value, error) and said in caught.value.message


def test_a_fallback_stands_behind():
    found = chosen("zai", ZAI_API_KEY="k", DEEPSEEK_API_KEY="k", CAIRN_JUDGE_FALLBACK="deepseek")
    assert found.why == "as the settings say, with deepseek behind it" and found.reader.name == "zai"


def test_every_name_is_known(tmp_path: Path):
    env = dict.fromkeys(("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "DEEPSEEK_API_KEY", "ZAI_API_KEY"), "k")
    for name in NAMES:
        assert chosen(name, "m", NAMES, **env, CAIRN_JUDGE_REPLAY=str(tmp_path)).reader.name == name
