"""Which model is asked: as the operator says, and where they leave it open, by what is there.

Addresses and models are constants, or come from the operator's environment. Nothing that is committed to a repository
can send its pages elsewhere.
"""

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from cairn.adapters.runner.chat import NO_THINKING, ChatRunner, Send, Service
from cairn.core.model_budget import MODEL_PROVIDERS, ModelRunner
from cairn.errors import ConfigError, EnvironmentProblem

FALLBACK = "CAIRN_FRESHNESS_FALLBACK_PROVIDER"
OPENAI_URL, OPENAI_KEY, OPENAI_MODEL = (
    "CAIRN_FRESHNESS_OPENAI_BASE_URL",
    "CAIRN_FRESHNESS_OPENAI_API_KEY",
    "CAIRN_FRESHNESS_OPENAI_MODEL",
)
REPLAY = "CAIRN_FRESHNESS_REPLAY"


class KnownService(NamedTuple):
    """A service whose address and models are fixed."""

    url: str
    key: str
    """Variable with the key."""
    model: str
    """Variable with the model."""
    models: tuple[str, ...]
    """The first is the default."""


SERVICES: Mapping[str, KnownService] = {
    "zai": KnownService(
        "https://api.z.ai/api/paas/v4",
        "ZAI_API_KEY",
        "CAIRN_FRESHNESS_ZAI_MODEL",
        ("glm-4.6", "glm-4.5-air"),
    ),
    "deepseek": KnownService(
        "https://api.deepseek.com",
        "DEEPSEEK_API_KEY",
        "CAIRN_FRESHNESS_DEEPSEEK_MODEL",
        ("deepseek-v4-flash", "deepseek-v4-pro"),
    ),
}
_KEYS = {"zai": "ZAI_API_KEY", "deepseek": "DEEPSEEK_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}

Connect = Callable[[str, str | None, str], Send]
"""Base URL, key, provider."""


class RunnerEnvironment(NamedTuple):
    """What there is to choose from."""

    env: Mapping[str, str]
    connect: Connect
    which: Callable[[str], str | None] = shutil.which


def runner_for(provider: str, around: RunnerEnvironment) -> ModelRunner:
    """A runner for a provider, or for `auto`, with the fallback behind it that the operator wishes."""
    name = automatic(around) if provider == "auto" else provider
    runner = _built(name, around)
    other = around.env.get(FALLBACK, "").strip()
    if not other:
        return runner
    if other == name:
        raise ConfigError(f"{FALLBACK} is `{other}`, as is the provider itself; name another one, or none.")
    if other not in MODEL_PROVIDERS:
        raise ConfigError(f"{FALLBACK} is `{other}`; it can be {_listed(MODEL_PROVIDERS)}.")
    from cairn.adapters.runner.fallback import FallbackRunner

    return FallbackRunner(runner, _built(other, around))


def automatic(around: RunnerEnvironment) -> str:
    """The only one with a key; without any, the `claude` program."""
    found = [name for name, variable in _KEYS.items() if around.env.get(variable, "").strip()]
    if len(found) > 1:
        variables = _listed([_KEYS[name] for name in found], "and")
        raise ConfigError(f"{variables} are all set, so it is open whom to ask; give --provider.", providers=found)
    if found:
        return found[0]
    if around.which("claude"):
        return "anthropic"
    keys = _listed(tuple(_KEYS.values()))
    said = f"There is no model to ask: set {keys}, install `claude`, or choose a --provider that needs none."
    raise EnvironmentProblem(said)


def _built(name: str, around: RunnerEnvironment) -> ModelRunner:
    if name == "anthropic":
        return _claude(around)
    if name in SERVICES:
        return _service(name, SERVICES[name], around)
    if name == "openai-compatible":
        return _openai(around)
    if name == "replay":
        return _replay(around)
    raise ConfigError(f"`{name}` is no provider; choose {_listed(('extractive', 'auto', *MODEL_PROVIDERS))}.")


def _claude(around: RunnerEnvironment) -> ModelRunner:
    program = around.which("claude")
    if program is None:
        raise EnvironmentProblem("The provider `anthropic` needs the program `claude`, and it is not on the PATH.")
    from cairn.adapters.runner.claude import ClaudeProgram

    return ClaudeProgram(program, around.env)


def _service(name: str, known: KnownService, around: RunnerEnvironment) -> ModelRunner:
    key = around.env.get(known.key, "").strip()
    if not key:
        raise EnvironmentProblem(f"The provider `{name}` needs a key; set {known.key}.")
    model = around.env.get(known.model, "").strip() or known.models[0]
    if model not in known.models:
        raise ConfigError(f"{known.model} is `{model}`; it can be {_listed(known.models)}.")
    return ChatRunner(Service(name, model, NO_THINKING), around.connect(known.url, key, name))


def _openai(around: RunnerEnvironment) -> ModelRunner:
    url, model = around.env.get(OPENAI_URL, "").strip(), around.env.get(OPENAI_MODEL, "").strip()
    for variable, value in ((OPENAI_URL, url), (OPENAI_MODEL, model)):
        if not value:
            raise EnvironmentProblem(f"The provider `openai-compatible` needs {variable} in the environment.")
    if not url.startswith(("https://", "http://")):
        raise ConfigError(f"{OPENAI_URL} has to be an address, like `https://models.example.org/v1`.")
    key = around.env.get(OPENAI_KEY, "").strip() or None
    send = around.connect(url.rstrip("/"), key, "openai-compatible")
    return ChatRunner(Service("openai-compatible", model, {}), send)


def _replay(around: RunnerEnvironment) -> ModelRunner:
    folder = around.env.get(REPLAY, "").strip()
    if not folder:
        raise EnvironmentProblem(f"The provider `replay` needs a folder with recorded answers; set {REPLAY}.")
    from cairn.adapters.runner.replay import from_folder

    return from_folder(Path(folder))


def _listed(words: tuple[str, ...] | list[str], link: str = "or") -> str:
    *first, last = words
    return f"{', '.join(first)} {link} {last}" if first else last
