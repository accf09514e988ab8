"""Processes that claim at the same time: no job is claimed twice, and jobs of the dead return."""

import uuid

import pytest

from job_crowd import crowd


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_each_job_is_claimed_once_and_those_of_killed_claimers_return(
    kind: str, request: pytest.FixtureRequest, tmp_path
) -> None:
    database = str(tmp_path / "cairn.db")
    if kind == "postgres":
        database = f"{request.getfixturevalue('postgres_url')} /w/{uuid.uuid4()}"
    seen = crowd(database, jobs=200, claimers=6, killed=2)
    assert len(seen.claimed) == 200 and set(seen.claimed.values()) == {1}
    assert seen.killed == len(seen.lost) > 0
    assert sorted(seen.returned) == sorted(seen.lost)
