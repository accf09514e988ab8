"""Providers of the plugin `knowledge`."""
