"""Every analyzer of the phase `read` against small repositories: what it reports, and what it leaves alone.

A case is a list of commits (files by path; null deletes one) and the findings at the end: message, places, fix. Cases
without findings are near misses.
"""

from pathlib import Path
from typing import Any

import pytest
import ryaml

from cairn.adapters.files.local import LocalFiles
from cairn.adapters.vcs.history import read_history
from cairn.core.model.issue import Issue, places_of, proofs_of
from cairn.core.ports.runtime import WalkRequest
from cairn.core.repository.repository import Repository
from commits import commit
from unit.extensions.built_ins import HERE, read_analyzers

CASES = [
    pytest.param(analyzer, case, id=f"{name.partition('/')[2]}: {case['name']}")
    for name, analyzer in read_analyzers().items()
    for case in ryaml.loads((HERE / name.replace("/", "/repositories/")).with_suffix(".yml").read_text())
]


def repository(root: Path, commits: list[dict[str, str | None]]) -> Repository:
    for day, files in enumerate(commits, 1):
        commit(root, files, f"commit {day}", day=day)
    return Repository(LocalFiles(root), read_history(root), WalkRequest())


@pytest.mark.parametrize(("analyzer", "case"), CASES)
def test_repository_case(analyzer: Any, case: dict[str, Any], tmp_path: Path) -> None:
    issues = list(analyzer.evaluate(repository(tmp_path / "repo", case["commits"])))
    assert [shown(issue, wanted) for issue, wanted in zip(issues, case.get("findings", []), strict=True)] == case.get(
        "findings", []
    ), issues
    for issue in issues:
        assert issue.fix is not None
        assert proofs_of(issue), "a finding without evidence"
        assert all(place.line and place.text for place in places_of(issue))


def shown(issue: Issue, wanted: dict[str, Any]) -> dict[str, Any]:
    """The parts of a finding that the case names; commit ids are left out."""
    import re

    message = re.sub(r"in [0-9a-f]{9} \(", "in COMMIT (", issue.message)
    known = {
        "message": message,
        "severity": str(issue.severity),
        "places": [f"{place.path}:{place.line}" for place in places_of(issue)],
        "evidence": [re.sub(r"[0-9a-f]{9}", "COMMIT", proof.sentence) for proof in proofs_of(issue)],
        "fix": issue.fix.summary if issue.fix else "",
    }
    return {key: known[key] for key in wanted}
