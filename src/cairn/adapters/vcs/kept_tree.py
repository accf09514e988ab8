"""A work tree as it is at some moment, kept by git, so that it can be put back whatever somebody does to it."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from cairn.adapters.vcs.program import OPTIONS, environment
from cairn.errors import EnvironmentProblem

_SECONDS = 300.0


class GitKeptTree:
    """Everything below the top of the repository that git does not ignore, tracked or not, and what is staged."""

    def __init__(self, top: Path, scratch: Path) -> None:
        self._top = top
        self._scratch = scratch
        self._index = Path(self._git("rev-parse", "--git-path", "index").decode().strip())
        self._staged = self._index_bytes()
        self.tree = self._write_tree("before")

    def changed(self) -> list[str]:
        """Paths that are not as they were, from the top of the repository."""
        return [path for _, path in self._differences()]

    def put_back(self) -> list[str]:
        """Everything as it was; the paths that had changed."""
        differences = self._differences()
        wanted = [path for status, path in differences if status != "A"]
        for path in (path for status, path in differences if status == "A"):
            self._remove(path)
        if wanted:
            given = "".join(f"{path}\0" for path in wanted)
            self._git("checkout-index", "-f", "-z", "--stdin", index="before", given=os.fsencode(given))
        if self._index_bytes() != self._staged:
            self._restore_index()
        return [path for _, path in differences]

    def _remove(self, path: str) -> None:
        with suppress(FileNotFoundError):
            os.unlink(self._top / path)
        for folder in Path(path).parents:
            with suppress(OSError):
                (self._top / folder).rmdir()

    def _differences(self) -> list[tuple[str, str]]:
        now = self._write_tree("now")
        out = self._git("diff-tree", "-r", "-z", "--no-renames", "--name-status", self.tree, now)
        words = os.fsdecode(out).split("\0")
        return list(zip(words[0::2], words[1::2], strict=False))

    def _write_tree(self, name: str) -> str:
        """Beside the real index, which stays as it is; a copy of it spares git to read what it knows."""
        index = self._scratch / name
        if not index.exists() and self._staged is not None:
            index.write_bytes(self._staged)
        self._git("add", "-A", "--", ".", index=name)
        return self._git("write-tree", index=name).decode().strip()

    def _index_bytes(self) -> bytes | None:
        path = self._top / self._index
        return path.read_bytes() if path.exists() else None

    def _restore_index(self) -> None:
        path = self._top / self._index
        if self._staged is None:
            path.unlink(missing_ok=True)
            return
        beside = path.with_name(f"{path.name}.cairn-{os.getpid()}")
        beside.write_bytes(self._staged)
        beside.replace(path)

    def _git(self, *arguments: str, index: str | None = None, given: bytes = b"") -> bytes:
        env = {**environment(), **({"GIT_INDEX_FILE": str(self._scratch / index)} if index else {})}
        done = subprocess.run(
            ["git", *OPTIONS, *arguments],
            cwd=self._top,
            env=env,
            input=given,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip().splitlines()
            raise EnvironmentProblem(f"git cannot keep the files as they are: {said[-1] if said else 'it failed'}.")
        return done.stdout


@contextmanager
def kept_tree(top: Path) -> Iterator[GitKeptTree]:
    scratch = Path(tempfile.mkdtemp(prefix="cairn-kept-"))
    try:
        yield GitKeptTree(top, scratch)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
