"""Analyzers of the plugin `hosts`."""
