"""Whether an entry still states what its sources state."""
