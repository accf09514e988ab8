"""Providers of the plugin `hosts`."""
