"""Lens H: documents that contradict each other, name what is gone, or rest on what was superseded."""
