"""The one writer of repository files.

What comes in: the root of a workspace, a path below it, and what should stand there. What goes out: the file, whole or
not at all. Nothing else in Cairn writes into a user's repository.
"""
