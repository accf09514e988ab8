"""Analyzers of the plugin `knowledge`."""
