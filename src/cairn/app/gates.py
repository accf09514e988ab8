"""All gates, in the order in which they are shown."""

GATES: tuple[str, ...] = (
    "cairn.freshness.gates.page_gates:ValidateGate",
    "cairn.freshness.gates.source_gates:LinkCheck",
    "cairn.freshness.gates.source_gates:UnsourcedGate",
    "cairn.freshness.gates.page_gates:AntiOverRewrite",
    "cairn.freshness.gates.page_gates:DeepGuidance",
    "cairn.freshness.gates.source_gates:EvidenceGate",
    "cairn.changes.secrets_gate:Secrets",
)
"""Each as `module:class`; made without arguments. They run from the installed package, so nothing in a repository can
put another in their place."""
