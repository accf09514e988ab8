"""The log of questions, through the program: a miss becomes a signal, a page that is read stands higher, a setting ends
it."""

import json
from pathlib import Path

from program import cairn


def workspace(root: Path) -> Path:
    (root / ".cairn").mkdir()
    (root / ".cairn/settings.json").write_text('{"corpora": {"knowledge": {"layout": "entries"}}}')
    (root / "knowledge").mkdir()
    for name in ("ovens", "stoves"):
        (root / f"knowledge/{name}.md").write_text(f"---\nname: {name}\n---\n# {name}\n\nIt runs at 230 degrees.\n")
    return root


def lines(root: Path) -> list[str]:
    files = (root / ".cairn/ledger").glob("*.jsonl")
    return [json.loads(line)["type"] for file in files for line in file.read_text().splitlines()]


def test_from_a_question_to_a_topic_and_from_reading_to_rank(tmp_path: Path) -> None:
    root = workspace(tmp_path)
    before = cairn("search", "degrees", "--json", cwd=root).json()
    assert [hit["path"] for hit in before["hits"]] == ["knowledge/ovens.md", "knowledge/stoves.md"]
    cairn("search", "how do we configure kubernetes ingress?", cwd=root)
    assert cairn("show", "stoves", cwd=root).code == 0
    (topic,) = cairn("gaps", "topics", "--json", cwd=root).json()["topics"]
    assert (topic["topic"], topic["signals"]) == ("configure-kubernetes-ingress", 1)
    after = cairn("search", "degrees", "--explain", "--json", cwd=root).json()
    assert [hit["path"] for hit in after["hits"]] == ["knowledge/stoves.md", "knowledge/ovens.md"]
    told = {factor["name"]: factor["why"] for factor in after["hits"][0]["explanation"]["factors"]}
    assert told["usage"] == "opened once"
    asked = ["search_asked", "search_asked", "page_read", "knowledge_gap_signal", "search_asked"]
    assert [kind for kind in lines(root) if kind != "scan_completed"] == asked


def test_switched_off_nothing_is_written_down(tmp_path: Path) -> None:
    root = workspace(tmp_path)
    cairn("search", "kubernetes", cwd=root, CAIRN_OFF="1")
    cairn("show", "ovens", cwd=root, CAIRN_RETRIEVE__LOG="false")
    assert [kind for kind in lines(root) if kind != "scan_completed"] == []
