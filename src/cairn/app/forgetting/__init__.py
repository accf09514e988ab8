"""Forgetting: find what holds it in every place, take it out, and prove by a search of bytes that it is gone."""
