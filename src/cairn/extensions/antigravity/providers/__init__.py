"""Providers of the plugin `antigravity`."""
