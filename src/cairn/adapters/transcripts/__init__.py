"""Transcripts in the folders of agent hosts."""
