"""The demo: the repository of a small bakery goes through the whole loop."""
