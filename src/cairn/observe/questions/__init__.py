"""The questions of audits."""
