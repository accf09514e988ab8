"""The store in one file, for one workspace: SQLite with a write-ahead log."""
