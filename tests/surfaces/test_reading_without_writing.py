"""Commands that read work where nothing can be written: a read-only checkout, a full disk, a database that is locked
away. They say so in one line, work in memory, and change no byte."""

import ctypes
import os
import resource
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import mcp_workspace
import repository
from cairn.adapters.storage.sqlite import store
from program import Ran, cairn, clean_env, command_line

COMMANDS = {
    "search ovens crust": (0, "knowledge/baking/ovens.md"),
    "search ovens --no-scan": (0, "knowledge/baking/ovens.md"),
    "list": (0, "knowledge/baking/flour.md"),
    "show knowledge/baking/ovens.md": (0, "Links in"),
    "graph": (0, "README.md"),
    "context --topic bread": (0, "ovens"),
    "check": (1, "x.md"),
    "check --no-scan": (1, "x.md"),
    "check --diff HEAD": (0, "No sentence in doubt"),
    "status": (0, "Health"),
    "orphans": (0, ""),
    "export --format md": (0, "README.md"),
}
MORE = {
    "turns list": (0, ""),
    "turns verify": (0, "no turns"),
    "gaps": (0, "no gaps"),
    "gaps topics": (0, ""),
    "conflict list": (0, ""),
    "approve": (0, ""),
    "freshness sources": (0, ""),
    "freshness frontier": (0, ""),
    "observe findings": (0, ""),
    "findings": (0, ""),
    "actions list": (0, ""),
    "history": (0, ""),
    "job list": (0, ""),
    "job status": (0, ""),
    "session list": (0, ""),
    "judge --dry-run": (0, ""),
}
"""With the exit code, and words of the answer."""
_WITHOUT_DATABASE = ("check --diff HEAD", "session list", "actions list")
"""Commands that need no database, and so have no note to print."""


@pytest.fixture(scope="module")
def scanned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = repository.known_here(mcp_workspace.make(tmp_path_factory.mktemp("scanned") / "bakery"))
    assert cairn("scan", cwd=root).code == 1
    return root


@pytest.fixture
def unscanned(tmp_path: Path) -> Path:
    return repository.known_here(mcp_workspace.make(tmp_path / "bakery"))


# --- places -----------------------------------------------------------------------------------------------------------


def without_rights_of_root() -> None:
    """Root may write everywhere, unless it gives that right away before the program starts."""
    if os.geteuid() == 0:
        for capability in (1, 2, 3):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, CAP_FOWNER
            ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP


def on_a_full_disk(room: int = 0) -> None:
    """For each file there is so much room."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))


class Closed:
    """A tree that nobody may write to, while this is open."""

    def __init__(self, root: Path, *only: str) -> None:
        self._modes = {path: path.lstat().st_mode for path in _chosen(root, only) if not path.is_symlink()}

    def __enter__(self) -> None:
        for path, mode in self._modes.items():
            path.chmod(mode & ~0o222)

    def __exit__(self, *_: object) -> None:
        for path, mode in self._modes.items():
            path.chmod(mode)


def _chosen(root: Path, only: tuple[str, ...]) -> list[Path]:
    return [root / name for name in only] or [root, *root.rglob("*")]


def run(root: Path, command: str, before: Callable[[], None]) -> Ran:
    state = os.environ["XDG_STATE_HOME"]
    env = clean_env(HOME="/nonexistent", XDG_STATE_HOME=state, GIT_OPTIONAL_LOCKS="0")
    line = command_line(*command.split())
    done = subprocess.run(line, cwd=root, env=env, capture_output=True, timeout=60, preexec_fn=before)
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


def everything(root: Path) -> dict[str, bytes]:
    """Without the files that SQLite creates beside a database before it finds that the disk is full."""
    files = (path for path in sorted(root.rglob("*")) if path.is_file() and not path.name.startswith("cairn.db-"))
    return {str(path): path.read_bytes() for path in files}


def works_in_memory(root: Path, command: str, before: Callable[[], None], kept: str = "") -> None:
    was = everything(root / kept)
    ran = run(root, command, before)
    code, words = {**COMMANDS, **MORE}[command]
    assert ran.code == code, ran.err or ran.out
    assert words in ran.out
    assert ran.err.count("works in memory and stores nothing") == (command not in _WITHOUT_DATABASE), ran.err
    assert "warning:" not in ran.err
    assert everything(root / kept) == was


# --- tests ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [*COMMANDS, *MORE])
def test_a_read_only_checkout(scanned: Path, command: str):
    with Closed(scanned):
        works_in_memory(scanned, command, without_rights_of_root)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_read_only_checkout_that_was_never_scanned(unscanned: Path, command: str):
    with Closed(unscanned):
        works_in_memory(unscanned, command, without_rights_of_root)


@pytest.mark.parametrize("command", [*COMMANDS, *MORE])
def test_a_full_disk(scanned: Path, command: str):
    works_in_memory(scanned, command, on_a_full_disk)


def test_the_history_is_read_on_a_full_disk(scanned: Path):
    """Git refreshes its index after a comparison, where the time of a file changed."""
    os.utime(scanned / "README.md", (1, 1))
    ran = run(scanned, "check", on_a_full_disk)
    assert (ran.code, "Not checked" in ran.err) == (1, False), ran.err


def test_a_disk_that_fills_up_in_the_middle_of_a_scan(unscanned: Path):
    assert cairn("scan", cwd=unscanned).code == 1
    for number in range(400):
        (unscanned / f"page-{number}.md").write_text(f"# {number}\n\n" + "words and more words " * 50)
    ran = run(unscanned, "search more words", lambda: on_a_full_disk(100_000))
    assert (ran.code, ran.err.count("works in memory and stores nothing")) == (0, 1)
    assert "page-" in ran.out


@pytest.mark.parametrize("only", [".cairn/cairn.db", ".cairn"])
@pytest.mark.parametrize("command", ["list", "search ovens crust", "status"])
def test_only_the_database_or_its_folder_is_read_only(scanned: Path, command: str, only: str):
    """The ledger may grow then, as for every search."""
    with Closed(scanned, only):
        works_in_memory(scanned, command, without_rights_of_root, kept="knowledge")


def test_a_page_that_changed_after_the_last_scan_is_found(scanned: Path):
    page = scanned / "README.md"
    before = page.read_text()
    page.write_text(before + "\nCroissants need butter.\n")
    try:
        with Closed(scanned):
            assert "README.md" in run(scanned, "search croissants", without_rights_of_root).out
    finally:
        page.write_text(before)


def test_a_database_with_a_write_ahead_log(scanned: Path):
    """Whoever was killed leaves one; it is read too, and stays."""
    script = (
        "import os, sqlite3; c = sqlite3.connect('.cairn/cairn.db'); c.execute('PRAGMA wal_autocheckpoint = 0');"
        "c.execute(\"UPDATE scan_nodes SET title = 'Renamed' WHERE path = 'README.md'\"); c.commit(); os._exit(0)"
    )
    subprocess.run([command_line()[0], "-c", script], cwd=scanned, check=True)
    assert (scanned / ".cairn/cairn.db-wal").stat().st_size
    with Closed(scanned):
        assert "Renamed" in run(scanned, "list", without_rights_of_root).out


def test_a_command_that_writes_still_fails(scanned: Path):
    with Closed(scanned):
        ran = run(scanned, "scan", without_rights_of_root)
    assert ran.code == 2
    assert "cannot be opened for writing" in ran.err


@pytest.fixture
def little_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "ROOM", 1 << 62)


@pytest.mark.usefixtures("little_room")
@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("search", {"query": "ovens crust"}, "knowledge/baking/ovens.md"),
        ("read", {"id": "ovens"}, "230 degrees"),
        ("graph", {"id": "knowledge/baking/flour.md"}, "ovens"),
        ("context", {"topics": ["bread"]}, "ovens"),
    ],
)
def test_tools_for_agents_work_in_memory(unscanned: Path, tool: str, arguments: dict[str, object], words: str):
    result = mcp_workspace.called(unscanned, tool, arguments)
    assert not result.is_error, result.content
    assert words in str(result.content)
    assert not (unscanned / ".cairn/cairn.db").exists()
