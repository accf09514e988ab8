"""Retrieve: questions come in, the pages that answer them come out, ranked, with excerpts; or that nothing fits."""
