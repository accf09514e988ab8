"""The workspace: a repository that Cairn looks after.

What comes in: the repository's files, and what a person asks about them. What goes out: the graph of the last scan,
the issues in it, pictures and exports of it. Everything that changes a file goes through `cairn.changes`.
"""
