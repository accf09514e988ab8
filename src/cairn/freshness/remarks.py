"""Words a verdict for a person: the passage that changed, and the sentence that no longer holds."""

from collections.abc import Sequence

from cairn.core.model.verdict import TO_BE_READ, Verdict, VerdictFinding
from cairn.freshness.excerpts import differing


def both_passages(verdict: Verdict) -> str:
    """The first passage that changed, before and after."""
    found = [one for one in verdict.findings if one.drift_kind == TO_BE_READ]
    old, new = (" ".join(text.split()) for text in (found[0].previous_excerpt, found[0].source_excerpt))
    before, now = map(_quoted, differing(old, new, 200))
    more = f", and {len(found) - 1} more" if len(found) > 1 else ""
    if before and now:
        return f"{found[0].evidence_url} changed: before {before}, now {now}{more}"
    return f"{found[0].evidence_url} {f'now has {now}' if now else f'no longer has {before}'}{more}"


def _quoted(text: str) -> str:
    return f"“{text}”" if text else ""


def reason_of(verdict: Verdict) -> str:
    if not verdict.findings:
        return f"{verdict.outcome}"
    return f"{verdict.outcome}, {what_differs(verdict.findings)}"


def what_differs(findings: Sequence[VerdictFinding]) -> str:
    """The first sentence that no longer holds, and what its source says."""
    first = findings[0]
    more = f", and {len(findings) - 1} more" if len(findings) > 1 else ""
    claim, said = (" ".join(text.split())[:200] for text in (first.claim_in_entry, first.source_excerpt))
    if said:
        return f"`{claim}`, but {first.evidence_url} says “{said}”{more}"
    return f"`{claim}` by {first.evidence_url}{more}"
