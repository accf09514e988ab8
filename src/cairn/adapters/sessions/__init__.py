"""Logs of sessions on disk."""
