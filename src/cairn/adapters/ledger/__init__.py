"""Ledgers: as JSON lines on disk, and in memory."""
