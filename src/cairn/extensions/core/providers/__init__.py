"""Providers of the plugin `core`."""
