"""A workspace itself: making it, scanning it, checking it, its corpora, its plugins, its health."""
