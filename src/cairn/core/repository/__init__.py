"""A repository as the read-time analyzers see it: its documents, the words of its code, and its history."""
