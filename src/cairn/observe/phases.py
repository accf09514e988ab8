"""Audits at the end of a phase: quick, of documents only, and within a time."""

LENS = "H-cross-doc"
LEFT_OUT = "I-knowledge-gaps"
NOTE = (
    f"This was an audit at the end of a phase: {LENS} looked, {LEFT_OUT} did not run; `cairn observe audit` runs all."
)
PHASES = (
    "user-stories",
    "tech-stack",
    "coding-standards",
    "design-system",
    "implementation-plan",
    "implementation-playbook",
)
"""Whose end is worth an audit where the settings don't say otherwise."""
