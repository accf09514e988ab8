"""Marks texts that order an agent to do harm."""
