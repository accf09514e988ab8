"""Links to missing files, through the program: which are reported, as one finding for each cause, and which are not."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import ryaml

from commits import commit
from program import cairn, clean_env

CASES = ryaml.loads((Path(__file__).parent / "broken_links.yml").read_text())


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_check_reports_broken_links(case: dict[str, Any], tmp_path: Path) -> None:
    for day, files in enumerate(case["commits"], 1):
        commit(tmp_path / "r", files, f"commit {day}", day=day)
    cairn("init", "-q", cwd=tmp_path / "r")
    found = cairn("check", "--json", cwd=tmp_path / "r").json()
    issues = [issue for issue in found["issues"] if issue["severity"] != "info"]
    assert [shown(issue) for issue in issues] == case.get("findings", [])
    assert case.get("not_checked", "") in " ".join(found["notChecked"])


def shown(issue: dict[str, Any]) -> str:
    places = " ".join(f"{place['path']}:{place['line']}" for place in issue["data"]["places"])
    message = re.sub(r"in [0-9a-f]{9} \(", "in COMMIT (", issue["message"])
    assert issue["data"]["evidence"] and issue["fix"]["summary"]
    return f"{issue['severity']} {places} {message}"


def test_fix_names_the_file_beside_the_page_the_nearest_path_and_the_only_folder(tmp_path: Path) -> None:
    files = {
        "a/README.md": "[x](references/x.md), [y](docs/y.md)\n\n[i](i18n/de.md), [j](i18n/fr.md)\n",
        "a/x.md": "# X\n",
        "b/x.md": "# X\n",
        "b/docs/y.md": "# Y\n",
        "c/y.md": "# Y\n",
        "i18n/de.md": "# D\n",
        "i18n/fr.md": "# F\n",
    }
    commit(tmp_path / "r", files)
    cairn("init", "-q", cwd=tmp_path / "r")
    fixes = {issue["fix"]["summary"] for issue in cairn("check", "--json", cwd=tmp_path / "r").json()["issues"]}
    assert fixes == {"Link to `x.md`.", "Link to `../b/docs/y.md`.", "Link to `../i18n`."}


def test_links_of_documents_that_are_left_out_are_not_reported_as_unchecked(tmp_path: Path) -> None:
    names = "[a](shop.models.Site) [b](shop.blocks.FieldBlock) [c](django.apps.AppConfig.ready)"
    page = f"# X\n\n{names}\n"
    commit(tmp_path / "r", {"docs/conf.py": "x = 1\n", "docs/index.md": page, "docs/archive/old.md": page})
    cairn("init", "-q", cwd=tmp_path / "r")
    said = [line for line in cairn("check", cwd=tmp_path / "r").err.splitlines() if "links in docs/" in line]
    assert said == ["Not checked: 3 links in docs/ (few links of that form lead to a file)."]


def test_check_keeps_its_exit_code_when_nobody_reads_either_stream(tmp_path: Path) -> None:
    commit(tmp_path / "r", {"README.md": "".join(f"[x](gone{n}.md)\n\n" for n in range(2000))})
    cairn("init", "-q", cwd=tmp_path / "r")
    line = f"{sys.executable} -m cairn check 2>&1 | head -1; exit ${{PIPESTATUS[0]}}"
    ended = subprocess.run(["bash", "-c", line], cwd=tmp_path / "r", env=clean_env(), capture_output=True, check=False)
    assert ended.returncode == 1, ended
