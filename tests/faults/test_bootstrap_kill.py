"""A bootstrap killed at every moment: the next run goes on, and no document is lost or asked about twice."""

import json
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from deaths import Work, dies_everywhere, fails_everywhere
from repository import make
from unit.app.curate.test_bootstrapping import DOC, FILES, HANDLERS
from unit.app.curate.test_curating import app_of

pytestmark = pytest.mark.slow

MORE = "docs/more.md"
COMMAND = ("bootstrap", "--yes")


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return make(tmp_path / "template", {**FILES, MORE: "# Rules\n\n- Never log request bodies in handlers.\n"})


def each_once(root: Path) -> None:
    lines = (root / ".cairn/curate/stamps.jsonl").read_text().splitlines()
    stamps = Counter(json.loads(line)["origin"] for line in lines if line)
    assert len(stamps) == 4 and set(stamps.values()) == {1}, "each statement once"
    state = json.loads((root / ".cairn/curate/bootstrap-state.json").read_text())
    assert {path: len(doc["produced_nodes"]) for path, doc in state["docs"].items()} == {
        DOC: 3,
        "docs/empty.md": 0,
        MORE: 1,
    }
    left = {path.name for path in (root / ".cairn/curate").iterdir()}
    assert left == {"bootstrap-state.json", "stamps.jsonl"}, "nothing waits"


def test_a_request(workspace: Path, tmp_path: Path) -> None:
    def finished(root: Path) -> None:
        each_once(root)
        with closing(app_of(root)) as app:
            assert [len(request.paths) for request in app.forge.requests()] == [4]

    assert dies_everywhere(workspace, Work(COMMAND, finished), tmp_path) > 30


def test_a_disk_that_is_full(workspace: Path, tmp_path: Path) -> None:
    def finished(root: Path) -> None:
        each_once(root)
        assert (root / HANDLERS).read_text().count("# Handlers must not") == 1
        assert len(list((root / "knowledge").rglob("*.md"))) == 4

    assert fails_everywhere(workspace, Work((*COMMAND, "--apply"), finished), tmp_path, "ENOSPC") > 10
