"""The lens `H-cross-doc`: reports marks and ids of documents that are provably broken.

It says nothing about prose: whether two passages disagree is a question for a reader.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from cairn.core.model.lens import Finding, Severity, finding_id
from cairn.observe.lens import Around, Scope
from cairn.observe.lens_contradictions.broken_marks import (
    Cited,
    LostId,
    Missing,
    Unmarked,
    cited,
    lost_ids,
    missing,
    unmarked,
)
from cairn.observe.lens_contradictions.marks import Pages

LENS = "H-cross-doc"
NEEDS_A_READER = "H-cross-doc checks marks and ids between pages; comparing what pages say needs a reader."


def _silent(_: str) -> None:
    return None


@dataclass(frozen=True, slots=True)
class CrossDoc:
    """Deterministic. `say` hears what the lens does not look at."""

    say: Callable[[str], None] = _silent
    id: str = LENS
    scope: Scope = "docs"
    needs: frozenset[str] = frozenset({"docs"})
    after: tuple[str, ...] = ()

    def look(self, around: Around) -> Iterable[Finding]:
        self.say(NEEDS_A_READER)
        pages = Pages(around.documents())
        found = [
            *map(_missing, missing(pages)),
            *map(_unmarked, unmarked(pages)),
            *map(_cited, cited(pages)),
            *map(_lost_id, lost_ids(pages)),
        ]
        once = {finding.id: finding for finding in reversed(found)}
        return sorted(once.values(), key=lambda one: (one.severity, one.source_doc or "", one.line or 0, one.id))


def _finding(
    kind: str, severity: Severity, parts: Iterable[str], *, at: tuple[str, int], title: str, text: str, fix: str,
    sure: Literal["medium", "high"] = "high", evidence: Mapping[str, Any],
) -> Finding:  # fmt: skip
    path, line = at
    known = {"kind": kind, **evidence}
    return Finding(finding_id(LENS, kind, *parts), LENS, severity, title, text, fix, path, line, sure, known)


# --- superseded -------------------------------------------------------------------------------------------------------


def _missing(found: Missing) -> Finding:
    return _finding(
        "supersedes-missing",
        "P0",
        (found.path, found.mark.target),
        at=(found.path, found.mark.line),
        title=f"`{found.path}` supersedes `{found.mark.target}`, which does not exist",
        text=f"Line {found.mark.line} says “{found.mark.text}”, and no page has that path, name or id.",
        fix="Correct the name, or remove the line if the old page was deleted on purpose.",
        evidence={"path": found.path, "line": found.mark.line, "text": found.mark.text, "target": found.mark.target},
    )


def _unmarked(found: Unmarked) -> Finding:
    return _finding(
        "superseded-unmarked",
        "P2",
        (found.path, found.old),
        at=(found.old, 1),
        title=f"`{found.old}` has no link to `{found.path}`, which supersedes it",
        text=f"Line {found.mark.line} of `{found.path}` says “{found.mark.text}”; the old page does not.",
        fix=f"Write `Superseded by` and a link to `{found.path}` at the top of `{found.old}`.",
        evidence={"path": found.path, "line": found.mark.line, "text": found.mark.text, "old": found.old},
    )


def _cited(found: Cited) -> Finding:
    return _finding(
        "superseded-cited",
        "P3",
        (found.path, found.old),
        at=(found.path, found.line),
        title=f"`{found.path}` links to `{found.old}`, which `{found.instead}` supersedes",
        text=f"Line {found.line} says “{found.text}”; the page has no link to `{found.instead}`.",
        fix=f"Link to `{found.instead}`, unless the old page is meant.",
        sure="medium",
        evidence={
            "path": found.path,
            "line": found.line,
            "text": found.text,
            "old": found.old,
            "instead": found.instead,
        },
    )


# --- references -------------------------------------------------------------------------------------------------------


def _lost_id(found: LostId) -> Finding:
    return _finding(
        "dead-reference",
        "P3",
        (found.path, found.id),
        at=(found.path, found.line),
        title=f"`{found.path}` names `{found.id}`, which no document defines",
        text=f"Line {found.line} says “{found.text}”; {found.known} other ids of this kind are defined here.",
        fix="Correct the number, or remove the reference.",
        sure="medium",
        evidence={"path": found.path, "line": found.line, "text": found.text, "target": found.id},
    )
