"""Addresses without their password, and the names of schemas."""

import pytest

from cairn.adapters.storage.postgres.address import label, lock_number, parse, schema_name

LABELS = {
    "postgresql://me:secret@db.example:5433/kb": "postgresql://me@db.example:5433/kb",
    "postgres://db.example/kb?password=secret&user=me": "postgresql://me@db.example/kb",
    "postgresql:///kb": "postgresql://localhost/kb",
    "postgresql://me:se%40cret@h/kb?sslmode=require": "postgresql://me@h/kb",
}


@pytest.mark.parametrize(("url", "shown"), LABELS.items())
def test_a_label_has_no_password(url: str, shown: str) -> None:
    assert label(parse(url)) == shown


@pytest.mark.parametrize(
    ("workspace", "start"),
    [
        ("/home/me/My Repo", "cairn_my_repo_"),
        ("/home/me/repo/", "cairn_repo_"),
        ("/home/me/日本", "cairn_workspace_"),
        ("/x/" + "long-name-" * 20, "cairn_long_name_long_name_"),
        ('/x/"; DROP SCHEMA public; --', "cairn_drop_schema_public_"),
    ],
)
def test_a_schema_is_named_after_its_workspace(workspace: str, start: str) -> None:
    name = schema_name(workspace)
    assert name.startswith(start)
    assert len(name) <= 63
    assert name.replace("_", "").isalnum()


def test_two_workspaces_of_one_name_stay_apart() -> None:
    assert schema_name("/a/repo") != schema_name("/b/repo")
    assert lock_number(schema_name("/a/repo")) != lock_number(schema_name("/b/repo"))
    assert -(2**63) <= lock_number("x") < 2**63
