"""OpenAI Codex: its agents."""

from cairn.plugin import Plugin

PLUGIN = Plugin.of("openai", __name__, "1.0.0", "OpenAI Codex: agents written in TOML.", ("provider/openai",))
