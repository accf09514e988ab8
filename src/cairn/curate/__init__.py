"""Curate: what sessions and notes said comes in; pages that are short, true and found again go out, as changes."""
