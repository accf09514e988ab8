"""`cairn try`: the best findings about any repository, in under a minute, and nothing written."""
