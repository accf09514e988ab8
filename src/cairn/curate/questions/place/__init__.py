"""What should become of a candidate."""
