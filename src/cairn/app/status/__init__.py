"""The page a person opens in the morning, and the lines that features add to it."""
