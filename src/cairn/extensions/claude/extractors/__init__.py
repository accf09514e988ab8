"""Extractors of the plugin `claude`."""
