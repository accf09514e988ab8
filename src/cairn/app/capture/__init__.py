"""Turns and sessions of agents: what hooks left becomes notes and logs, watched over, kept while they may be."""
