"""Version control."""
