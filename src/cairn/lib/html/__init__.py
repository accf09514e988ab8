"""Pages of the web as text: what they say, without what merely surrounds it."""
