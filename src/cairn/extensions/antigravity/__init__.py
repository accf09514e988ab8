"""Antigravity: the names that it keeps for itself."""

from cairn.plugin import Plugin

PLUGIN = Plugin.of(
    "antigravity", __name__, "1.0.0", "Antigravity: reserved names of its skills.", ("provider/antigravity",)
)
