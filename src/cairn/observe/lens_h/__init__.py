"""Lens H: marks, links and ids between documents that are provably broken."""
