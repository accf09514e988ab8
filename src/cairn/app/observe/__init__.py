"""What does not fit together and what is missing: audits by lenses, findings, gaps."""
