"""Whether a sentence is still true after a code change."""
