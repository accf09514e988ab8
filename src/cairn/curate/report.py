"""What a run of the curator or a bootstrap did, as JSON and as the rows of a table."""

from typing import Any

from cairn.core.model.candidate import Fate
from cairn.curate.bootstrap import BootstrapResult
from cairn.curate.bootstrap_survey import BootstrapOptions, Estimate
from cairn.curate.curate import CurateResult
from cairn.curate.plan import CandidateFate
from cairn.curate.propose import candidate_json
from cairn.curate.resolve_conflict import node_value


def curated_value(curated: CurateResult, *, dry_run: bool) -> dict[str, Any]:
    plan, landed = curated.plan, curated.landed
    late = {one.origin for one in curated.waiting}
    return {
        "runId": plan.run_id,
        "how": plan.how,
        "curator": plan.curator,
        "dryRun": dry_run,
        "resumed": curated.resumed or None,
        "taint": plan.taint.word,
        "counts": {fate.value: plan.count(fate) for fate in Fate}
        | {"failed": len(plan.failures), "waiting": len(late)},
        "actions": [_action(one) for one in plan.fates if one.candidate.origin not in late],
        "failures": [failure._asdict() for failure in plan.failures],
        "waiting": [{"origin": one.origin, "reason": one.reason} for one in curated.waiting],
        "pages": [
            {"path": edit.path, "id": edit.id, "new": edit.before is None} for edit in plan.edits if edit.origins
        ],
        "conflicts": [one.id for one in plan.conflicts],
        "request": landed.request or None,
        "held": landed.held or None,
        "written": list(landed.written),
        "documents": list(landed.documents),
        "problems": [*curated.problems, *([landed.stale] if landed.stale else [])],
        "broken": list(curated.broken),
        "spent": None,
        "unreadCandidates": [{"origin": one.origin, "reason": one.reason} for one in curated.plan.unread],
    }


def _action(one: CandidateFate) -> dict[str, Any]:
    action, node = one.action, one.action.proposed_node
    return {
        "action": action.fate.value,
        "candidateOrigin": action.candidate_origin,
        "title": one.candidate.title,
        "kind": one.candidate.kind,
        "confidence": one.candidate.confidence,
        "taint": one.candidate.taint.word,
        "targetNodeId": action.target_node_id,
        "place": one.path or None,
        "proposedNode": None if node is None else node_value(node),
        "rationale": action.rationale,
        "suggestedResolution": action.suggested_resolution,
        "notes": list(action.notes),
    }


def rows(curated: CurateResult) -> list[list[str]]:
    late = {one.origin for one in curated.waiting}
    found = [
        [one.action.fate.value, one.candidate.title, one.path, one.action.rationale]
        for one in curated.plan.fates
        if one.candidate.origin not in late
    ]
    failed = [
        ["failed", one.candidate_origin, one.node_id, f"{one.reason}: {one.detail}"] for one in curated.plan.failures
    ]
    waits = [["waits", one.title or one.origin, "", one.reason] for one in curated.waiting]
    unread = [["to read", one.title or one.origin, "", one.reason] for one in curated.plan.unread]
    return [*found, *failed, *waits, *unread]


def bootstrapped_value(done: BootstrapResult, wanted: BootstrapOptions) -> dict[str, Any]:
    survey = done.survey
    curated = None if done.curated is None else curated_value(done.curated, dry_run=wanted.dry_run)
    return {
        "dryRun": wanted.dry_run,
        "incremental": wanted.incremental,
        "due": [one.path for one in survey.due],
        "unchanged": survey.unchanged,
        "later": survey.later,
        "skipped": [{"path": one.path, "reason": one.why} for one in survey.skipped],
        "documents": [
            {
                "path": one.path,
                "status": one.status,
                "error": one.error or None,
                "candidates": [candidate_json(candidate) for candidate in one.candidates],
                "producedNodes": list(one.nodes),
                "remarks": list(one.remarks),
            }
            for one in done.documents
        ],
        "noLonger": [one._asdict() for one in done.no_longer],
        "unread": list(done.unread),
        "estimate": _estimate_value(done.to_read),
        "curated": curated,
    }


def _estimate_value(found: Estimate | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {"tokensIn": found.tokens_in, "tokensOut": found.tokens_out, "dollars": found.dollars}
