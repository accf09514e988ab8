"""Providers of the plugin `claude`."""
