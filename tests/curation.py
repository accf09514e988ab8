"""Candidates to curate, and logs of sessions that hold them."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from cairn.core.model.candidate import KnowledgeCandidate, Quote
from cairn.core.model.change import Taint
from cairn.core.model.session import SessionLog
from cairn.core.session_log import PROPOSAL, head_bytes, log_name
from cairn.curate.session_candidates import with_candidates
from cairn.curate.shortlist import Near

AT = "2026-05-04T10:00:00.000Z"


def candidate(text: str, *, kind: Any = "practice", origin: str = "s-1:practice:0", **more: Any) -> KnowledgeCandidate:
    """One that says a sentence, by a person, with a reason to believe it."""
    given: dict[str, Any] = {
        "title": text.rstrip("."),
        "summary": text,
        "body": text,
        "tags": ("tools",),
        "confidence": "high",
        "taint": Taint.PERSON,
        "derived_from": (".cairn/sessions/20260504-1000-s-1.md",),
        "quotes": (Quote("s-1", text, 0, len(text)),),
        "verbatim": True,
    }
    return KnowledgeCandidate(origin=origin, kind=kind, **{**given, **more})


def page(text: str, *, id: str = "page", kind: str = "practice", title: str = "", **more: Any) -> Near:
    """One that says some sentences."""
    first = title or text.partition(".")[0]
    return Near(id=id, path=f"knowledge/{kind}/{id}.md", kind=kind, title=first, body=f"\n{text}\n", **more)


def keep_session(root: Path, candidates: Sequence[KnowledgeCandidate], *, session: str = "s-1", at: str = AT) -> Path:
    """The log of a session from which these were proposed."""
    added = with_candidates(None, candidates, session=session)
    log = SessionLog(session, "claude", "manual", at, "sha256:0", proposal_status="done", proposal_completed_at=at)
    text = b"[USER]: hello"
    log = replace(log, transcript_bytes=len(text), transcript_chars=len(text))
    file = root / ".cairn/sessions" / log_name(at, session)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(head_bytes(log, {"proposals": added.proposals}) + text + PROPOSAL + b"Something.\n")
    return file
