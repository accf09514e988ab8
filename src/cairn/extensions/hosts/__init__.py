"""Files that agents read outside of the folders of one host: plugins, nested skills, instructions, rules."""

from cairn.plugin import Plugin

PLUGIN = Plugin.of(
    "hosts",
    __name__,
    "1.0.0",
    "Plugin repositories, nested skills, AGENTS.md and the like, Cursor rules, Copilot instructions.",
    ("provider/agent-files", "analyzer/plugin-missing"),
)
