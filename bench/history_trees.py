"""Makes trees with the code of one commit and the documents of another, in a scratch repository beside the clone."""

import os
import subprocess
from pathlib import Path

from history_paths import is_document
from measure import environment
from strangers_clones import ME, git


class PutBack:
    """Writes objects to its own folder only; the clone's are read through it."""

    def __init__(self, clone: Path, root: Path) -> None:
        self.root = root
        root.mkdir(parents=True, exist_ok=True)
        git(root, "init", "--quiet", "--bare")
        (root / "index.lock").unlink(missing_ok=True)  # of a run that was ended
        objects = git(clone, "rev-parse", "--git-path", "objects").decode().strip()
        (root / "objects" / "info" / "alternates").write_text(f"{(clone / objects).resolve()}\n")
        self.made: dict[tuple[str, str], str] = {}

    def tree(self, after: str, documents: str) -> str:
        """The tree to judge: `after` itself where its documents are wanted."""
        if documents == after:
            return after
        if (after, documents) not in self.made:
            self.made[after, documents] = put_back(self.root, self.root / "index", after, documents)
        return self.made[after, documents]


def put_back(root: Path, index: Path, after: str, documents: str) -> str:
    """Makes the tree with an index of its own."""
    extra = {"GIT_INDEX_FILE": str(index)}
    run_git(root, "read-tree", after, extra=extra)
    edits = [f"0 {'0' * 40}\t{path}" for path in documents_in(root, after)]
    edits += [f"{entry}\t{path}" for path, entry in documents_in(root, documents).items()]
    run_git(root, "update-index", "--index-info", given="".join(f"{one}\n" for one in edits), extra=extra)
    return run_git(root, "write-tree", "--missing-ok", extra=extra).strip()


def documents_in(root: Path, tree: str) -> dict[str, str]:
    """Mode and blob of each document; paths that git would quote are left out."""
    entries = (line.split("\t", 1) for line in git(root, "ls-tree", "-r", tree).decode(errors="replace").splitlines())
    return {path: f"{head.split()[0]} {head.split()[2]}" for head, path in entries if is_document(path)}


def run_git(root: Path, *args: str, given: str | None = None, extra: dict[str, str] | None = None) -> str:
    """Runs git, and raises where it fails."""
    sent = None if given is None else given.encode("utf-8", "surrogateescape")
    command = ["git", "-C", str(root), *ME, *args]
    done = subprocess.run(command, input=sent, capture_output=True, env={**environment(), **(extra or {})}, check=True)
    return os.fsdecode(done.stdout)
