"""Links to missing files, through the program: which are reported, as one finding for each cause, and which are not."""

import re
from pathlib import Path
from typing import Any

import pytest
import ryaml

from commits import commit
from program import cairn

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
