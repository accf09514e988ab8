"""A finding: one sentence about a document, with what it rests on."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple


class Evidence(NamedTuple):
    """A line that anybody can look at."""

    path: str
    line: int
    text: str
    where: str = ""
    """In words, when it is no file of the folder."""

    @property
    def shown(self) -> str:
        return self.where or f"{self.path}:{self.line}"

    def json(self) -> dict[str, Any]:
        where = {"where": self.where} if self.where else {}
        return {"path": self.path, "line": self.line, "text": self.text, **where}


class Finding(NamedTuple):
    kind: str
    message: str
    """One sentence."""
    evidence: tuple[Evidence, ...]
    """The first is where the finding is shown; at least one."""
    because: str
    """Why it is believed."""
    fix: str
    certainty: float
    """How sure we are, from 0 to 1."""
    harm: float
    """How much it hurts who believes the document, from 0 to 1."""
    more: int = 0
    """Other places that say the same."""

    @property
    def score(self) -> float:
        return self.certainty * self.harm

    @property
    def place(self) -> Evidence:
        return self.evidence[0]

    def json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "message": self.message,
            "path": self.place.path,
            "line": self.place.line,
            "evidence": [evidence.json() for evidence in self.evidence],
            "because": self.because,
            "fix": self.fix,
            "score": round(self.score, 3),
            "more": self.more,
        }


_TEN = 10
_SAME_KIND = 3


def best(findings: list[Finding], most: int = _TEN) -> list[Finding]:
    """The highest scores, of one kind at most three as long as there are others."""
    ordered = sorted(findings, key=_order)
    taken: list[Finding] = []
    waiting: list[Finding] = []
    for finding in ordered:
        crowded = sum(other.kind == finding.kind for other in taken) >= _SAME_KIND
        (waiting if crowded else taken).append(finding)
    return sorted(taken[:most] + waiting[: max(0, most - len(taken))], key=_order)


def _order(finding: Finding) -> tuple[float, str, int, str]:
    return (-finding.score, finding.place.path, finding.place.line, finding.message)


Finder = Callable[[Any], Iterator[Finding]]
"""Takes a `Ground` (see `ground.py`)."""
