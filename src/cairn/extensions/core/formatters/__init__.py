"""Formatters of the plugin `core`."""
