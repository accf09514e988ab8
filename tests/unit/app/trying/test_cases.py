"""Every finder that needs no history, case by case."""

from pathlib import Path
from typing import Any

import pytest
import ryaml

from cairn.app.trying.looking import look_around

CASES: list[dict[str, Any]] = ryaml.loads((Path(__file__).parent / "cases.yml").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_what_is_said(tmp_path: Path, case: dict[str, Any]):
    for name, text in case["files"].items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    tried = look_around(tmp_path, env={}, everything=True)
    assert tried.problems == ()
    told = {(finding.kind, finding.place.path, finding.place.line): finding.message for finding in tried.findings}
    said = [(f.kind, f.place.path, f.place.line, f.message) for f in tried.findings]
    for kind, path, line, words in case["expect"]:
        assert any(row[:3] == (kind, path, line) and words in row[3] for row in said), said
    assert len(said) == len(case["expect"]), told


def test_an_oversized_skill_and_a_long_description(tmp_path: Path):
    skill = tmp_path / "skills" / "brew" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text(f"---\nname: brew\ndescription: {'word ' * 300}\n---\n" + "line\n" * 600)
    said = [finding.message for finding in look_around(tmp_path, env={}, kind="skill").findings]
    assert len(said) == 2
    assert "1,499 characters" in said[0]
    assert "605 lines" in said[1]


def test_a_page_that_nothing_links_to(tmp_path: Path):
    docs = tmp_path / "docs"
    docs.mkdir()
    names = [f"page-{n}" for n in range(9)]
    docs.joinpath("index.md").write_text("# Index\n\n" + "".join(f"- [{name}]({name}.md)\n" for name in names))
    for name in [*names, "lost"]:
        docs.joinpath(f"{name}.md").write_text(f"# {name}\n")
    [finding] = look_around(tmp_path, env={}, kind="orphan").findings
    assert finding.place.path == "docs/lost.md"
    (tmp_path / "mkdocs.yml").write_text("site_name: x\n")  # takes every page that it finds
    assert look_around(tmp_path, env={}, kind="orphan").findings == ()
    (tmp_path / "mkdocs.yml").write_text("site_name: x\nnav:\n  - Lost: lost.md\n")
    assert look_around(tmp_path, env={}, kind="orphan").findings == ()
