"""Which reader answers: as the operator says, and where they leave it open, the one that is there.

Addresses are constants, or come from the operator's environment. Nothing that is committed to a repository can send its
pages elsewhere.
"""

import os
import shlex
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from cairn.core.ports.reader import Reader
from cairn.errors import ConfigError, EnvironmentProblem

if TYPE_CHECKING:
    from cairn.adapters.runner.endpoint import Endpoint

COMMAND, REPLAYED = "command:", "replay:"
_FALLBACK: Final = "CAIRN_JUDGE_FALLBACK"
_OLLAMA: Final = "http://127.0.0.1:11434"
PROGRAMS: Final = ("claude", "codex", "opencode", "gemini")


class Service(NamedTuple):
    """A service with a key."""

    kind: str
    key: str
    """Variable with the key."""
    address: str
    """Used unless the environment names another one."""
    address_variable: str = ""
    model: str | None = None
    extra: Mapping[str, Any] = {}


_NO_THINKING: Final = {"thinking": {"type": "disabled"}}
SERVICES: Final[Mapping[str, Service]] = {
    "anthropic": Service(
        "messages", "ANTHROPIC_API_KEY", "https://api.anthropic.com", "ANTHROPIC_BASE_URL", "claude-sonnet-4-5"
    ),
    "openai-compatible": Service("chat", "OPENAI_API_KEY", "https://api.openai.com/v1", "OPENAI_BASE_URL"),
    "deepseek": Service(
        "chat", "DEEPSEEK_API_KEY", "https://api.deepseek.com", model="deepseek-v4-flash", extra=_NO_THINKING
    ),
    "zai": Service("chat", "ZAI_API_KEY", "https://api.z.ai/api/paas/v4", model="glm-4.6", extra=_NO_THINKING),
}
NAMES: Final = (*PROGRAMS, *SERVICES, "ollama", "replay")
SHOWN: Final = f"{', '.join(NAMES)}, or {COMMAND}PROGRAM"
_OLD_PREFIX: Final = "CAIRN_FRESHNESS_"
_OLD: Final[Mapping[str, str]] = {
    "PROVIDER": "CAIRN_JUDGE_WITH",
    "FALLBACK_PROVIDER": _FALLBACK,
    "OPENAI_BASE_URL": "OPENAI_BASE_URL",
    "OPENAI_API_KEY": "OPENAI_API_KEY",
    "OPENAI_MODEL": "CAIRN_JUDGE_MODEL",
    "ZAI_MODEL": "CAIRN_JUDGE_MODEL",
    "DEEPSEEK_MODEL": "CAIRN_JUDGE_MODEL",
    "REPLAY": "CAIRN_JUDGE_REPLAY",
    "PRICE": "CAIRN_JUDGE_PRICE",
}
_OLD_NAMES: Final = ("rules", "extractive")
"""Of what is done without a reader."""


class ReaderEnvironment(NamedTuple):
    """What there is to choose from."""

    env: Mapping[str, str]
    which: Callable[[str], str | None] = shutil.which

    def value(self, variable: str) -> str:
        return self.env.get(variable, "").strip() if variable else ""


class ChosenReader(NamedTuple):
    reader: Reader
    why: str
    """How it was found, in words."""


def choose_reader(name: str | None, model: str | None, around: ReaderEnvironment) -> ChosenReader:
    """The reader of this name; with None the one that is there. The fallback that the operator wishes stands behind."""
    refuse_old_names(around.env)
    found, why = (name, "as the settings say") if name and name != "auto" else automatic(around)
    reader = _built(found, model, around)
    other = around.value(_FALLBACK)
    if not other:
        return ChosenReader(reader, why)
    if other == found:
        raise ConfigError(f"{_FALLBACK} is `{other}`, as is the reader itself; name another one, or none.")
    from cairn.adapters.runner.second import FallbackReader

    return ChosenReader(FallbackReader(reader, _built(other, None, around)), f"{why}, with {other} behind it")


def refuse_old_names(env: Mapping[str, str]) -> None:
    """Variables of earlier versions: whoever set one expects a reader that would not be asked."""
    for name, new in _OLD.items():
        old = f"{_OLD_PREFIX}{name}"
        if env.get(old, "").strip():
            raise ConfigError(f"{old} is now {new}; rename the variable.", variable=old)


def automatic(around: ReaderEnvironment) -> tuple[str, str]:
    """A program that is logged in already, else the only service with a key, else Ollama."""
    for program in PROGRAMS:
        if around.which(program):
            return program, "found on the PATH"
    keys = {name: service.key for name, service in SERVICES.items() if around.value(service.key)}
    if len(keys) > 1:
        variables = " and ".join(keys.values())
        raise ConfigError(f"{variables} are set, so it is open whom to ask; give --with.", readers=list(keys))
    for name, key in keys.items():
        return name, f"{key} is set"
    if around.value("OLLAMA_HOST"):
        return "ollama", "OLLAMA_HOST is set"
    programs, variables = ", ".join(PROGRAMS), ", ".join(service.key for service in SERVICES.values())
    raise EnvironmentProblem(
        f"There is no reader: install one of {programs}, set one of {variables} or OLLAMA_HOST, or let your agent "
        "answer (`cairn agent install --skills`)."
    )


def must_be_reader(name: str) -> None:
    """Refuses a name that no reader has; the reader need not be installed."""
    is_prefixed = any(name.startswith(one) and name != one for one in (COMMAND, REPLAYED))
    if not is_prefixed and name not in (*NAMES, "auto", "openai"):
        raise ConfigError(f"`{name}` is not a reader; choose {SHOWN}.")


def _built(name: str, model: str | None, around: ReaderEnvironment) -> Reader:
    name = "openai-compatible" if name == "openai" else name
    if name in PROGRAMS:
        return _program(name, model, around)
    if name in SERVICES:
        return _service(name, SERVICES[name], model, around)
    if name == "ollama":
        return _ollama(model, around)
    if name == "replay" or name.startswith(REPLAYED):
        return _replay(name, around)
    if name.startswith(COMMAND):
        return _command(name.removeprefix(COMMAND), around)
    if name in _OLD_NAMES:
        raise ConfigError(f"`{name}` no longer names a reader: without --with nothing is asked.")
    raise ConfigError(f"`{name}` is not a reader; choose {SHOWN}.")


def _program(name: str, model: str | None, around: ReaderEnvironment) -> Reader:
    path = around.which(name)
    if path is None:
        raise EnvironmentProblem(f"The reader `{name}` is not installed: there is no program `{name}` on the PATH.")
    from cairn.adapters.runner.hosts import HOSTS
    from cairn.adapters.runner.program import ProgramReader

    return ProgramReader(HOSTS[name], [path], around.env, model)


def _command(line: str, around: ReaderEnvironment) -> Reader:
    """Its words are split as a shell would, but no shell runs."""
    from cairn.adapters.runner.program import HostProgram, ProgramReader, plain_answer

    try:
        words = shlex.split(line)
    except ValueError as error:
        raise ConfigError(f"`{COMMAND}{line}` is not a command ({error}).") from None
    if not words:
        raise ConfigError(f"Name a program after `{COMMAND}`, such as `{COMMAND}/usr/local/bin/ask`.")
    path = around.which(words[0])
    if path is None:
        raise EnvironmentProblem(f"The reader `{words[0]}` is not installed: there is no such program.")
    host = HostProgram("command", lambda _: (), plain_answer)
    reader = ProgramReader(host, [os.path.abspath(path), *words[1:]], around.env, Path(path).name)
    reader.parallel = 1
    return reader


def _service(name: str, service: Service, model: str | None, around: ReaderEnvironment) -> Reader:
    key, address = around.value(service.key), around.value(service.address_variable)
    if not key and not address:
        raise EnvironmentProblem(f"The reader `{name}` needs a key; set {service.key}.")
    wanted = model or service.model
    if wanted is None:
        raise EnvironmentProblem(f"The reader `{name}` needs the name of a model; give --model, or set `judge.model`.")
    headers = {"x-api-key": key, "anthropic-version": "2023-06-01"} if service.kind == "messages" else {}
    if service.kind == "chat" and key:
        headers = {"Authorization": f"Bearer {key}"}
    from cairn.adapters.runner.endpoint import EndpointReader

    chosen = _address(address or service.address, service.address_variable)
    return EndpointReader(name, wanted, _kind(service.kind), chosen, headers, around.env, extra=service.extra)


def _ollama(model: str | None, around: ReaderEnvironment) -> Reader:
    if not model:
        raise EnvironmentProblem(
            "The reader `ollama` needs the name of a model; give --model; `ollama list` lists those that are there."
        )
    from cairn.adapters.runner.endpoint import OLLAMA_WINDOW, EndpointReader

    host = around.value("OLLAMA_HOST") or _OLLAMA
    address = _address(host if "://" in host else f"http://{host}", "OLLAMA_HOST")
    return EndpointReader("ollama", model, _kind("ollama"), address, {}, around.env, parallel=1, window=OLLAMA_WINDOW)


def _kind(kind: str) -> "Endpoint":
    from cairn.adapters.runner.endpoint import CHAT, MESSAGES, OLLAMA

    return {"chat": CHAT, "messages": MESSAGES, "ollama": OLLAMA}[kind]


def _address(text: str, variable: str) -> str:
    if not text.startswith(("https://", "http://")):
        raise ConfigError(f"{variable} is `{text}`; write an address, like `https://models.example.org/v1`.")
    return text.rstrip("/")


def _replay(name: str, around: ReaderEnvironment) -> Reader:
    from cairn.adapters.runner.recorded import REPLAY_VARIABLE, ReplayReader

    folder = name.removeprefix(REPLAYED) if name.startswith(REPLAYED) else around.value(REPLAY_VARIABLE)
    if not folder:
        raise EnvironmentProblem(f"The reader `replay` needs a folder with recorded answers; set {REPLAY_VARIABLE}.")
    return ReplayReader(Path(folder))
