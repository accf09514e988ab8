"""Freshness: which entries the world has moved away from. Corpora come in, what is in doubt and why comes out."""
