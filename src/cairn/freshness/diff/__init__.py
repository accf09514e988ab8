"""Finds the sentences that a change of the code made false."""
