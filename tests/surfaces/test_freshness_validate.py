"""`cairn freshness validate`, through the program."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from program import cairn, fits_schema

GOOD = "---\nname: {name}\ndescription: About it.\n---\n## Deep Guidance\n\nText.\n"
BAD = "---\nname: Bad\nlast-reviewed: 2026-02-30\nsources:\n  - url: http://localhost/x\n---\nText.\n"


def write(root: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    write(tmp_path, {"knowledge/api/limits.md": GOOD.format(name="limits"), "knowledge/README.md": "# Us\n"})
    return tmp_path


def tree(root: Path) -> list[str]:
    return sorted(str(path) for path in root.rglob("*") if ".git/" not in f"{path}/")


def test_without_a_workspace_and_without_a_trace(repository: Path):
    before = tree(repository)
    ran = cairn("freshness", "validate", cwd=repository / "knowledge" / "api")
    assert (ran.code, ran.out) == (0, "1 page in knowledge (layout entries): No problems found\n")
    assert tree(repository) == before


def test_everything_that_is_wrong_with_line_and_field(repository: Path):
    write(repository, {"knowledge/api/bad.md": BAD})
    ran = cairn("freshness", "validate", cwd=repository)
    assert ran.code == 1
    lines = ran.out.splitlines()
    assert [line.split(" ")[:3] for line in lines[:-1]] == [
        ["[error]", "knowledge/api/bad.md:1", "`description`"],
        ["[error]", "knowledge/api/bad.md:2", "`name`"],
        ["[error]", "knowledge/api/bad.md:2", "`name`"],
        ["[error]", "knowledge/api/bad.md:3", "`last-reviewed`"],
        ["[error]", "knowledge/api/bad.md:5", "`sources[0].url`"],
        ["[warn]", "knowledge/api/bad.md:7", "There"],
    ]
    assert lines[-1] == "2 pages in knowledge (layout entries): 5 errors, 1 warning"


def test_warnings_alone_end_well(repository: Path):
    write(repository, {"knowledge/api/quick.md": "---\nname: quick\ndescription: d\nvolatility: fast-moving\n---\n"})
    ran = cairn("freshness", "validate", "--json", cwd=repository)
    body: Any = ran.json()
    fits_schema(body, "freshness-validate")
    assert (ran.code, body["counts"]) == (0, {"error": 0, "warn": 2})
    assert [issue["analyzerId"] for issue in body["issues"]] == ["fast-moving-unsourced", "section-missing"]


def test_one_name_twice(repository: Path):
    write(repository, {"knowledge/billing/limits.md": GOOD.format(name="limits")})
    ran = cairn("freshness", "validate", cwd=repository)
    assert ran.code == 1
    assert "`limits` is also that of `knowledge/api/limits.md`" in ran.out


def test_hosts_that_may_be_cited(repository: Path):
    source = "sources: [{url: 'https://blog.dev/a'}]\n"
    write(
        repository,
        {
            "knowledge/api/limits.md": GOOD.format(name=f"limits\n{source.strip()}"),
            "docs/knowledge-freshness/authoritative-sources.yaml": "hosts: [vendor.dev]\n",
        },
    )
    ran = cairn("freshness", "validate", cwd=repository)
    assert (ran.code, "blog.dev" in ran.out) == (0, True)
    write(repository, {"docs/knowledge-freshness/authoritative-sources.yaml": "hosts: {\n"})
    ran = cairn("freshness", "validate", cwd=repository)
    assert ran.code == 2
    assert "authoritative-sources.yaml" in ran.err


def test_part_of_a_corpus(repository: Path):
    write(repository, {"knowledge/api/bad.md": BAD})
    assert cairn("freshness", "validate", "limits.md", cwd=repository / "knowledge/api").code == 0
    assert cairn("freshness", "validate", "bad.md", cwd=repository / "knowledge/api").code == 1
    assert cairn("freshness", "validate", "knowledge/api", cwd=repository).code == 1


def test_a_folder_that_nobody_named(repository: Path):
    write(repository, {"notes/a.md": "# A\n"})
    assert cairn("freshness", "validate", "notes", cwd=repository).code == 5
    assert cairn("freshness", "validate", "notes", "--layout", "plain", cwd=repository).code == 0
    ran = cairn("freshness", "validate", "notes", "--layout", "entries", cwd=repository)
    assert (ran.code, "There is no frontmatter" in ran.out) == (1, True)


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        (("--layout", "entries"), 2, "name the folder too"),
        (("--layout", "tree", "notes"), 2, "entries"),
        (("--layout", "entries", "README.md"), 2, "`README.md` is a file"),
        (("gone",), 5, "gone"),
        (("../outside",), 2, "outside"),
        (("--json", "--sarif"), 2, "Choose one of"),
        (("--dry-run",), 2, "--dry-run goes with --fix"),
        (("README.md",), 5, "no page of knowledge in `README.md`"),
    ],
)
def test_what_it_is_asked_wrongly_is_one_sentence(repository: Path, args: tuple[str, ...], code: int, words: str):
    write(repository, {"README.md": "# Us\n", "notes/a.md": "# A\n"})
    ran = cairn("freshness", "validate", *args, cwd=repository)
    assert ran.code == code
    assert words in ran.err + ran.out


def test_nothing_to_validate_is_said(tmp_path: Path):
    ran = cairn("freshness", "validate", cwd=tmp_path)
    assert (ran.code, "No knowledge was found here" in ran.err) == (5, True)


def test_for_other_tools(repository: Path):
    write(repository, {"knowledge/api/bad.md": BAD})
    log = json.loads(cairn("freshness", "validate", "--sarif", cwd=repository).out)
    assert {result["ruleId"] for result in log["runs"][0]["results"]} == {
        "entry-invalid",
        "name-mismatch",
        "section-missing",
    }
    lines = cairn("freshness", "validate", "--github", cwd=repository).out.splitlines()
    assert lines[0].startswith("::error file=knowledge/api/bad.md,line=1,title=entry-invalid::")


def test_settings_decide_where_there_are_some(repository: Path):
    write(repository, {".cairn/settings.json": '{"corpora": {"notes": {"layout": "plain"}}}', "notes/a.md": BAD})
    ran = cairn("freshness", "validate", cwd=repository)
    assert (ran.code, ran.out) == (
        0,
        "2 pages in notes (layout plain), knowledge (layout entries): No problems found\n",
    )


def test_files_that_cannot_be_read_are_named(repository: Path):
    write(repository, {".cairn/settings.json": '{"corpora": {"knowledge": {"layout": "entries"}}}'})
    (repository / "knowledge/api/binary.md").write_bytes(b"---\nname: \0\n---\n")
    (repository / "knowledge/api/large.md").write_bytes(b"x" * 1_100_000)
    (repository / "knowledge/api/link.md").symlink_to("/etc/hostname")
    ran = cairn("freshness", "validate", "--json", cwd=repository)
    assert {issue["analyzerId"] for issue in ran.json()["issues"]} == {
        "file-binary",
        "file-oversized",
        "symlink-skipped",
    }
    assert ran.code == 1


def test_a_lock_file_that_cannot_be_read_is_told(repository: Path):
    write(repository, {".cairn/settings.json": '{"corpora": {"docs": {"layout": "plain"}}}', "docs/a.md": "# A\n"})
    write(repository, {"docs/cairn.lock": "a.md  reviewed  2026-01-01\n<<<<<<< HEAD\n"})
    ran = cairn("freshness", "validate", cwd=repository)
    assert ran.code == 1
    assert ran.out.startswith("[error] docs/cairn.lock:2 This file has a merge conflict;")


FRAGMENT = "---\nname: limits\ndescription: About it.\nsources:\n  - url: https://x.dev/a#b  # said so\n---\n"


def test_what_needs_no_thought_is_mended(repository: Path):
    page = repository / "knowledge/api/limits.md"
    write(repository, {"knowledge/api/limits.md": FRAGMENT + "## Deep Guidance\n"})
    ran = cairn("freshness", "validate", cwd=repository)
    assert "1 of these can be mended with --fix" in ran.err
    only = cairn("freshness", "validate", "--fix", "--dry-run", "--json", cwd=repository)
    fits_schema(only.json(), "freshness-validate")
    assert [one["path"] for one in only.json()["fixed"]] == ["knowledge/api/limits.md"]
    assert only.json()["issues"][0]["fix"]["autofixable"]
    assert page.read_text() == FRAGMENT + "## Deep Guidance\n"

    ran = cairn("freshness", "validate", "--fix", cwd=repository)
    assert (ran.code, ran.out.splitlines()[-1]) == (0, "1 page in knowledge (layout entries): No problems found")
    assert '+    anchor: "#b"' in ran.out and "mended 1 page" in ran.err
    assert page.read_text() == FRAGMENT.replace("#b  # said so", '  # said so\n    anchor: "#b"') + "## Deep Guidance\n"
    assert "mended 0 pages" in cairn("freshness", "validate", "--fix", cwd=repository).err


def test_only_corpora_that_were_looked_at_are_named(repository: Path):
    write(repository, {f"docs/{name}.md": "# A\n" for name in "abc"})
    assert "docs (layout plain), knowledge (layout" in cairn("freshness", "validate", cwd=repository).out
    ran = cairn("freshness", "validate", "knowledge", cwd=repository)
    assert ran.out == "1 page in knowledge (layout entries): No problems found\n"
