"""Turns issues of a scan into findings with proof."""
