"""The gates that know what a page of knowledge is, one a file. They run from the installed package, never from the
change that they judge."""

GATES: tuple[str, ...] = (
    "cairn.freshness.gates.validate:Validate",
    "cairn.freshness.gates.link_check:LinkCheck",
    "cairn.freshness.gates.unsourced:Unsourced",
    "cairn.freshness.gates.anti_over_rewrite:AntiOverRewrite",
    "cairn.freshness.gates.deep_guidance:DeepGuidance",
    "cairn.freshness.gates.evidence:Evidence",
)
"""Each as `module:class`, in the order in which they are shown."""
