"""Putting the parts together: the only place that chooses adapters."""
