"""`bench/history.py` mines lines that authors corrected, leaves out what proves nothing, and replays the rest."""

import importlib
import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from commits import commit, git

BENCH = Path(__file__).parents[2] / "bench"
NAMES = ["mine", "paths", "plant", "report", "stream", "survey", "trees", "values"]

CODE = """DEFAULT_TIMEOUT = 30


def boil_water(max_minutes=3):
    steam_level = 1
    return steam_level
"""
FLAGS = 'parser.add_argument("--keep-warm")\nparser.add_argument("--descale")\n'
GUIDE = """# Guide

Call `boil_water()` first.

Pass `max_minutes` to stop early.

The `steam_level` is shown.

`DEFAULT_TIMEOUT` is 30 seconds.

Run `kettle --keep-warm` at night, or docker run --descale.

See `lib/spout.py`.

Nothing else.

One more line.

And one more.

The end.
"""
START = {"kettle.py": CODE, "flags.py": FLAGS, "lib/spout.py": "SPOUT = 1\n", "docs/guide.md": GUIDE}


@pytest.fixture(scope="module")
def bench() -> Iterator[dict[str, ModuleType]]:
    sys.path.insert(0, str(BENCH))
    try:
        modules = {name: importlib.import_module(f"history_{name}") for name in NAMES}
        yield modules | {"history": importlib.import_module("history")}
    finally:
        sys.path.remove(str(BENCH))


def mined(bench: dict[str, ModuleType], root: Path) -> list[Any]:
    head = git(root, "rev-parse", "HEAD").strip()
    source = bench["stream"].open_source(root, head, 1000)
    cases, _ = bench["mine"].mine(bench["stream"].stream(source, 1000), "kettle")
    return list(cases)


def edited(**replaced: str) -> dict[str, str]:
    """The guide with one line replaced by another; underscores of the key are ignored."""
    old, new = replaced["old"], replaced["new"]
    assert old in GUIDE
    return {"docs/guide.md": GUIDE.replace(old, new)}


SAME: Mapping[str, tuple[dict[str, str | None], str, str, str]] = {
    "symbol": ({"kettle.py": CODE.replace("boil_water", "heat")}, "`boil_water()`", "`heat()`", "symbol"),
    "parameter": ({"kettle.py": CODE.replace("max_minutes", "limit")}, "`max_minutes`", "`limit`", "parameter"),
    "flag": ({"flags.py": FLAGS.replace("keep-warm", "hold")}, "--keep-warm", "--hold", "flag"),
    "path": ({"lib/spout.py": None}, "`lib/spout.py`", "the spout", "path"),
    "value": ({"kettle.py": CODE.replace("30", "60")}, "is 30 seconds", "is 60 seconds", "value"),
}


@pytest.mark.parametrize("name", SAME)
def test_miner_finds_a_line_corrected_in_the_commit_that_made_it_wrong(
    name: str, bench: dict[str, ModuleType], tmp_path: Path
) -> None:
    code, old, new, form = SAME[name]
    before = commit(tmp_path, START)
    after = commit(tmp_path, {**code, **edited(old=old, new=new)})
    [case] = [one for one in mined(bench, tmp_path) if not one.excluded]
    assert (case.commit, case.parent, case.fix, case.form, case.late) == (after, before, after, form, False)
    assert GUIDE.splitlines()[case.line - 1] == case.text and old in case.text


@pytest.mark.parametrize("name", SAME)
def test_miner_dates_a_late_correction_to_the_commit_that_made_the_line_wrong(
    name: str, bench: dict[str, ModuleType], tmp_path: Path
) -> None:
    code, old, new, form = SAME[name]
    commit(tmp_path, START)
    wrong = commit(tmp_path, code)
    commit(tmp_path, {"kettle.py": CODE + "# more\n"} if "kettle.py" not in code else {"other.py": "OTHER = 1\n"})
    fix = commit(tmp_path, edited(old=old, new=new))
    [case] = [one for one in mined(bench, tmp_path) if not one.excluded]
    assert (case.commit, case.fix, case.form, case.late) == (wrong, fix, form, True)


EXCLUDED: Mapping[str, tuple[dict[str, str | None], dict[str, str | None], str]] = {
    "local variable": (
        {"kettle.py": CODE.replace("steam_level", "level")},
        edited(old="`steam_level`", new="`level`"),
        "only a local variable",
    ),
    "another program": (
        {"flags.py": FLAGS.replace("descale", "clean"), "docs/guide.md": "docker run --descale\n" * 3 + "x\n" * 20},
        {"docs/guide.md": "docker run --rm\n" * 3 + "x\n" * 20},
        "flag of another program",
    ),
    "page rewritten": (
        {"kettle.py": CODE.replace("boil_water", "heat")},
        {"docs/guide.md": "# Guide\n\nAll of it is new.\n"},
        "page rewritten",
    ),
    "page deleted": ({"kettle.py": CODE.replace("boil_water", "heat")}, {"docs/guide.md": None}, "page deleted"),
    "line about the past": (
        {"kettle.py": CODE.replace("boil_water", "heat"), "README.md": "`boil_water` was removed.\n"},
        {"README.md": "Nothing.\n"},
        "line about the past",
    ),
}


@pytest.mark.parametrize("name", EXCLUDED)
def test_miner_excludes_a_case_for_a_reason(name: str, bench: dict[str, ModuleType], tmp_path: Path) -> None:
    code, documents, reason = EXCLUDED[name]
    first = {path: text for path, text in code.items() if path.endswith(".md")}
    commit(tmp_path, {**START, **first})
    commit(tmp_path, {**{path: text for path, text in code.items() if path not in first}, **documents})
    found = mined(bench, tmp_path)
    assert {one.excluded for one in found} == {reason}


def test_miner_ignores_lines_that_only_move(bench: dict[str, ModuleType], tmp_path: Path) -> None:
    commit(tmp_path, START)
    line = "Call `boil_water()` first.\n"
    moved = GUIDE.replace(line, "") + line
    commit(tmp_path, {"kettle.py": CODE.replace("boil_water", "heat"), "docs/guide.md": moved})
    assert mined(bench, tmp_path) == []


def test_miner_ignores_words_that_still_stand_in_the_code(bench: dict[str, ModuleType], tmp_path: Path) -> None:
    commit(tmp_path, {**START, "more.py": "from kettle import boil_water\n"})
    commit(tmp_path, {"kettle.py": CODE.replace("boil_water", "heat"), **edited(old="`boil_water()`", new="`heat()`")})
    assert mined(bench, tmp_path) == []


def test_miner_reads_the_latest_commits_from_the_tree_before_them(bench: dict[str, ModuleType], tmp_path: Path) -> None:
    commit(tmp_path, START)
    commit(tmp_path, {"other.py": "OTHER = 1\n"})
    after = commit(
        tmp_path, {"kettle.py": CODE.replace("boil_water", "heat"), **edited(old="`boil_water()`", new="`heat()`")}
    )
    source = bench["stream"].open_source(tmp_path, after, 1)
    cases, commits = bench["mine"].mine(bench["stream"].stream(source, 1), "kettle")
    assert [case.commit for case in cases] == [after] and len(commits) == 2


def test_stream_leaves_out_paths_whose_blobs_the_clone_lacks(bench: dict[str, ModuleType], tmp_path: Path) -> None:
    commit(tmp_path, {**START, "large.py": "LARGE = 1\n"})
    blob = git(tmp_path, "rev-parse", "HEAD:large.py").strip()
    head = commit(tmp_path, {"large.py": "LARGE = 2\n"})
    (tmp_path / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    source = bench["stream"].open_source(tmp_path, head, 1000)
    assert source.missing == {"large.py"}
    paths = {one.path for each in bench["stream"].stream(source, 1000) for one in each.files}
    assert paths == set(START)


def test_put_back_tree_has_the_code_of_one_commit_and_the_documents_of_another(
    bench: dict[str, ModuleType], tmp_path: Path
) -> None:
    root = tmp_path / "clone"
    before = commit(root, START)
    after = commit(root, {"kettle.py": "pass\n", "docs/guide.md": None, "docs/new.md": "New.\n"})
    objects = sorted((root / ".git" / "objects").rglob("*"))
    made = bench["trees"].PutBack(root, tmp_path / "scratch")
    tree = made.tree(after, before)
    assert git(made.root, "show", f"{tree}:kettle.py") == "pass\n"
    assert git(made.root, "show", f"{tree}:docs/guide.md") == GUIDE
    assert "docs/new.md" not in git(made.root, "ls-tree", "-r", "--name-only", tree)
    assert sorted((root / ".git" / "objects").rglob("*")) == objects  # the clone itself stays as it was


def report_of(bench: dict[str, ModuleType], root: Path, out: Path, monkeypatch: pytest.MonkeyPatch, *more: str) -> Any:
    monkeypatch.setattr(sys, "argv", ["history.py", str(root), "--out", str(out), *more])
    bench["history"].main()
    return json.loads((out / "report.json").read_text("utf-8"))


def test_history_reports_recall_precision_and_noise(
    bench: dict[str, ModuleType], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = tmp_path / "tea+kettle"
    commit(root, START)
    commit(root, {"kettle.py": CODE.replace("boil_water", "heat"), **edited(old="`boil_water()`", new="`heat()`")})
    commit(root, {"unrelated.py": "UNRELATED = 1\n"})
    found = report_of(bench, root, tmp_path / "out", monkeypatch, "--cases", "1")
    assert (found["recall"]["cases"], found["recall"]["found"]) == (1, 1)
    assert (found["both"]["commits"], found["both"]["lines"], found["both"]["edited"]) == (1, 1, 1)
    assert (found["ordinary"]["commits"], found["ordinary"]["lines"]) == (1, 0)
    assert found["crashes"] == []
    [case] = [json.loads(line) for line in (tmp_path / "out" / "cases.jsonl").read_text("utf-8").splitlines()]
    assert (case["path"], case["line"], case["kind"]) == ("docs/guide.md", 3, "same")
    assert "boil_water" not in json.dumps(case)  # a pointer contains nothing that the author wrote
    assert "tea/kettle" in capsys.readouterr().out


def test_history_leaves_out_pages_that_the_commit_moves(
    bench: dict[str, ModuleType], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "tea+kettle"
    other = "# Other\n\nCall `boil_water()`, too.\n"
    commit(root, {**START, "docs/other.md": other})
    moved = {"docs/guide.md": None, "manual/guide.md": GUIDE, "docs/other.md": other.replace("Call", "Please call")}
    commit(root, {"kettle.py": CODE.replace("boil_water", "heat"), **moved})
    found = report_of(bench, root, tmp_path / "out", monkeypatch)
    shown = [json.loads(line) for line in (tmp_path / "out" / "asserted.jsonl").read_text("utf-8").splitlines()]
    assert [(one["path"], one["line"]) for one in shown] == [("docs/other.md", 3)]
    assert found["both"]["lines"] == 1


@pytest.mark.parametrize(
    ("path", "is_document"),
    [
        ("tests/fixtures/a.output.md", False),
        ("packages/x/test/out/a.mdx", False),
        ("tests/README.md", True),
        ("docs/testing.md", True),
        ("docs/latest/a.md", True),
    ],
)
def test_documents_of_tests_are_material_except_a_readme(
    path: str, is_document: bool, bench: dict[str, ModuleType]
) -> None:
    assert bench["paths"].is_document(path) is is_document


def test_history_reports_a_commit_that_crashes_and_continues(
    bench: dict[str, ModuleType], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "tea+kettle"
    commit(root, START)
    commit(root, {"kettle.py": CODE.replace("boil_water", "heat"), **edited(old="`boil_water()`", new="`heat()`")})

    def refuse(*given: object, **named: object) -> None:
        raise RuntimeError("no survey today")

    monkeypatch.setattr(bench["survey"], "survey_revisions", refuse)
    found = report_of(bench, root, tmp_path / "out", monkeypatch)
    assert (found["recall"]["cases"], found["recall"]["found"]) == (1, 0)
    assert found["crashes"] and all("no survey today" in crash for crash in found["crashes"])


def test_sheet_hides_the_reason_and_its_decoys_are_wrong(
    bench: dict[str, ModuleType], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "tea+kettle"
    more = {"a.py": "keep_boiling = heat_slowly = 1\n", "b.py": "from a import heat_slowly\n"}
    pages = {"docs/guide.md": GUIDE + "\nUse `heat_slowly`.\n"}
    commit(root, {**START, **more, **pages})
    commit(
        root, {"kettle.py": CODE.replace("boil_water", "heat"), "docs/guide.md": pages["docs/guide.md"] + "\nMore.\n"}
    )
    commit(root, {"flags.py": "", "docs/guide.md": pages["docs/guide.md"].replace("--keep-warm", "--hold")})
    out = tmp_path / "out"
    report_of(bench, root, out, monkeypatch, "--sheet", "10")
    sheet = [json.loads(line) for line in (out / "sheet.jsonl").read_text("utf-8").splitlines()]
    key = json.loads((out / "key.json").read_text("utf-8"))["items"]
    assert all({"rule", "severity", "decoy"}.isdisjoint(item) for item in sheet)
    [decoy] = [item for item in sheet if key[item["id"]]["decoy"]]
    assert "`heat_slowly`" in decoy["claim"]
    assert all(git(root, "cat-file", "-t", item["commit"]).strip() == "commit" for item in sheet)


def test_average_gives_a_commit_at_most_five_votes(bench: dict[str, ModuleType]) -> None:
    items = [("large", True)] * 15 + [("small", False)] * 5
    assert bench["report"].capped(items, lambda item: item[0], lambda item: item[1]) == 50.0


SWAPS = {
    ("Waits 30 seconds.", "Waits 60 seconds."): ("30", "60"),
    ("Default: `false`", "Default: `true`"): ("false", "true"),
    ("Needs 3.10 or newer.", "Needs 3.11 or newer."): ("3.10", "3.11"),
    ("Call it now.", "Call it later and wait."): None,
}


@pytest.mark.parametrize("lines", SWAPS)
def test_swap_is_one_value_in_place_of_another(lines: tuple[str, str], bench: dict[str, ModuleType]) -> None:
    assert bench["values"].one_place(*lines) == SWAPS[lines]


PLANTED = {
    "kettle.py": """wait_seconds = 30


def boil_water():
    return wait_seconds


def fill_up(limit_cups=1):
    return limit_cups
""",
    "flags.py": FLAGS,
    "docs/guide.md": "\n\n".join(
        [
            "# Guide",
            *(f"{number}. It uses `boil_water()`." for number in range(6)),
            "`wait_seconds` is 30.",
            "Pass `--keep-warm` at night.",
            "```python\nfill_up(limit_cups=3)\n```\n",
        ]
    ),
}


def test_planted_changes_make_documents_wrong_that_name_them(bench: dict[str, ModuleType], tmp_path: Path) -> None:
    plant = bench["plant"]
    head = commit(tmp_path / "clone", PLANTED)
    clones = importlib.import_module("strangers_clones")
    tree = clones.make_tree(tmp_path / "clone", clones.Repository("tea/kettle", head), tmp_path / "tree")
    chosen = {one.kind: one for one in plant.choose(plant.survey(tree, 1), 1)}
    assert set(chosen) == {"default changed", "flag removed", "symbol renamed", "argument removed"}
    for kind, gone in (("symbol renamed", "boil_water"), ("flag removed", "--keep-warm"), ("default changed", "30")):
        made = plant.planted(tree.root, chosen[kind])
        code = "".join(git(tree.root, "show", f"{made}:{path}") for path in ("kettle.py", "flags.py"))
        assert not re.search(rf"(?<![\w-]){gone}\b", code)
        assert gone in git(tree.root, "show", f"{made}:docs/guide.md")
    assert git(tree.root, "status", "--porcelain") == ""
