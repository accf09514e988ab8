"""The forge in the repository itself: real branches and commits, made without touching anybody's checkout."""
