"""Hooks in the settings of agent hosts: put in, taken out, and tried."""
