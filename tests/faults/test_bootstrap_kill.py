"""A bootstrap killed at every moment: the next run goes on, and no document is lost or asked about twice."""

import json
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from deaths import Work, dies_everywhere, fails_everywhere
from program import cairn
from repository import make
from unit.app.curate.test_bootstrapping import DOC, FILES, FIRST, GUIDE, HANDLERS, LAST, RULES, SHORT
from unit.app.curate.test_curating import app_of

pytestmark = pytest.mark.slow

MORE = "docs/adr/0004-logs.md"
COMMAND = ("bootstrap", "--yes")


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return make(tmp_path / "template", {**FILES, MORE: "# Logs\n\nStatus: accepted\n\nNever log bodies in handlers.\n"})


def each_once(root: Path) -> None:
    lines = (root / ".cairn/curate/stamps.jsonl").read_text().splitlines()
    stamps = Counter(json.loads(line)["origin"] for line in lines if line)
    assert len(stamps) == 4 and set(stamps.values()) == {1}, "each statement once"
    state = json.loads((root / ".cairn/curate/bootstrap-state.json").read_text())
    assert {path: len(doc["produced_nodes"]) for path, doc in state["docs"].items()} == dict.fromkeys(
        (FIRST, DOC, LAST, MORE), 1
    ), f"{GUIDE} still waits to be read"
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
        assert (root / HANDLERS).read_text().count("# Handlers\n") == 1
        assert len(list((root / "knowledge").rglob("*.md"))) == 4

    assert fails_everywhere(workspace, Work((*COMMAND, "--apply"), finished), tmp_path, "ENOSPC") > 10


def test_a_page_that_follows_its_document(workspace: Path, tmp_path: Path) -> None:
    assert cairn(*COMMAND, "--apply", cwd=workspace).code == 0
    (workspace / DOC).write_text(RULES.replace("40 lines", "60 lines"))

    def finished(root: Path) -> None:
        text = (root / SHORT).read_text()
        assert text.count("# Keep functions under 60 lines") == 1 and "40 lines" not in text
        assert len(list((root / "knowledge").rglob("*.md"))) == 4

    assert dies_everywhere(workspace, Work((*COMMAND, "--incremental", "--apply"), finished), tmp_path) > 20
