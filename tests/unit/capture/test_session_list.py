"""Lists of sessions: pages that add up, and only the logs that are shown are opened."""

from pathlib import Path
from typing import Any

import pytest

from cairn.adapters.sessions.files import FileSessions
from cairn.core.model.session import SessionLog
from cairn.core.session_log import PLACEHOLDER, PROPOSAL, head_bytes, list_sessions, log_name


class Counted(FileSessions):
    """Counts how often a log is read."""

    reads = 0

    def read(self, name: str, start: int, end: int) -> bytes:
        self.reads += 1
        return super().read(name, start, end)


def filled(root: Path, number: int) -> Counted:
    root.mkdir()
    logs = Counted(root, ".cairn/sessions")
    for place in range(number):
        at = f"2026-01-{1 + place // 24:02}T{place % 24:02}:00:00.000Z"
        log = SessionLog(f"s{place:03}", ("claude", "codex")[place % 2], "stop", at, "")
        logs.write(log_name(at, log.session_id), [head_bytes(log), PROPOSAL + PLACEHOLDER])
    return logs


CONDITIONS: dict[str, dict[str, Any]] = {
    "none": {"status": None, "host": None},
    "host": {"status": None, "host": "codex"},
    "state": {"status": "pending", "host": None},
}


@pytest.mark.parametrize("asked", CONDITIONS.values(), ids=CONDITIONS)
def test_pages_of_sessions_add_up_to_the_whole_list(tmp_path: Path, asked: dict[str, Any]) -> None:
    logs = filled(tmp_path / "a", 30)
    whole = list_sessions(logs, **asked, limit=1_000)
    pages = [list_sessions(logs, **asked, limit=7, offset=offset) for offset in range(0, 35, 7)]
    assert [one for page in pages for one in page.sessions] == whole.sessions
    assert {page.total for page in pages} == {len(whole.sessions)}
    ids = [one.log.session_id for one in whole.sessions]
    assert ids == sorted(ids, reverse=True)
    assert len(ids) == (15 if asked["host"] else 30)


def test_more_sessions_open_no_more_logs(tmp_path: Path) -> None:
    reads = []
    for number in (20, 60):
        logs = filled(tmp_path / str(number), number)
        list_sessions(logs, status=None, host=None, limit=5)
        reads.append(logs.reads)
    assert reads[0] == reads[1]
