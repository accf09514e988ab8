"""What tests anywhere may need: a real PostgreSQL, started once for each worker and ended with it."""

import atexit
import os
import shutil
import signal
import tempfile
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

# Approvals hold for the same content in every repository of a user, so those of an earlier run would decide a test.
_STATE = tempfile.mkdtemp(prefix="cairn-state-")
os.environ["XDG_STATE_HOME"] = _STATE
atexit.register(shutil.rmtree, _STATE, ignore_errors=True)

# A busy machine breaks any deadline. `make test` tries the same cases each time, so that a
# change passes or fails by itself; `make fuzz` draws others.
settings.register_profile("same", deadline=None, derandomize=True)
settings.register_profile("random", deadline=None, print_blob=True)
settings.load_profile(os.environ.get("PROPERTIES", "same"))


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    with running_server() as server:
        yield server.url
