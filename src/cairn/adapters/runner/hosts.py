"""Agents of hosts as readers: how each is run headless, without tools, and how it prints its answer.

An agent without tools can read nothing but its prompt. Each line here was checked against what the program sends to its
model (`make hosts`).
"""

import json
from collections.abc import Mapping
from typing import Any, Final

from cairn.adapters.runner.program import (
    AskProgram,
    HostProgram,
    PreparedHost,
    Said,
    count_of,
    json_lines,
    last_json,
    plain_answer,
)
from cairn.core.model_budget import RunnerFailed

# --- Claude Code ------------------------------------------------------------------------------------------------------


def _claude_arguments(model: str | None) -> list[str]:
    alone = ["--tools", "", "--strict-mcp-config", "--setting-sources", "", "--disable-slash-commands"]
    chosen = ["--model", model] if model else []
    return ["-p", *alone, "--no-session-persistence", "--output-format", "json", *chosen]


def _claude_said(out: bytes) -> Said:
    value = last_json(out)
    if not isinstance(value, dict):
        return plain_answer(out)
    text = value.get("result")
    text = text if isinstance(text, str) else ""
    if value.get("is_error"):
        return Said("", error=text or str(value.get("subtype", "error")))
    usage, models = value.get("usage"), value.get("modelUsage")
    read = count_of(usage, "input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    model = next(iter(models), None) if isinstance(models, dict) else None
    return Said(text, read, count_of(usage, "output_tokens"), model)


# --- Codex ------------------------------------------------------------------------------------------------------------

_CODEX_OFF: Final = (
    "shell_tool",
    "unified_exec",
    "view_image",
    "image_generation",
    "plugins",
    "apps",
    "multi_agent",
    "goals",
    "hooks",
    "browser_use",
    "computer_use",
    "tool_suggest",
    "skill_search",
)


def _codex_arguments(model: str | None) -> list[str]:
    off = [word for feature in _CODEX_OFF for word in ("--disable", feature)]
    alone = ["--ignore-user-config", "--ignore-rules", "--skip-git-repo-check", "--ephemeral", "--sandbox", "read-only"]
    chosen = ["--model", model] if model else []
    return ["exec", *alone, *off, "-c", 'web_search="disabled"', "--json", *chosen]


_CODEX_TOOLS: Final[Mapping[str, Any]] = {
    "tool_mode": None,
    "apply_patch_tool_type": None,
    "multi_agent_version": None,
    "multi_agent_reasoning_effort": None,
    "supports_search_tool": False,
    "experimental_supported_tools": [],
}
"""What a model of Codex brings along, whatever the options are: a JavaScript interpreter, other agents, a clock."""
_CODEX_MODELS: Final = "models.json"


def _codex_prepared(ask: AskProgram) -> PreparedHost:
    """Its own list of models, without their tools. A version that has no such list has no such models."""
    listed = ask(["debug", "models", "--bundled"])
    if listed is None:
        return PreparedHost(arguments=["-"])
    catalog = last_json(listed)
    models = catalog.get("models") if isinstance(catalog, dict) else None
    if not isinstance(models, list) or not all(isinstance(one, dict) for one in models):
        said = "The tools of `codex` can't be switched off: its list of models has another form. Use another reader."
        raise RunnerFailed(said, retryable=False, ends_run=True)
    bare = [{**one, **{key: value for key, value in _CODEX_TOOLS.items() if key in one}} for one in models]
    named = f'model_catalog_json="{{folder}}/{_CODEX_MODELS}"'
    return PreparedHost({_CODEX_MODELS: json.dumps({**catalog, "models": bare})}, ["-c", named, "-"])


def _codex_said(out: bytes) -> Said:
    events = json_lines(out)
    items = [event.get("item") for event in events if event.get("type") == "item.completed"]
    texts = [_text_of(item, "agent_message") for item in items if _text_of(item, "agent_message")]
    usage = next((event.get("usage") for event in events if event.get("type") == "turn.completed"), None)
    failed = next((event for event in events if event.get("type") in ("turn.failed", "error")), None)
    if not texts and failed is not None:
        error = failed.get("error")
        said = error.get("message") if isinstance(error, dict) else failed.get("message")
        return Said("", error=_one_line(said))
    return Said(texts[-1] if texts else "", count_of(usage, "input_tokens"), count_of(usage, "output_tokens"))


def _text_of(item: Any, type: str) -> str:
    """Of a message or a part of this type; else empty."""
    text = item.get("text") if isinstance(item, dict) and item.get("type") == type else None
    return text if isinstance(text, str) else ""


# --- OpenCode ---------------------------------------------------------------------------------------------------------

_OPENCODE: Final = {
    "permission": {"*": "deny"},
    "tools": {"*": False},
    "share": "disabled",
    "autoupdate": False,
    "instructions": [],
}


def _opencode_arguments(model: str | None) -> list[str]:
    return ["run", "--pure", "--title", "cairn", "--format", "json", *(["--model", model] if model else [])]


def _opencode_said(out: bytes) -> Said:
    events = json_lines(out)
    parts = [event.get("part") for event in events]
    texts = [_text_of(part, "text") for part in parts if _text_of(part, "text")]
    ended = next((part for part in reversed(parts) if isinstance(part, dict) and part.get("type") == "step-finish"), {})
    failed = next((event.get("error") for event in events if event.get("type") == "error"), None)
    if not texts and failed is not None:
        data = failed.get("data") if isinstance(failed, dict) else None
        status = f"{data['statusCode']} " if isinstance(data, dict) and data.get("statusCode") else ""
        return Said("", error=f"{status}{_one_line(data.get('message') if isinstance(data, dict) else failed)}")
    tokens = ended.get("tokens") if isinstance(ended, dict) else None
    return Said("".join(texts), count_of(tokens, "input"), count_of(tokens, "output", "reasoning"))


# --- Gemini CLI -------------------------------------------------------------------------------------------------------

_GEMINI: Final = {
    "tools": {"core": ["none"], "exclude": ["*"]},
    "hooksConfig": {"enabled": False},
    "general": {"enableAutoUpdate": False},
    "context": {"fileName": ["none"]},
}
_GEMINI_POLICY: Final = '[[rule]]\ntoolName = "*"\ndecision = "deny"\npriority = 999\n'


def _gemini_arguments(model: str | None) -> list[str]:
    alone = ["--skip-trust", "--extensions", "none", "--allowed-mcp-server-names", "none", "--policy", "policy.toml"]
    return [*alone, "--output-format", "json", *(["--model", model] if model else []), "--prompt", ""]


def _gemini_said(out: bytes) -> Said:
    value = last_json(out)
    if not isinstance(value, dict):
        return plain_answer(out)
    error = value.get("error")
    if isinstance(error, dict):
        return Said("", error=_one_line(error.get("message")))
    stats = value.get("stats")
    models = stats.get("models") if isinstance(stats, dict) else None
    model, facts = next(iter(models.items()), (None, None)) if isinstance(models, dict) else (None, None)
    tokens = facts.get("tokens") if isinstance(facts, dict) else None
    text = value.get("response")
    read, written = count_of(tokens, "prompt"), count_of(tokens, "candidates", "thoughts")
    return Said(text if isinstance(text, str) else "", read, written, model)


def _one_line(said: Any) -> str:
    return " ".join(str(said or "it gave no reason").split())[:300]


HOSTS: Final = {
    host.name: host
    for host in (
        HostProgram("claude", _claude_arguments, _claude_said),
        HostProgram("codex", _codex_arguments, _codex_said, prepare=_codex_prepared),
        HostProgram(
            "opencode",
            _opencode_arguments,
            _opencode_said,
            {
                "OPENCODE_CONFIG_CONTENT": json.dumps(_OPENCODE),
                "OPENCODE_CONFIG_DIR": "{folder}/own",
                "OPENCODE_DISABLE_CLAUDE_CODE": "1",
                "OPENCODE_DISABLE_EXTERNAL_SKILLS": "1",
            },
            files={"own/AGENTS.md": "Answer from the prompt alone.\n"},  # in place of that of the user
        ),
        HostProgram(
            "gemini",
            _gemini_arguments,
            _gemini_said,
            files={".gemini/settings.json": json.dumps(_GEMINI), "policy.toml": _GEMINI_POLICY},
        ),
    )
}
