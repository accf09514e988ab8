"""Reads YAML as data, and edits it in place."""
