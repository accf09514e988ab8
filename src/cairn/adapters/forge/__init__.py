"""Forges: where change requests and tickets live."""
