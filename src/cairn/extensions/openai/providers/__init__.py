"""Providers of the plugin `openai`."""
