"""Acknowledging a finding: somebody knows of it. That lapses when it becomes worse."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from cairn.core.model.finding import SEVERITIES, Finding
from cairn.errors import NotFound, UsageError

SHOWN = 8
"""Digits of an id that people see; as many as tell two apart in any report."""
_NAMED = 5


class Ack(NamedTuple):
    finding: str
    status: str
    """`acknowledged`, or `open` for one that was taken back."""
    severity: str | None
    """Of the finding when it was acknowledged; None when nobody said."""
    note: str | None
    at_ms: int
    event: str


def latest(acks: Iterable[Ack]) -> dict[str, Ack]:
    """By finding, the last word about it; the order in which they are read does not matter."""
    last: dict[str, Ack] = {}
    for ack in acks:
        known = last.get(ack.finding)
        if known is None or (known.at_ms, known.event) < (ack.at_ms, ack.event):
            last[ack.finding] = ack
    return last


def acknowledged(findings: Iterable[Finding], acks: Mapping[str, Ack]) -> list[Finding]:
    return [_settled(finding, acks.get(finding.id)) for finding in findings]


def _settled(finding: Finding, ack: Ack | None) -> Finding:
    if finding.status == "skipped" or ack is None or ack.status != "acknowledged":
        return finding
    if ack.severity in SEVERITIES and finding.severity < ack.severity:
        said = f"was acknowledged as {ack.severity} and is {finding.severity} now"
        return replace(finding, ack_note=f"{said}; {ack.note}" if ack.note else said)
    return replace(finding, status="acknowledged", ack_note=ack.note)


def matching(prefix: str, known: Mapping[str, str]) -> str:
    """The one id that begins so. `known` has what each is about."""
    wanted = prefix.strip().lower()
    if not wanted or wanted.strip("0123456789abcdef"):
        raise UsageError(f"`{prefix}` is no beginning of an id, which is made of digits and the letters a to f.")
    found = sorted(id for id in known if id.startswith(wanted))
    if not found:
        raise NotFound(
            f"No finding's id begins with `{wanted}`; `cairn observe findings --all` lists those of the last audits.",
            prefix=wanted,
        )
    if len(found) > 1:
        named = ", ".join(f"{id} ({known[id][:60]})" for id in found[:_NAMED])
        more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
        raise UsageError(f"`{wanted}` begins several ids: {named}{more}; give more of its digits.", candidates=found)
    return found[0]
