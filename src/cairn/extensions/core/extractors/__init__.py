"""Extractors of the plugin `core`."""
