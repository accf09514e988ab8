"""Whether a change request agrees with its sources."""
