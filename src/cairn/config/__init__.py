"""Configuration: one table of keys, four layers, and the source of every value.

In come two JSON files of the workspace, the environment and the flags of a command; out comes `Settings`, which never
changes. What the repository's own file may say is limited: it can tune, it can never redirect.
"""
