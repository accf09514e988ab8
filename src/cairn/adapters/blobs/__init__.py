"""Places for contents that are found by their hash."""
