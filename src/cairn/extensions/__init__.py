"""Built-in plugins. They come through `cairn.plugin` like anybody's; this tuple is the only place that lists them."""

BUILT_INS: tuple[str, ...] = (
    "cairn.extensions.claude",
    "cairn.extensions.antigravity",
    "cairn.extensions.openai",
    "cairn.extensions.knowledge",
    "cairn.extensions.agent_skills",
    "cairn.extensions.hosts",
    "cairn.extensions.core",
)
"""In dispatch order: the first provider that knows a file keeps it, so plain Markdown comes last."""
