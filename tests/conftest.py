"""What tests anywhere may need: a real PostgreSQL, started once for each worker and ended with it."""

from collections.abc import Iterator

import pytest

from postgres_server import running_server


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    with running_server() as url:
        yield url
