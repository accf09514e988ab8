"""Scrub: secrets and personal data in a text, found by rules and checksums, and taken out. Pure."""
