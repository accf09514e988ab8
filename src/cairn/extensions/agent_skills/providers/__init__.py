"""Providers of the plugin `agent-skills`."""
