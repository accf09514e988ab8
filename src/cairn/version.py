"""The version of Cairn. Alone here, so that reading it imports nothing."""

__version__ = "0.1.0"
