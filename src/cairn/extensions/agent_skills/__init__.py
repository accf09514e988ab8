"""Open Skills: skills in `.agents/`, which several hosts read."""

from cairn.plugin import Plugin

PLUGIN = Plugin.of("agent-skills", __name__, "1.0.0", "Open Skills in `.agents/skills`.", ("provider/agent-skills",))
