"""The change that a run asks for: one request, with what each page is for and where it was said."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from cairn.core.model.candidate import Fate
from cairn.core.model.change import ChangeSet, Edit, Label
from cairn.curate.plan import Fated, Plan

ORIGIN: Final = "curate"
SUBJECT: Final = "knowledge"
"""One request at a time: while it is open, later runs add to it."""
KIND: Final = "curation"
LABEL: Final = "knowledge-curation"
_QUOTE: Final = 300
_BREAKS: Final = re.compile(r"[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+")


def change_of(
    plan: Plan, before: Mapping[str, Any] | None = None, documents: Mapping[str, str] | None = None
) -> ChangeSet:
    """`before` is the evidence of the open request that this run adds to, `documents` what is made of the pages."""
    earlier = list((before or {}).get("candidates", ()))
    written = [one for one in plan.fates if one.action.fate in (Fate.ADD, Fate.MODIFY)]
    origins = [*(str(one.get("origin")) for one in earlier), *(one.candidate.origin for one in written)]
    return ChangeSet(
        origin=ORIGIN,
        subject=SUBJECT,
        base=plan.base,
        edits=(
            *(Edit(edit.path, edit.text.encode()) for edit in plan.edits),
            *(Edit(path, text.encode()) for path, text in (documents or {}).items()),
        ),
        title=_title(plan, _where(origins)),
        body="\n".join(_body(plan, written, earlier)),
        labels=(Label(LABEL, ORIGIN),),
        evidence={
            "runs": [*plan.already, plan.run_id],
            "curator": plan.curator,
            "candidates": [*earlier, *map(_evidence, written)],
        },
        taint=plan.taint,
        limited=True,
        kind=KIND,
    )


def _title(plan: Plan, where: str) -> str:
    new = sum(edit.before is None for edit in plan.edits)
    old = len(plan.edits) - new
    if len(plan.edits) == 1:
        return f"docs(knowledge): {'add' if new else 'extend'} {plan.edits[0].id}"
    parts = [f"add {_pages(new)}" if new else "", f"extend {_pages(old)}" if old else ""]
    return f"docs(knowledge): {' and '.join(part for part in parts if part)} from {where}"


def _where(origins: Sequence[str]) -> str:
    """What people wrote for agents is a document like any other, as far as who reads a title is concerned."""
    documents = sum(origin.startswith(("document:", "harness-memory:")) for origin in origins)
    return "sessions" if not documents else "documents" if documents == len(origins) else "sessions and documents"


def _pages(number: int) -> str:
    return f"{number} page{'' if number == 1 else 's'}"


def _body(plan: Plan, written: Sequence[Fated], earlier: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """What somebody said stays on its line, so that it can't start one that means something to a program."""
    where = _where([one.candidate.origin for one in written])
    who = {"sessions": "sessions and notes said", "documents": "documents say"}.get(where, "sessions and documents say")
    yield f"What {who}, as pages. Read each quote: it is all that the page rests on."
    for fate, heading in ((Fate.ADD, "New pages"), (Fate.MODIFY, "Pages that say more")):
        found = [one for one in written if one.action.fate is fate]
        if found:
            yield from ("", f"## {heading}", "")
            for one in found:
                said = f"{one.candidate.confidence}, {one.candidate.taint.word}"
                yield f"- `{one.path}` ({said}): {_line(one.action.rationale)}"
                for quote in one.candidate.quotes[:2]:
                    yield f"  > {_line(quote.text)[:_QUOTE]}"
                for note in one.action.notes:
                    yield f"  - note: {_line(note)}"
    if earlier:
        yield from ("", "## From earlier runs", "")
        yield from (f"- `{_line(str(one.get('path', '')))}`: {_line(str(one.get('rationale', '')))}" for one in earlier)
    yield from ("", *(f"Run `{run}`." for run in (*plan.already, plan.run_id)))


def _evidence(one: Fated) -> dict[str, Any]:
    candidate, action = one.candidate, one.action
    return {
        "origin": candidate.origin,
        "fate": action.fate.value,
        "path": one.path,
        "rationale": action.rationale,
        "confidence": candidate.confidence,
        "taint": candidate.taint.word,
        "derived_from": list(candidate.derived_from),
        "quotes": [
            {"where": q.where, "text": q.text[:_QUOTE], "start": q.start, "end": q.end} for q in candidate.quotes
        ],
        "notes": list(action.notes),
    }


def _line(text: str) -> str:
    return _BREAKS.sub(" ", text).strip()
