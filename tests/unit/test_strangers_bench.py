"""`bench/strangers.py` scores sheets and makes decoys that are wrong; `bench/plant.py` plants what it reports."""

import importlib
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

BENCH = Path(__file__).parents[2] / "bench"
NAMES = ["clones", "decoys", "findings", "pages", "score", "sheet"]

FILES = {
    "README.md": """# Kettle

Needs Python 3.9 or newer.

Read [the guide](docs/guide.md).

Begin with [its start](docs/guide.md#first-steps).

Run `make brew` first.

Call `boil_water()` to begin.

See [Filling](#filling) below.

It raises `KettleError`.

## Filling

Use `kettle --max-minutes 3`.
""",
    "docs/guide.md": "# Guide\n\n## First steps\n\nSee [the notes](more.md).\n",
    "docs/more.md": "# More\n",
    "CHANGELOG.md": "# Changes\n\n`boil_water` is new. See [the guide](docs/guide.md).\n",
    "kettle.py": """import argparse


class KettleError(Exception):
    pass


def boil_water():
    parser = argparse.ArgumentParser()
    parser.add_argument("--max-minutes")
    return parser
""",
    "Makefile": ".PHONY: brew clean\n\nbrew:\n\tpython kettle.py\n\nclean:\n\trm -rf out\n",
    "pyproject.toml": '[project]\nname = "kettle"\nrequires-python = ">=3.9"\n',
}


@pytest.fixture(scope="module")
def bench() -> Iterator[dict[str, ModuleType]]:
    sys.path.insert(0, str(BENCH))
    try:
        modules = {name: importlib.import_module(f"strangers_{name}") for name in NAMES}
        yield modules | {"plant": importlib.import_module("plant"), "faults": importlib.import_module("plant_faults")}
    finally:
        sys.path.remove(str(BENCH))


@pytest.fixture
def kettle(bench: dict[str, ModuleType], tmp_path: Path) -> Any:
    """A scratch tree of a small repository with one commit, made from a clone."""
    origin = tmp_path / "clones" / "tea+kettle" / "repo"
    for path, text in FILES.items():
        (origin / path).parent.mkdir(parents=True, exist_ok=True)
        (origin / path).write_text(text, "utf-8")
    clones = bench["clones"]
    for args in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "Begin"]):
        clones.git(origin, *args)
    commit = clones.git(origin, "rev-parse", "HEAD").decode().strip()
    return clones.make_tree(origin, clones.Repository("tea/kettle", commit), tmp_path / "tree")


def item(
    rule: str, verdict: str, drawn: list[str], *, severity: str = "error", repository: str = "a/b", **more: Any
) -> Any:
    told = {"repository": repository, "rule": rule, "severity": severity, "from": drawn, "decoy": "decoy" in drawn}
    return told | more, verdict


def scored(bench: dict[str, ModuleType], folder: Path, items: list[Any], judge: str = "ann") -> dict[str, Any]:
    rows = [{"id": str(n), "verdict": verdict, "reason": "", "judge": judge} for n, (_, verdict) in enumerate(items)]
    (folder / "sheet.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    counts = {"error": 10, "warn": 2, "info": 4}
    repositories = {
        "a/b": {"documents": 200, "tryShown": 3, "counts": counts},
        "c/d": {"documents": 60, "tryShown": 1, "counts": counts},
    }
    key = {"repositories": repositories, "items": {str(n): told for n, (told, _) in enumerate(items)}}
    (folder / "key.json").write_text(json.dumps(key))
    found: dict[str, Any] = bench["score"].score([folder / "sheet.jsonl"], folder / "key.json")
    return found


def test_score_counts_only_right_verdicts_of_errors_and_warnings(bench: dict[str, ModuleType], tmp_path: Path) -> None:
    items = [
        item("link", "right", ["check"]),
        item("link", "arguable", ["check"], severity="warn"),
        item("size", "nobody-cares", ["check"], severity="info"),
        item("link", "wrong", ["decoy"]),
        item("link", "", ["check"]),
    ]
    found = scored(bench, tmp_path, items)
    assert found["errorsAndWarnings"]["right %"] == 50.0
    assert found["bySeverity"]["info"]["nobody-cares"] == 1
    assert found["byRule"]["link"]["judged"] == 2
    assert found["notJudged"] == 1
    assert found["judges"] == {"ann": {"decoys": 1, "passed": []}}


def test_score_does_not_count_a_judge_who_believes_a_decoy(bench: dict[str, ModuleType], tmp_path: Path) -> None:
    items = [item("link", "right", ["check"]), item("link", "right", ["decoy"])]
    found = scored(bench, tmp_path, items)
    assert found["errorsAndWarnings"]["judged"] == 0
    assert found["judges"]["ann"]["passed"] == ["1"]
    assert "NOT COUNTED" in bench["score"].report(found)


def test_score_leaves_out_a_decoy_that_the_key_voids(bench: dict[str, ModuleType], tmp_path: Path) -> None:
    items = [item("link", "right", ["check"]), item("link", "right", ["decoy"], void=True)]
    assert scored(bench, tmp_path, items)["errorsAndWarnings"]["judged"] == 1


def test_first_three_of_try_have_to_be_all_right(bench: dict[str, ModuleType], tmp_path: Path) -> None:
    items = [
        item("link", "right", ["try:1", "check"]),
        item("link", "right", ["try:2"]),
        item("link", "nobody-cares", ["try:3"]),
        item("link", "right", ["try:1"], repository="c/d"),
    ]
    found = scored(bench, tmp_path, items)
    assert found["firstThreeOfTry"]["repositories"]["a/b"] == ["right", "right", "nobody-cares"]
    assert (found["firstThreeOfTry"]["allRight"], found["firstThreeOfTry"]["judged"]) == (1, 2)
    assert found["manyDocuments"] == {"repositories": 2, "showThree": 1, "showThree %": 50.0}
    assert found["firstCheck"]["medianFindings"] == 16


def test_sheet_hides_rule_and_severity_and_the_key_has_them(bench: dict[str, ModuleType], tmp_path: Path) -> None:
    repository = bench["clones"].Repository("a/b", "c0ffee")
    row = {"analyzerId": "a-rule", "severity": "error", "nodeIds": ["a.md"], "line": 3, "message": "`x` is gone."}
    found = bench["findings"].findings({"issues": [row, row | {"line": 9}]})
    drawn = bench["sheet"].draw(repository, {"check": found, "try": found[:1]}, 5, 1, 1)
    bench["sheet"].write(tmp_path, drawn, {}, 1)
    sheet = (tmp_path / "sheet.jsonl").read_text()
    assert len(sheet.splitlines()) == 2
    assert "a-rule" not in sheet
    assert "error" not in sheet
    sources = [told["from"] for told in json.loads((tmp_path / "key.json").read_text())["items"].values()]
    assert sorted(sources) == [["check"], ["check", "try:1"]]


def test_decoys_deny_what_exists_in_the_words_of_real_findings(bench: dict[str, ModuleType], kettle: Any) -> None:
    finding = bench["findings"].finding
    real = finding(
        {"analyzerId": "r", "message": "No heading `#x` here.", "path": "gone.md", "line": 7, "severity": "warn"}
    )
    made = bench["decoys"].decoys(kettle, [], [real], 3, random.Random(1))
    assert {one.rule for one in made} == {"decoy-file", "decoy-heading", "decoy-name"}
    by_rule = {one.rule: one for one in made}
    assert by_rule["decoy-heading"].message == "No heading `#filling` here."
    assert (by_rule["decoy-heading"].path, by_rule["decoy-heading"].line) == ("README.md", 13)
    assert by_rule["decoy-file"].message.split("`")[1] in kettle.files
    assert f"removed in {commit(kettle)} (" in by_rule["decoy-name"].message


def commit(tree: Any) -> str:
    run = subprocess.run(["git", "log", "-1", "--format=%h"], cwd=tree.root, capture_output=True, text=True, check=True)
    return run.stdout.strip()


def test_tree_has_an_empty_file_for_a_missing_blob(bench: dict[str, ModuleType], kettle: Any, tmp_path: Path) -> None:
    origin = tmp_path / "clones" / "tea+kettle" / "repo"
    blob = bench["clones"].git(origin, "rev-parse", "HEAD:Makefile").decode().strip()
    (origin / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    tree = bench["clones"].make_tree(origin, kettle.repository, tmp_path / "again")
    assert tree.missing == 1
    assert (tree.root / "Makefile").read_bytes() == b""
    assert (tree.root / "README.md").read_text("utf-8") == FILES["README.md"]
    assert bench["clones"].git(tree.root, "status", "--porcelain") == b""


def test_planted_faults_are_commits_that_leave_documents_behind(bench: dict[str, ModuleType], kettle: Any) -> None:
    chosen = bench["plant"].choose(bench["faults"].survey(kettle, 1), 10)
    assert {one.kind for one in chosen} >= {"file renamed", "heading changed", "command removed", "version raised"}
    assert any(one.kind.startswith("symbol") for one in chosen)
    assert not any(path == "CHANGELOG.md" for one in chosen for path, _ in one.mentions)
    bench["plant"].plant_all(kettle.root, chosen)
    log = bench["clones"].git(kettle.root, "log", "--format=%s").decode().splitlines()
    assert len(log) == len(chosen) + 1
    after = {path: (kettle.root / path).read_text() for path in ("kettle.py", "Makefile", "pyproject.toml")}
    assert "brew" not in after["Makefile"]
    assert ">=3.11" in after["pyproject.toml"]
    for one in chosen:
        if one.kind == "symbol renamed":
            old = one.what.split(" -> ")[0]
            assert f"{old}(" not in after["kettle.py"]
            assert f'"{old}"' not in after["kettle.py"]
    assert bench["clones"].git(kettle.root, "status", "--porcelain") == b""


def test_fault_is_found_by_a_new_finding_within_one_line(bench: dict[str, ModuleType], kettle: Any) -> None:
    fault = bench["faults"].fault("file renamed", "a -> b", [("README.md", 5)], lambda root: None)
    finding = bench["findings"].finding
    near = finding({"analyzerId": "r", "message": "m", "nodeIds": ["README.md"], "line": 6})
    far = finding({"analyzerId": "r", "message": "m", "nodeIds": ["README.md"], "line": 8})
    listed = finding(
        {"analyzerId": "r", "message": "m", "nodeIds": ["x.md"], "data": {"places": [{"path": "README.md", "line": 5}]}}
    )
    assert bench["plant"].result(fault, [near])["found"]
    assert bench["plant"].result(fault, [listed])["mentionsNamed"] == 1
    assert not bench["plant"].result(fault, [far])["found"]
