"""Counting tokens: exactly with the extra `tokens`, else by an estimate."""
