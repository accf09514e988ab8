"""Reads reStructuredText, as docutils and Sphinx do, without either of them.

docutils takes about 60 ms to import and 1,800 µs per KB; a scan reads thousands of pages and needs their references,
not their rendering. `bench/rst.py` compares the two on the documentation of large projects.
"""
