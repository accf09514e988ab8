"""What a bootstrap did, as JSON."""

from typing import Any

from cairn.curate.bootstrap import Bootstrapped
from cairn.curate.bootstrap_survey import Estimate, Wanted
from cairn.curate.propose import candidate_json
from cairn.curate.report import curated_value


def bootstrapped_value(done: Bootstrapped, wanted: Wanted) -> dict[str, Any]:
    survey = done.survey
    curated = None if done.curated is None else curated_value(done.curated, dry_run=wanted.dry_run)
    return {
        "dryRun": wanted.dry_run,
        "incremental": wanted.incremental,
        "provider": wanted.provider,
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
        "estimate": _estimate_value(survey.estimate or done.to_read),
        "curated": curated,
        "spent": done.metered.json() if done.metered else None,
    }


def _estimate_value(found: Estimate | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {"tokensIn": found.tokens_in, "tokensOut": found.tokens_out, "dollars": found.dollars}
