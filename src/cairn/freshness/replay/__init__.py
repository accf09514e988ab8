"""Replays a year of runs over a simulated web, on a clock of its own."""
