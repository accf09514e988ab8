"""Finds marks and ids of documents that are provably broken."""
