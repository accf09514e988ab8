"""Questions to a reader about sessions, documents and candidates."""
