"""Capture: turns and sessions of agents come in; notes, or stated reasons for none, go out: one outcome a turn."""
