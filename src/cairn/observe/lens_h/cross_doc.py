"""The lens `H-cross-doc`: what documents say against each other, as findings."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from cairn.kernel.model.finding import Finding, Severity, finding_id
from cairn.observe.lens import Around, Document, Scope
from cairn.observe.lens_h.claims import Claim
from cairn.observe.lens_h.contradict import Conflict, Contradiction, SecondOpinion, contradictions
from cairn.observe.lens_h.marks import Pages
from cairn.observe.lens_h.references import LostHeading, LostId, lost_headings, lost_ids
from cairn.observe.lens_h.superseded import Cited, Missing, Unmarked, cited, missing, unmarked

LENS = "H-cross-doc"

_SEVERITY: Mapping[Conflict, Severity] = {
    "value": "P1",
    "default": "P1",
    "duty": "P1",
    "opposite": "P1",
    "choice": "P2",
    "name": "P2",
    "order": "P2",
}
SAYING: Mapping[Conflict, str] = {
    "value": "give different numbers",
    "default": "give different defaults",
    "duty": "say that it is so, and that it is not",
    "opposite": "say the opposite",
    "choice": "list different choices",
    "name": "name different things",
    "order": "put two things in opposite order",
}
"""What two documents do, as the middle of a sentence."""


@dataclass(frozen=True, slots=True)
class CrossDoc:
    """Deterministic. `second_opinion` may read what was found, leave out and add; there is none unless given."""

    second_opinion: SecondOpinion | None = None
    id: str = LENS
    scope: Scope = "docs"
    needs: frozenset[str] = frozenset({"docs"})
    after: tuple[str, ...] = ()

    def look(self, around: Around) -> Iterable[Finding]:
        documents = list(around.documents())
        pages = Pages(documents)
        found = [
            *_contradictions(documents, self.second_opinion),
            *map(_missing, missing(pages)),
            *map(_unmarked, unmarked(pages)),
            *map(_cited, cited(pages)),
            *map(_lost_id, lost_ids(pages)),
            *map(_lost_heading, lost_headings(pages)),
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


# --- contradictions ---------------------------------------------------------------------------------------------------


def _contradictions(documents: Iterable[Document], opinion: SecondOpinion | None) -> Iterator[Finding]:
    """The id is made of the subject and the two pages, so that neither other lines nor another value change it."""
    times: Counter[tuple[str, ...]] = Counter()
    for found in contradictions(documents, second_opinion=opinion):
        parts = (found.kind, " ".join(found.subject), found.one.path, found.other.path)
        times[parts] += 1
        yield _contradiction(found, (*parts, *([str(times[parts])] if times[parts] > 1 else [])))


def said_apart(found: Contradiction) -> str:
    """What two documents do, with the values if there are any."""
    return f"{SAYING[found.kind]}{f': {found.apart}' if found.apart else ''}"


def _contradiction(found: Contradiction, parts: Iterable[str]) -> Finding:
    one, other = found.one, found.other
    return _finding(
        "contradiction",
        _SEVERITY[found.kind],
        parts,
        at=(one.path, one.line),
        title=f"`{one.path}` and `{other.path}` {said_apart(found)}",
        text=f"Line {one.line} says “{_quoted(one)}”, line {other.line} of `{other.path}` says “{_quoted(other)}”.",
        fix="Find out which of the two is right, and correct the other or say where it holds.",
        evidence={
            "conflict": found.kind,
            "subject": list(found.subject),
            "claims": [_claim(one), _claim(other)],
        },
    )


def _quoted(claim: Claim) -> str:
    return claim.text.removesuffix(".")


def _claim(claim: Claim) -> dict[str, Any]:
    return {"path": claim.path, "line": claim.line, "text": claim.text}


# --- superseded -------------------------------------------------------------------------------------------------------


def _missing(found: Missing) -> Finding:
    return _finding(
        "supersedes-missing",
        "P0",
        (found.path, found.mark.target),
        at=(found.path, found.mark.line),
        title=f"`{found.path}` supersedes `{found.mark.target}`, which does not exist",
        text="What it replaces can't be found, so nobody can tell whether the old page is still believed.",
        fix="Correct the name, or take the line out if the old page was removed on purpose.",
        evidence={"path": found.path, "line": found.mark.line, "text": found.mark.text, "target": found.mark.target},
    )


def _unmarked(found: Unmarked) -> Finding:
    return _finding(
        "superseded-unmarked",
        "P2",
        (found.path, found.old),
        at=(found.old, 1),
        title=f"`{found.old}` does not say that `{found.path}` supersedes it",
        text=f"Line {found.mark.line} of `{found.path}` says “{found.mark.text}”; who reads the old page is not told.",
        fix=f"Write `Superseded by` and a link to `{found.path}` at the top of `{found.old}`.",
        evidence={"path": found.path, "line": found.mark.line, "text": found.mark.text, "old": found.old},
    )


def _cited(found: Cited) -> Finding:
    instead = (
        f"Link to `{found.instead}` instead." if found.instead else "Link to what holds today, or say that it is over."
    )
    return _finding(
        "superseded-cited",
        "P2",
        (found.path, found.old),
        at=(found.path, found.line),
        title=f"`{found.path}` points at `{found.old}`, which says that it is over",
        text=f"Line {found.line} says “{found.text}”, as if the page still held.",
        fix=instead,
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
        "P1",
        (found.path, found.id),
        at=(found.path, found.line),
        title=f"`{found.path}` names `{found.id}`, which is defined nowhere",
        text=f"{found.known} others of its kind are defined in these documents; this one is not, or not any more.",
        fix="Correct the number, or take the reference out.",
        sure="medium",
        evidence={"path": found.path, "line": found.line, "text": found.text, "target": found.id},
    )


def _lost_heading(found: LostHeading) -> Finding:
    near = (
        f"Link to `#{found.nearest}`."
        if found.nearest
        else "Name a heading that is there, or drop what follows the `#`."
    )
    return _finding(
        "dead-reference",
        "P2",
        (found.path, found.target, found.heading),
        at=(found.path, found.line),
        title=f"`{found.target}` has no heading `#{found.heading}`, to which `{found.path}` links",
        text="The page is there, the part of it that is meant is not.",
        fix=near,
        evidence={"path": found.path, "line": found.line, "target": f"{found.target}#{found.heading}"},
    )
