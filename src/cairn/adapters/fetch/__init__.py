"""Fetchers."""
