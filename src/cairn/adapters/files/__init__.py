"""Files of the repository."""
