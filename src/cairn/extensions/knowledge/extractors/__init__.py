"""Extractors of the plugin `knowledge`."""
