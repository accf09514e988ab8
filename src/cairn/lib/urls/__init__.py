"""Which addresses of the network may be asked: decided from the text alone, before anybody resolves a name."""
