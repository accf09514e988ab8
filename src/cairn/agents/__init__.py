"""Hooks and tools in the settings of agent hosts: install, doctor, uninstall."""
