"""Cairn: the knowledge base that AI agents write, and that keeps itself true.

Importing this package does nothing: no settings are read, nothing is registered, nothing connects.
"""

__version__ = "0.1.0"
