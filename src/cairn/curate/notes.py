"""Turns a note that somebody asked to keep into a candidate, word for word."""

from dataclasses import replace
from typing import Final, NamedTuple

from cairn.core.model.candidate import Candidate, Kind, Quote
from cairn.core.model.change import Taint
from cairn.core.model.session import KEEP_TAGS
from cairn.curate.cues import verbatim
from cairn.curate.session_candidates import TAGS_MOST

KEEP: Final[dict[Kind, str]] = dict(zip(("practice", "map"), KEEP_TAGS, strict=True))
"""The tag of a note that is to become a page, by the kind of the page. `cairn note --keep` sets it."""


class NoteText(NamedTuple):
    """What a note says, as far as it can be knowledge."""

    id: str
    summary: str
    decision: str
    tags: tuple[str, ...]
    taint: Taint
    at: str | None = None


def note_candidate(note: NoteText) -> Candidate | None:
    """None unless somebody asked for it to be kept."""
    kind = next((kind for kind, tag in KEEP.items() if tag in note.tags), None)
    text = "\n\n".join(dict.fromkeys(part.strip() for part in (note.summary, note.decision) if part.strip()))
    if kind is None or not text:
        return None
    where = f"note:{note.id}"
    found = verbatim(kind, text, origin=f"{where}:0", quote=Quote(where, text), said_at=note.at)
    return replace(
        found,
        tags=tuple(tag for tag in note.tags if tag not in KEEP.values())[:TAGS_MOST],
        taint=note.taint,
        confidence="medium" if note.taint is Taint.PERSON else "low",
    )
