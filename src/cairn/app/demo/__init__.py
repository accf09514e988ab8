"""The demo: a small bakery's repository goes through the whole loop, and the story is told as it goes."""
