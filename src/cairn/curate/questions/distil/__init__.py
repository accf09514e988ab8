"""What in a document is knowledge of this project."""
