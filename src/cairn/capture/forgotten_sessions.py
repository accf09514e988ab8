"""Sessions of which something was forgotten: their host still has the transcript, and it must not come back by itself.

Only hashes of the sessions' ids are kept, and up to which byte of a transcript nothing is read any more."""

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Final

from cairn.capture.session_names import safe_id
from cairn.changes.write import write_file

FORGOTTEN: Final = ".cairn/forgotten.json"
NEVER: Final = -1
"""Nothing of it is ever read again."""


def barred_through(root: Path, session: str) -> int:
    """Up to which byte of its transcript nothing is to be read; 0 for most sessions, `NEVER` for no byte at all."""
    return _known(root).get(_key(session), 0)


def bar(root: Path, sessions: Mapping[str, int]) -> None:
    if sessions:
        known = _known(root)
        for session, through in sessions.items():
            before = known.get(_key(session), 0)
            known[_key(session)] = NEVER if NEVER in (before, through) else max(before, through)
        write_file(root, FORGOTTEN, json.dumps({"v": 1, "sessions": known}, indent=1) + "\n", mode=0o600)


def _key(session: str) -> str:
    return sha256(safe_id(session).encode("utf-8", "surrogatepass")).hexdigest()


def _known(root: Path) -> dict[str, int]:
    try:
        said = json.loads((root / FORGOTTEN).read_bytes())["sessions"]
        return {str(key): int(through) for key, through in said.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}
