"""An issue: what an analyzer found, where, how to fix it, and the proof that anybody can look up."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple


class Severity(StrEnum):
    """How much an issue matters; the order of the members is from worst to least."""

    ERROR = "error"
    """Something is broken; `check` ends with 1."""
    WARN = "warn"
    """Something is probably wrong."""
    INFO = "info"
    """Worth knowing."""


class Fix(NamedTuple):
    summary: str
    autofixable: bool = False


class Issue(NamedTuple):
    analyzer: str
    """Short id, kebab case."""
    severity: Severity
    nodes: tuple[str, ...]
    """Paths, the first one is where the issue is shown; at least one."""
    message: str
    line: int | None = None
    """Line of the file named first."""
    detail: str | None = None
    fix: Fix | None = None
    data: Mapping[str, Any] | None = None

    @property
    def path(self) -> str:
        return self.nodes[0]


_QUOTED = 200


class Place(NamedTuple):
    """A line of a document that has to change."""

    path: str
    line: int
    text: str = ""
    targets: tuple[str, ...] = ()
    """The things that are missing at this line; empty if they are the target of the whole finding."""

    def json(self) -> dict[str, Any]:
        facts = {"path": self.path, "line": self.line, "text": quoted(self.text)}
        return {**facts, "targets": list(self.targets)} if self.targets else facts


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
    facts = {"target": target, "evidence": [_json(proof) for proof in proofs], **data}
    issue = Issue(analyzer, severity, ("",), message, fix=Fix(fix), data=facts)
    return at_places(issue, _by_line(places, target))


def at_places(issue: Issue, places: Sequence[Place]) -> Issue:
    """The same problem at these places, the first of which is where it is shown."""
    nodes = tuple(dict.fromkeys(place.path for place in places))
    data = {**(issue.data or {}), "places": [place.json() for place in places]}
    return issue._replace(nodes=nodes, line=places[0].line, data=data)


def with_proofs(issue: Issue, places: Sequence[Place], proofs: Sequence[Proof]) -> Issue:
    """The issue with places and evidence that it did not have."""
    facts: dict[str, Any] = {
        **({"places": [place.json() for place in places]} if places else {}),
        **({"evidence": [_json(proof) for proof in proofs]} if proofs else {}),
    }
    return issue._replace(data={**(issue.data or {}), **facts}) if facts else issue


def narrowed(issue: Issue, keep: Callable[[Place], bool]) -> Issue | None:
    """The issue at the places that are kept; None if there are none."""
    places = places_of(issue)
    kept = [place for place in places if keep(place)]
    if not kept or len(kept) == len(places):
        return issue if kept else None
    return at_places(issue, kept)


def _by_line(places: Iterable[Place], target: str) -> list[Place]:
    """Each line once, in order, with everything that is missing there."""
    lines: dict[Place, set[str]] = {}
    for place in places:
        lines.setdefault(place._replace(targets=()), set()).update(place.targets)
    return [
        place._replace(targets=() if targets == {target} else tuple(sorted(targets)))
        for place, targets in sorted(lines.items())
    ]


def places_of(issue: Issue) -> list[Place]:
    """All places of an issue; of one without proof, the only one."""
    listed = (issue.data or {}).get("places")
    if not listed:
        return [Place(issue.path, issue.line or 0)]
    return [Place(at["path"], at["line"], at["text"], tuple(at.get("targets", ()))) for at in listed]


def proofs_of(issue: Issue) -> list[Proof]:
    return [Proof(**fact) for fact in (issue.data or {}).get("evidence", ())]


def quoted(text: str) -> str:
    """On one line, with an ellipsis where it is cut."""
    line = " ".join(text.split())
    return line if len(line) <= _QUOTED else f"{line[: _QUOTED - 1].rstrip()}…"


def _json(proof: Proof) -> Mapping[str, Any]:
    return {key: value for key, value in proof._asdict().items() if value}


class HealthState(StrEnum):
    """How a check ended."""

    OK = "ok"
    """Nothing to do."""
    WARN = "warn"
    """Works, but somebody should look."""
    ERROR = "error"
    """Something does not work."""


@dataclass(frozen=True, slots=True)
class HealthFinding:
    check: str
    state: HealthState
    message: str
    fix: str | None = None
