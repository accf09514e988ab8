"""Analyzers of the plugin `core`."""
