"""The page that a person opens in the morning, and the lines of each feature."""
