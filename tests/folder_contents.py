"""What a folder holds, to be compared."""

import hashlib
from pathlib import Path


def everything_below(*folders: Path) -> dict[str, tuple[int, int, str]]:
    """Size, time and digest of every file and folder, git's own included."""
    found = {}
    for folder in folders:
        for path in [folder, *folder.rglob("*")]:
            facts = path.lstat()
            digest = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
            found[str(path)] = (facts.st_size if path.is_file() else 0, facts.st_mtime_ns, digest)
    return found
