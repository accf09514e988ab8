"""Reads a document of any supported format as headings, links, code and prose."""
