"""What from a session should outlive it."""
