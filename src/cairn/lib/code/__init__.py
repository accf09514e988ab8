"""Code as knowledge relies on it: the names that a file defines, and what of each would make a sentence false."""
