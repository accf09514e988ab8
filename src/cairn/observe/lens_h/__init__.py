"""Lens H: finds marks and ids of documents that are provably broken, and links to superseded pages."""
