"""The gates that know what a page of knowledge is, one a file. They run from the installed package, never from the
change that they judge."""

GATES: tuple[str, ...] = (
    "cairn.freshness.gates.page_gates:ValidateGate",
    "cairn.freshness.gates.source_gates:LinkCheck",
    "cairn.freshness.gates.source_gates:UnsourcedGate",
    "cairn.freshness.gates.page_gates:AntiOverRewrite",
    "cairn.freshness.gates.page_gates:DeepGuidance",
    "cairn.freshness.gates.source_gates:EvidenceGate",
)
"""Each as `module:class`, in the order in which they are shown."""
