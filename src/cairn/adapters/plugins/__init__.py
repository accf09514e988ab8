"""Where plugins come from: the built-in list, installed distributions, and the project's own folder."""
