"""Whether two passages disagree."""
