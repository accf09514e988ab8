"""The questions about pages and their sources that only a reader can answer."""
