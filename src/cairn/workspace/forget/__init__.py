"""Forgets a text: finds it, removes it, and proves by a search of bytes that it is gone."""
