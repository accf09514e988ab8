"""The map of a repository: scan, resolve, analyse, rename, compare, export."""
