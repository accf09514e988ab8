"""The three clients, each with a home folder of its own and an environment that holds nothing else."""

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

PACKAGES = ("@anthropic-ai/claude-code", "@openai/codex", "opencode-ai")
SECONDS = 120
"""For one turn of a client; then it is ended."""


@dataclass(frozen=True)
class Place:
    """Where one client works: nothing of it is shared with another, or with the person who runs this."""

    home: Path
    project: Path
    modules: Path
    """`node_modules` with the clients."""
    url: str
    """Of the scripted model."""
    path: str
    """With `cairn` and `git` on it."""


@dataclass(frozen=True)
class Ended:
    code: int | None
    """None: it was killed."""
    out: str
    err: str
    seconds: float


@dataclass(frozen=True)
class Client:
    name: str
    program: Sequence[str]
    """Below `node_modules`: the first that is there."""
    prepare: Callable[[Place], None]
    arguments: Callable[[str, bool], list[str]]
    """For a prompt, and whether it continues the last session."""
    env: Callable[[Place], Mapping[str, str]]
    shell: str
    """Its tool for commands."""
    mcp: str
    """How it names a tool of ours, with `{}` for the tool's own name."""
    shell_input: Callable[[str], dict[str, object]] = field(default=lambda command: {"command": command})

    def executable(self, place: Place) -> str:
        found = next((place.modules / one for one in self.program if (place.modules / one).is_file()), None)
        assert found is not None, f"{self.name} is not installed below {place.modules}"
        return str(found)

    def environment(self, place: Place) -> dict[str, str]:
        plain = {"HOME": str(place.home), "PATH": place.path, "TERM": "dumb", "LANG": "C.UTF-8"}
        return {**plain, **self.env(place)}

    def version(self, place: Place) -> str:
        ran = subprocess.run(
            [self.executable(place), "--version"],
            env=self.environment(place),
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        return ran.stdout.strip()

    def start(self, place: Place, prompt: str, *, again: bool = False) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [self.executable(place), *self.arguments(prompt, again)],
            cwd=place.project,
            env=self.environment(place),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def turn(self, place: Place, prompt: str, *, again: bool = False) -> Ended:
        started = time.monotonic()
        process = self.start(place, prompt, again=again)
        try:
            out, err = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return stop(process, started)
        return Ended(process.returncode, out, err, time.monotonic() - started)


def stop(process: "subprocess.Popen[str]", started: float, number: int = signal.SIGKILL) -> Ended:
    """End a client and whatever it started, by the group that it leads."""
    os.killpg(process.pid, number)
    out, err = process.communicate(timeout=30)
    return Ended(None, out, err, time.monotonic() - started)


# --- Claude Code ----------------------------------------------------------------------------------------------------


def _prepare_claude(place: Place) -> None:
    (place.home / ".claude").mkdir(parents=True, exist_ok=True)
    settings = {"enableAllProjectMcpServers": True}
    (place.home / ".claude/settings.json").write_text(json.dumps(settings))
    trusted = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
    known = {"hasCompletedOnboarding": True, "projects": {str(place.project): trusted}}
    (place.home / ".claude.json").write_text(json.dumps(known))


def _claude_arguments(prompt: str, again: bool) -> list[str]:
    allowed = ["--allowedTools", "Bash,Write,Edit,mcp__cairn"]
    return [*(["--continue"] if again else []), *allowed, "-p", prompt]


def _claude_env(place: Place) -> Mapping[str, str]:
    return {
        "ANTHROPIC_BASE_URL": place.url,
        "ANTHROPIC_API_KEY": "scripted",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "CLAUDE_CODE_MAX_RETRIES": "1",
        "DISABLE_AUTOUPDATER": "1",
    }


# --- Codex ----------------------------------------------------------------------------------------------------------


def _prepare_codex(place: Place) -> None:
    (place.home / ".codex").mkdir(parents=True, exist_ok=True)
    provider = {"name": "scripted", "base_url": f"{place.url}/v1", "wire_api": "responses"}
    lines = [
        'model = "gpt-5"',
        'model_provider = "scripted"',
        "check_for_update_on_startup = false",
        "[model_providers.scripted]",
        *(f"{key} = {json.dumps(value)}" for key, value in provider.items()),
        "request_max_retries = 0",
        "stream_max_retries = 0",
        f"[projects.{json.dumps(str(place.project))}]",
        'trust_level = "trusted"',
    ]
    (place.home / ".codex/config.toml").write_text("\n".join(lines) + "\n")


def _codex_arguments(prompt: str, again: bool) -> list[str]:
    free = ["--dangerously-bypass-approvals-and-sandbox", "--dangerously-bypass-hook-trust"]
    return ["exec", *free, *(["resume", "--last", prompt] if again else [prompt])]


# --- OpenCode -------------------------------------------------------------------------------------------------------


def _prepare_opencode(place: Place) -> None:
    folder = place.home / ".config/opencode"
    folder.mkdir(parents=True, exist_ok=True)
    models = {"scripted": {"name": "scripted", "tool_call": True, "limit": {"context": 100_000, "output": 8_000}}}
    options = {"baseURL": f"{place.url}/v1", "apiKey": "scripted"}
    provider = {"npm": "@ai-sdk/anthropic", "name": "scripted", "options": options, "models": models}
    config = {
        "$schema": "https://opencode.ai/config.json",
        "autoupdate": False,
        "share": "disabled",
        "model": "local/scripted",
        "small_model": "local/scripted",
        "provider": {"local": provider},
        "permission": {"*": "allow"},
    }
    (folder / "opencode.json").write_text(json.dumps(config))


def _opencode_env(place: Place) -> Mapping[str, str]:
    return {
        "OPENCODE_DISABLE_MODELS_FETCH": "1",
        "OPENCODE_DISABLE_AUTOUPDATE": "1",
        "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
    }


CLIENTS: Mapping[str, Client] = {
    "claude": Client(
        "Claude Code",
        ("@anthropic-ai/claude-code-linux-x64/claude", ".bin/claude"),
        _prepare_claude,
        _claude_arguments,
        _claude_env,
        "Bash",
        "mcp__cairn__{}",
        lambda command: {"command": command, "description": "Run it"},
    ),
    "codex": Client(
        "Codex",
        (".bin/codex",),
        _prepare_codex,
        _codex_arguments,
        lambda _: {},
        "exec_command",
        "mcp__cairn/{}",
        lambda command: {"cmd": command},
    ),
    "opencode": Client(
        "OpenCode",
        ("opencode-linux-x64/bin/opencode", ".bin/opencode"),
        _prepare_opencode,
        lambda prompt, again: ["run", *(["--continue"] if again else []), prompt],
        _opencode_env,
        "bash",
        "cairn_{}",
        lambda command: {"command": command, "description": "Run it"},
    ),
}


def install(folder: Path, packages: Sequence[str] = PACKAGES) -> Path:
    """The clients by npm, once; `node_modules` with them."""
    modules = folder / "node_modules"
    if not all((modules / name).is_dir() for name in packages):
        npm = shutil.which("npm")
        assert npm is not None, "npm is needed to install the clients"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_text('{"private": true}\n')
        subprocess.run(
            [npm, "install", "--no-audit", "--no-fund", "--loglevel=error", *packages],
            cwd=folder,
            check=True,
            timeout=600,
        )
    return modules
