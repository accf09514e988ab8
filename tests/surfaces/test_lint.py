"""`cairn lint`, as people and programs use it."""

from pathlib import Path

import pytest

from older_base import make_base, node, path_of
from program import cairn, fits_schema
from repository import put


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_base(tmp_path / "w")


def test_nothing_is_wrong(root: Path):
    ran = cairn("lint", cwd=root)
    assert ran.code == 0 and ran.out == "2 pages: 0 errors, 0 findings\n"


def test_errors_and_findings(root: Path):
    put(root, {path_of("map-a"): node("map-a", relates_to="[map-quue]"), path_of("map-b"): node("map-b")})
    ran = cairn("lint", cwd=root)
    assert ran.code == 1 and "did you mean 'map-queue'?" in ran.out and "orphan" not in ran.out
    assert ran.out.endswith("4 pages: 1 error, 1 finding\n") and "orphan 1; `cairn lint -v`" in ran.err
    assert f"[finding] {path_of('map-b')} orphan:" in cairn("lint", "-v", cwd=root).out
    as_json = cairn("lint", "--json", cwd=root)
    fits_schema(as_json.json(), "lint")
    assert as_json.code == 1 and [one["rule"] for one in as_json.json()["findings"]] == ["orphan"]


def test_findings_alone_are_no_failure(root: Path):
    put(root, {path_of("map-b"): node("map-b")})
    assert cairn("lint", cwd=root).code == 0


def test_what_it_found_is_told_where_nothing_can_be_written(root: Path):
    put(root, {path_of("map-a"): node("map-a", relates_to="[nowhere]"), ".cairn/curate": "in the way"})
    ran = cairn("lint", cwd=root)
    assert ran.code == 1 and "dangling-edge" in ran.out and "when this was done is not kept" in ran.err


def test_nothing_to_look_at(tmp_path: Path):
    put(tmp_path, {".cairn/settings.json": "{}"})
    ran = cairn("lint", cwd=tmp_path)
    assert ran.code == 0 and ran.out.startswith("No pages to lint")
