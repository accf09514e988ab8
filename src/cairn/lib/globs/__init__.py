"""Matches paths as git does."""
