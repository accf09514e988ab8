"""Talking to services that the operator chose. Addresses out of files go through `adapters/fetch` instead."""
