"""Telemetry: OpenTelemetry, to the console or to a collector."""
