"""Which work tree this is: `.cairn/identity.json`, made with the first event and not shared by a copied folder; whether
`.cairn` is this machine's own; and branch and remote, read from git's own files.

Part of what a hook pays for, so it imports next to nothing.
"""

import json
import os
import re

_LARGEST = 8192


def identity_of(ledger_dir: str) -> dict[str, object] | None:
    """What `.cairn/identity.json` says about this work tree; None when there is none, or when it belongs to another:
    somebody copied the folder, and two may not write under one name."""
    identity = _read_identity(_identity_file(ledger_dir))
    return identity if identity is not None and _is_mine(identity, _folder(ledger_dir)) else None


def worktree_name(identity: dict[str, object]) -> str:
    """By which events and files of the ledger tell of a work tree: its folder's name, made safe, and its id."""
    letters = [c if c.isascii() and c.isalnum() else "-" for c in str(identity["worktree_label"]).lower()]
    slug = "-".join(part for part in "".join(letters).split("-") if part)[:40].rstrip("-") or "root"
    return f"{slug}-{str(identity['worktree_id']).replace('-', '')[:12]}"


def _folder(ledger_dir: str) -> str:
    return os.path.dirname(os.path.abspath(ledger_dir))


def _identity_file(ledger_dir: str) -> str:
    return os.path.join(_folder(ledger_dir), "identity.json")


def _read_identity(path: str) -> dict[str, object] | None:
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        value = json.loads(os.read(fd, _LARGEST))
    except (OSError, ValueError, RecursionError):
        return None
    finally:
        os.close(fd)
    return value if isinstance(value, dict) and _is_sound(value) else None


def _is_sound(identity: dict[str, object]) -> bool:
    digits = str(identity.get("worktree_id")).replace("-", "")
    return (
        len(digits) == 32 and not digits.strip("0123456789abcdef") and isinstance(identity.get("worktree_label"), str)
    )


def _is_mine(identity: dict[str, object], folder: str) -> bool:
    """By place: where it says that it is, or in the folder that it was made in, wherever that is now."""
    if identity.get("path") == folder:
        return True
    try:
        if identity.get("inode") != os.stat(folder).st_ino:
            return False
        there = os.path.join(str(identity.get("path")), "identity.json")
        return os.path.samefile(there, os.path.join(folder, "identity.json")) or not _says_the_same(there, identity)
    except OSError:
        return True


def _says_the_same(path: str, identity: dict[str, object]) -> bool:
    other = _read_identity(path)
    return other is not None and other["worktree_id"] == identity["worktree_id"]


def make_identity(ledger_dir: str, created_at: str) -> dict[str, object]:
    """Under the lock. An identity that another program made here, without a place, is taken over."""
    path, folder = _identity_file(ledger_dir), _folder(ledger_dir)
    there = _read_identity(path) or {}
    if "path" in there and _is_mine(there, folder):
        return there  # another process was faster
    digits = f"{int.from_bytes(os.urandom(16), 'big') & ~(0xF << 76 | 3 << 62) | 4 << 76 | 2 << 62:032x}"
    made: dict[str, object] = {
        "worktree_id": hyphenated(digits),
        "worktree_label": os.path.basename(os.path.dirname(folder)),
        "created_at": created_at,
        **({} if "path" in there else there),
        "path": folder,
        "inode": os.stat(folder).st_ino,
    }
    _replace(path, json.dumps(made, indent=2).encode() + b"\n")
    return made


def _replace(path: str, content: bytes) -> None:
    """Beside, then over it: a kill leaves the old one or the new one."""
    fd = os.open(f"{path}.new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        os.write(fd, content)
        os.fsync(fd)
    finally:
        os.close(fd)
    os.rename(f"{path}.new", path)
    sync_folder(os.path.dirname(path))


def sync_folder(path: str) -> None:
    fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def hyphenated(text: str) -> str:
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


# --- whether `.cairn` is this machine's own ---------------------------------------------------------------------------

FOLDER = ".cairn"
OWN_NAMES = (
    *("cairn.db*", "ledger", "identity.json*", "settings.local.json", "backups", "log", "spool", "hook-errors.log*"),
    *("briefing.json", "snapshots", "sessions", "forgotten.json", "locks", "curate"),
)
"""What `core.paths` lists, for those who cannot import it; a test holds the two together."""


def foreign_part(root: str) -> tuple[str, str] | None:
    """The part of `.cairn` that a repository may have brought in a way that git does not list below `.cairn`, and a
    sentence about it: a symbolic link, another repository, or a name that only some file systems take for ours."""
    folder = os.path.join(root, FOLDER)
    try:
        os.lstat(folder)
        names = os.listdir(root)
    except OSError:
        return None
    if FOLDER not in names:
        return FOLDER, f"{FOLDER} is spelled differently on this disk; rename it to {FOLDER}"
    return _foreign(root, FOLDER) or next(filter(None, (_foreign_name(root, name) for name in _listed(folder))), None)


def _foreign_name(root: str, name: str) -> tuple[str, str] | None:
    plain = name.casefold()
    if not any(plain == own or (own[-1] == "*" and plain.startswith(own[:-1])) for own in OWN_NAMES):
        return None
    path = f"{FOLDER}/{name}"
    if not name.isascii():
        return path, f"{path} has letters that only look like those of a file of Cairn; remove it"
    return _foreign(root, path)


def _foreign(root: str, path: str) -> tuple[str, str] | None:
    place = os.path.join(root, path)
    if os.path.islink(place):
        return path, (
            f"{path} is a symbolic link, so what it holds may have come with the repository; remove the link, or put "
            "what it leads to in its place if all of it is yours"
        )
    if os.path.lexists(os.path.join(place, ".git")):
        return path, (
            f"{path} is a git repository of its own, so what it holds may have come from somebody else; remove "
            f"{path}/.git if all of it is yours, else {path}"
        )
    return None


def _listed(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


# --- what git's own files say, without starting git ------------------------------------------------------------------

_ORIGIN = r'^\s*\[\s*remote\s+"origin"\s*\]\s*(?:[#;].*)?$'
_URL = r"^\s*url\s*=\s*((?:.*\S)?)\s*$"  # compiled on first use: a hook never asks for the address
_LARGEST_CONFIG = 1024 * 1024


def branch(root: str) -> str | None:
    """None outside of a repository, and where no branch is checked out."""
    folder = _git_folder(root)
    head = _text(os.path.join(folder, "HEAD")) if folder else ""
    name = head.strip().removeprefix("ref: refs/heads/")
    return name if name and name != head.strip() else None


def remote(root: str) -> str | None:
    """The address of `origin`, as the repository's own configuration has it."""
    folder = _git_folder(root)
    found, inside = None, False
    for line in _text(os.path.join(_common(folder), "config")).splitlines() if folder else ():
        if line.lstrip().startswith("["):
            inside = re.match(_ORIGIN, line, re.IGNORECASE) is not None
        elif inside and found is None and (match := re.match(_URL, line, re.IGNORECASE)):
            found = match[1].strip('"') or None
    return found


def _git_folder(root: str) -> str | None:
    """Of the repository that holds this folder; a linked work tree's `.git` is a file that says where."""
    folder = os.path.realpath(root)
    while True:
        git = os.path.join(folder, ".git")
        if os.path.isdir(git):
            return git
        if os.path.isfile(git):
            said = _text(git).strip()
            return os.path.join(folder, said.removeprefix("gitdir:").strip()) if said.startswith("gitdir:") else None
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def _common(folder: str) -> str:
    said = _text(os.path.join(folder, "commondir")).strip()
    return os.path.join(folder, said) if said else folder


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:
            return stream.read(_LARGEST_CONFIG)
    except OSError:
        return ""
