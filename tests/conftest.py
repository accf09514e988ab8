"""What tests anywhere may need: a real PostgreSQL, started once for each worker and ended with it."""

import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

pytest.register_assert_rewrite("deaths", "scenes")

from postgres_server import running_server  # noqa: E402

# A shell without job control starts background jobs with ^C ignored, and the programs under test would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# `nohup` does the same with SIGHUP. We go on ignoring it; a program that we start has the default again.
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, lambda *_: None)

# A machine that does something else meanwhile breaks any deadline.
settings.register_profile("cairn", deadline=None)
settings.load_profile("cairn")


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    with running_server() as server:
        yield server.url
