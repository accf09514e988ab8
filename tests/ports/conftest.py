"""The store on all three databases: one suite of tests, the same answers."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from cairn.adapters.storage.sql.store import SqlStore
from cairn.adapters.storage.sqlite.store import open_memory
from stores import OpenStore, opener
from workbench import Bench


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def store(request: pytest.FixtureRequest) -> Iterator[SqlStore]:
    opened = open_memory() if request.param == "memory" else opener(request.param, request)()
    yield opened
    opened.close()


@pytest.fixture(params=["sqlite", "postgres"])
def shared(request: pytest.FixtureRequest) -> OpenStore:
    """For what needs two connections."""
    return opener(request.param, request)


@pytest.fixture
def every_store(request: pytest.FixtureRequest) -> Iterator[dict[str, SqlStore]]:
    """All of them at once, to compare."""
    opened = {
        "memory": open_memory(),
        "sqlite": opener("sqlite", request)(),
        "postgres": opener("postgres", request)(),
    }
    yield opened
    for one in opened.values():
        one.close()


@pytest.fixture
def bench(tmp_path: Path, store: SqlStore) -> Bench:
    return Bench(tmp_path / "work", store)
