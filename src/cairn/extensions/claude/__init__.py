"""Claude Code: its agents, commands and skills, and how their texts call each other."""

from cairn.plugin import Plugin

PLUGIN = Plugin.of(
    "claude",
    __name__,
    "1.0.0",
    "Claude Code: agents, commands, skills, `@` directives and slash commands.",
    (
        "provider/claude",
        "extractor/at-directive",
        "extractor/slash-command",
        "extractor/tools-counter",
    ),
)
