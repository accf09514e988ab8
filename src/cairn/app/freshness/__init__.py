"""Pages against what they rely on: sources, audits, the night, and the state that travels."""
