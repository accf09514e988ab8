"""Trust: ballots about pages, and the life cycle that they drive."""
