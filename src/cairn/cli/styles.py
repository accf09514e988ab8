"""Which colour stands for what, the same on every page."""

from cairn.core.model.issue import Severity

_SEVERITY = {Severity.ERROR: "red", Severity.WARN: "yellow", Severity.INFO: "blue"}
_STATE = {"broken": "red", "mismatch": "yellow", "ambiguous": "yellow"}


def severity_color(severity: Severity) -> str:
    return _SEVERITY[severity]


def state_color(state: str) -> str:
    """Of a link that leads to no node."""
    return _STATE.get(state, "dim")
