"""The curator killed at every moment: the next run finishes the work, and each candidate has its fate once."""

import json
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from cairn.kernel.model.change import ChangeRequest
from curation import candidate, keep_session
from deaths import Work, dies_everywhere, fails_everywhere
from program import cairn
from repository import git, make
from unit.app.curate.test_curating import ADDS, EXTENDS, FILES, KNOWN, OPPOSES, PAGE, app_of

pytestmark = pytest.mark.slow

NEW = "knowledge/practice/write-commits-in-english.md"
MORE = "knowledge/practice/run-npm-ci-in-pipelines-because-it-keeps-the-lockfile.md"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    root = make(tmp_path / "template", FILES)
    keep_session(root, [candidate(text) for text in (ADDS, EXTENDS, OPPOSES, KNOWN)])
    assert cairn("scan", cwd=root).code == 0
    return root


def all_have_their_fate(root: Path) -> None:
    lines = (root / ".cairn/curate/stamps.jsonl").read_text().splitlines()
    stamps = Counter(json.loads(line)["origin"] for line in lines if line)
    assert stamps == Counter({f"s-1:practice:{number}": 1 for number in range(4)}), "each once"
    assert not (root / ".cairn/curate/plan.json").exists()
    assert len(list((root / ".cairn/conflicts").glob("*.md"))) == 1, "asked once"


def requests(root: Path) -> list[ChangeRequest]:
    with closing(app_of(root)) as app:
        return app.forge.requests()


def test_a_request(workspace: Path, tmp_path: Path) -> None:
    def finished(root: Path) -> None:
        all_have_their_fate(root)
        [request] = requests(root)
        assert set(request.paths) == {MORE, NEW} and request.active
        assert git(root, "status", "--porcelain") == ""

    assert dies_everywhere(workspace, Work(("curate",), finished), tmp_path) > 40


def test_edits_of_the_work_tree(workspace: Path, tmp_path: Path) -> None:
    def finished(root: Path) -> None:
        all_have_their_fate(root)
        assert (root / MORE).read_text().count(EXTENDS) == 2 and (root / PAGE).read_text() == FILES[PAGE]
        assert (root / NEW).read_text().count(ADDS) == 2, "as description and as text"

    assert dies_everywhere(workspace, Work(("curate", "--apply"), finished), tmp_path) > 20


def test_a_disk_that_fails(workspace: Path, tmp_path: Path) -> None:
    def finished(root: Path) -> None:
        all_have_their_fate(root)
        assert len(requests(root)) == 1

    assert fails_everywhere(workspace, Work(("curate",), finished), tmp_path, "ENOSPC") > 10


def test_an_accepted_conflict(workspace: Path, tmp_path: Path) -> None:
    assert cairn("curate", cwd=workspace).code == 0

    def finished(root: Path) -> None:
        [file] = (root / ".cairn/conflicts").glob("*.md")
        assert "status: accepted" in file.read_text()
        assert sum(one.subject.startswith("conflict ") for one in requests(root)) == 1

    assert dies_everywhere(workspace, Work(("conflict", "accept", "1"), finished), tmp_path) > 20
