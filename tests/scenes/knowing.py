"""Pages that a curation or a bootstrap makes."""

import json
from collections import Counter
from contextlib import closing
from pathlib import Path

from cairn.core.model.change import ChangeRequest
from curation import candidate, keep_session
from deaths import Scene, Work
from program import cairn
from repository import git, make
from unit.curate import test_bootstrap as documents
from unit.curate.test_curate import ADDS, EXTENDS, FILES, KNOWN, OPPOSES, PAGE, app_of

NEW = "knowledge/practice/write-commits-in-english.md"
MORE = "knowledge/practice/run-npm-ci-in-pipelines-because-it-keeps-the-lockfile.md"


def requests(root: Path) -> list[ChangeRequest]:
    with closing(app_of(root)) as app:
        return app.forge.requests()


def _stamps(root: Path) -> Counter[str]:
    lines = (root / ".cairn/curate/stamps.jsonl").read_text().splitlines()
    return Counter(json.loads(line)["origin"] for line in lines if line)


# --- a session that was learned from ----------------------------------------------------------------------------------


def _with_candidates(scratch: Path) -> Path:
    root = make(scratch / "template", FILES)
    keep_session(root, [candidate(text) for text in (ADDS, EXTENDS, OPPOSES, KNOWN)])
    assert cairn("scan", cwd=root).code == 0
    return root


def _all_have_their_fate(root: Path) -> None:
    assert _stamps(root) == Counter({f"s-1:practice:{number}": 1 for number in range(4)}), "each once"
    assert not (root / ".cairn/curate/plan.json").exists()
    assert len(list((root / ".cairn/conflicts").glob("*.md"))) == 1, "asked once"


def a_curation(scratch: Path) -> Scene:
    def finished(root: Path) -> None:
        _all_have_their_fate(root)
        [request] = requests(root)
        assert set(request.paths) == {MORE, NEW} and request.active
        assert git(root, "status", "--porcelain") == ""

    return Scene(_with_candidates(scratch), Work(("curate",), finished), moments=40)


def edits_of_the_work_tree(scratch: Path) -> Scene:
    def finished(root: Path) -> None:
        _all_have_their_fate(root)
        assert (root / MORE).read_text().count(EXTENDS) == 2 and (root / PAGE).read_text() == FILES[PAGE]
        assert (root / NEW).read_text().count(ADDS) == 2, "as description and as text"

    return Scene(_with_candidates(scratch), Work(("curate", "--apply"), finished), moments=20)


def a_conflict(scratch: Path) -> Scene:
    """One that a person accepts."""
    root = _with_candidates(scratch)
    assert cairn("curate", cwd=root).code == 0

    def finished(root: Path) -> None:
        [file] = (root / ".cairn/conflicts").glob("*.md")
        assert "status: accepted" in file.read_text()
        assert sum(one.subject.startswith("conflict ") for one in requests(root)) == 1

    return Scene(root, Work(("conflict", "accept", "1"), finished), moments=20)


# --- documents --------------------------------------------------------------------------------------------------------

LOGS = "docs/adr/0004-logs.md"
COMMAND = ("bootstrap", "--yes")


def _with_documents(scratch: Path) -> Path:
    more = {LOGS: "# Logs\n\nStatus: accepted\n\nNever log bodies in handlers.\n"}
    return make(scratch / "template", {**documents.FILES, **more})


def a_bootstrap(scratch: Path) -> Scene:
    def finished(root: Path) -> None:
        stamps = _stamps(root)
        assert len(stamps) == 4 and set(stamps.values()) == {1}, "each statement once"
        state = json.loads((root / ".cairn/curate/bootstrap-state.json").read_text())
        read = (documents.FIRST, documents.DOC, documents.LAST, LOGS)
        assert {path: len(doc["produced_nodes"]) for path, doc in state["docs"].items()} == dict.fromkeys(read, 1)
        left = {path.name for path in (root / ".cairn/curate").iterdir()}
        assert left - {"bootstrap.jsonl"} == {"bootstrap-state.json", "stamps.jsonl"}
        assert [len(request.paths) for request in requests(root)] == [4]

    return Scene(_with_documents(scratch), Work(COMMAND, finished), moments=30)


def a_followed_document(scratch: Path) -> Scene:
    """A page changes with the document that it was made of."""
    root = _with_documents(scratch)
    assert cairn(*COMMAND, "--apply", cwd=root).code == 0
    (root / documents.DOC).write_text(documents.RULES.replace("40 lines", "60 lines"))

    def finished(root: Path) -> None:
        text = (root / documents.SHORT).read_text()
        assert text.count("# Keep functions under 60 lines") == 1 and "40 lines" not in text
        assert len(list((root / "knowledge").rglob("*.md"))) == 4

    return Scene(root, Work((*COMMAND, "--incremental", "--apply"), finished), moments=20)
