"""Makes scratch work trees of public repositories from clones that may be bare and may lack large blobs."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from measure import environment

CLONES = Path("clones")
DOCUMENTS = (".md", ".markdown", ".mdx", ".rst")
ME = ("-c", "user.name=bench", "-c", "user.email=bench@example.org", "-c", "commit.gpgsign=false")


class Repository(NamedTuple):
    name: str
    """`owner/name`."""
    commit: str


class Tree(NamedTuple):
    repository: Repository
    root: Path
    files: tuple[str, ...]
    """Tracked paths, sorted."""
    missing: int
    """Blobs that the clone lacks; an empty file stands in for each."""

    @property
    def documents(self) -> int:
        return sum(path.lower().endswith(DOCUMENTS) for path in self.files)


def read_list(path: Path) -> list[Repository]:
    """Parses lines of `owner/name commit`; `#` begins a comment."""
    lines = (line.split("#")[0].split() for line in path.read_text("utf-8").splitlines())
    rows = [line for line in lines if line]
    if bad := [" ".join(row) for row in rows if len(row) != 2 or "/" not in row[0]]:
        sys.exit(f"{path}: expected `owner/name commit`, got: {', '.join(bad)}")
    return [Repository(*row) for row in rows]


def find_clone(clones: Path, repository: Repository) -> Path | None:
    """Returns the git directory or work tree, in the layout of `fetch` or as a plain folder."""
    flat = repository.name.replace("/", "+")
    places = (clones / flat / "repo", clones / flat, clones / repository.name)
    return next((place for place in places if (place / "HEAD").exists() or (place / ".git").exists()), None)


def git(root: Path, *args: str, given: bytes | None = None, check: bool = True) -> bytes:
    done = subprocess.run(["git", "-C", str(root), *ME, *args], input=given, capture_output=True, env=environment())
    if check and done.returncode:
        sys.exit(f"git {' '.join(args)} in {root}: {done.stderr.decode(errors='replace')}")
    return done.stdout


def make_tree(clone: Path, repository: Repository, root: Path) -> Tree:
    """Clones by reference and checks out the commit, with empty files in place of missing blobs."""
    shutil.rmtree(root, ignore_errors=True)
    root.parent.mkdir(parents=True, exist_ok=True)
    git(root.parent, "clone", "--quiet", "--shared", "--no-checkout", str(clone.resolve()), str(root))
    git(root, "remote", "set-url", "origin", f"https://github.com/{repository.name}.git")
    git(root, "update-ref", "HEAD", repository.commit)
    git(root, "read-tree", "HEAD")
    blobs = list_blobs(root)
    missing = missing_blobs(root, blobs)
    if not missing:
        git(root, "checkout-index", "--all", "--force", "--index")
    else:
        check_out_partly(root, blobs, missing)
    return Tree(repository, root, tuple(sorted(blobs)), len(missing))


def list_blobs(root: Path) -> dict[str, str]:
    """Maps each tracked path to its blob; submodules are left out."""
    entries = git(root, "ls-tree", "-r", "-z", "HEAD").split(b"\0")
    split = (entry.split(b"\t", 1) for entry in entries if entry)
    return {os.fsdecode(path): head.split()[2].decode() for head, path in split if head.split()[1] == b"blob"}


def missing_blobs(root: Path, blobs: dict[str, str]) -> set[str]:
    asked = "".join(f"{blob}\n" for blob in sorted(set(blobs.values())))
    answers = git(root, "cat-file", "--batch-check", given=asked.encode()).decode().splitlines()
    gone = {line.split()[0] for line in answers if line.endswith(" missing")}
    return {path for path, blob in blobs.items() if blob in gone}


def check_out_partly(root: Path, blobs: dict[str, str], missing: set[str]) -> None:
    git(root, "update-index", "-z", "--skip-worktree", "--stdin", given=joined(missing))
    git(root, "checkout-index", "--force", "--index", "-z", "--stdin", given=joined(set(blobs) - missing))
    for path in missing:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).touch()


def joined(paths: Iterable[str]) -> bytes:
    return b"".join(os.fsencode(path) + b"\0" for path in sorted(paths))


def quiet_environment(home: Path) -> dict[str, str]:
    """An environment in which no settings or sessions of this machine's user are found."""
    home.mkdir(parents=True, exist_ok=True)
    kept = {key: value for key, value in environment().items() if not key.startswith(("XDG_", "GIT_", "CLAUDE"))}
    return kept | {"HOME": str(home), "GIT_CONFIG_NOSYSTEM": "1"}


def select(repositories: Sequence[Repository], names: Sequence[str]) -> list[Repository]:
    """Keeps the repositories whose name contains one of the given words; all of them without words."""
    return [one for one in repositories if not names or any(name in one.name for name in names)]
