"""Runners: ways to talk to a model."""
