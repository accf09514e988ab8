"""The job queue: questions about documents, who claims them, and what became of each."""
