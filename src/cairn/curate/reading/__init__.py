"""Documents of a repository, read for what they say about how it is built and what is in it."""
