"""Audits at the end of a phase: quick, of documents only, and within a time."""

LENS = "H-cross-doc"
LEFT_OUT = "I-knowledge-gaps"
NOTE = (
    f"This was an audit at the end of a phase: {LENS} looked, {LEFT_OUT} did not run; `cairn observe audit` runs all."
)
