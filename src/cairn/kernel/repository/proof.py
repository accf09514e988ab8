"""An issue that carries its proof: every place it concerns, and lines, commits and values that anybody can look at."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from cairn.kernel.model.issue import Fix, Issue, Severity

_QUOTED = 200


class Place(NamedTuple):
    """A line of a document that has to change."""

    path: str
    line: int
    text: str = ""


class Proof(NamedTuple):
    """One fact. Whoever doubts it can open the file at the line, or show the commit."""

    text: str
    path: str = ""
    line: int = 0
    commit: str = ""
    date: str = ""

    @property
    def where(self) -> str:
        return f"{self.path}:{self.line}" if self.line else self.path

    @property
    def sentence(self) -> str:
        """`src/app.py:1 (3f2a91c, 2026-03-02): def fetch_page(url):`."""
        when = ", ".join(filter(None, (self.commit, self.date)))
        head = " ".join(filter(None, (self.where, when and f"({when})")))
        return f"{head}: {self.text}" if head and self.text else head or self.text


def proven(
    analyzer: str,
    severity: Severity,
    target: str,
    message: str,
    places: Iterable[Place],
    proofs: Sequence[Proof],
    fix: str,
    **data: Any,
) -> Issue:
    """One cause, one issue. `target` names the cause and stays the same when the wording changes."""
    ordered = sorted(set(places))
    nodes = tuple(dict.fromkeys(place.path for place in ordered))
    facts = {
        "target": target,
        "places": [{"path": p.path, "line": p.line, "text": quoted(p.text)} for p in ordered],
        "evidence": [_json(proof) for proof in proofs],
        **data,
    }
    return Issue(analyzer, severity, nodes, message, ordered[0].line, fix=Fix(fix), data=facts)


def places_of(issue: Issue) -> list[Place]:
    """All places of an issue; of one without proof, the only one."""
    listed = (issue.data or {}).get("places")
    if not listed:
        return [Place(issue.path, issue.line or 0)]
    return [Place(place["path"], place["line"], place["text"]) for place in listed]


def proofs_of(issue: Issue) -> list[Proof]:
    return [Proof(**fact) for fact in (issue.data or {}).get("evidence", ())]


def quoted(text: str) -> str:
    return " ".join(text.split())[:_QUOTED]


def _json(proof: Proof) -> Mapping[str, Any]:
    return {key: value for key, value in proof._asdict().items() if value}
