"""Files of a repository at GitHub, read and written as git objects: nothing is checked out anywhere."""

import hashlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cairn.adapters.forge.github.api import GitHubApi, Json
from cairn.core.model.change import FileEdit
from cairn.errors import EnvironmentProblem, Refused

REGULAR = frozenset({"100644", "100755"})
_NEW_FILE = "100644"


class GitHubTreeEntry(NamedTuple):
    mode: str
    id: str


class GitHubTrees:
    """Objects never change, so what was read once is kept."""

    def __init__(self, api: GitHubApi, *, prefix: str = "") -> None:
        """`prefix` is the folder of the workspace in the repository: empty, or with a slash behind it."""
        self._api = api
        self._prefix = prefix
        self._commits: dict[str, Json] = {}
        self._folders: dict[str, dict[str, tuple[str, GitHubTreeEntry]]] = {}

    def commit(self, id: str) -> Json | None:
        if id not in self._commits:
            full = len(id) == 40 and id.isalnum()
            found = self._api.look(f"/git/commits/{id}", doing="show a commit") if full else None
            if found is None:
                return None
            self._commits[id] = found
        return self._commits[id]

    def tree_of(self, commit: str) -> str:
        found = self.commit(commit)
        if found is None:
            raise Refused(f"The commit {commit[:12]!r} is not at GitHub; push it there first.")
        return str(found["tree"]["sha"])

    def entries(self, commit: str, paths: Iterable[str]) -> dict[str, GitHubTreeEntry | None]:
        tree = self.tree_of(commit)
        return {path: self._entry(tree, self._prefix + path) for path in paths}

    def content(self, entry: GitHubTreeEntry | None) -> bytes | None:
        if entry is None:
            return None
        blob = self._api.need("GET", f"/git/blobs/{entry.id}", doing="show a file")
        if blob.get("encoding") != "base64":
            raise EnvironmentProblem("GitHub sent a file in a form that is not known; nothing was changed.")
        return b64decode(str(blob["content"]))

    def short(self, path: str) -> str:
        return path.removeprefix(self._prefix)

    def edited(self, commit: str, edits: Sequence[FileEdit]) -> str | None:
        """A tree with these edits in it; None when they change nothing."""
        known = self.entries(commit, [edit.path for edit in edits])
        items = [item for edit in edits if (item := self._item(edit, known[edit.path])) is not None]
        if not items:
            return None
        body = {"base_tree": self.tree_of(commit), "tree": items}
        made = self._api.need("POST", "/git/trees", body, doing="store a folder", repeatable=True)
        return str(made["sha"])

    def committed(self, tree: str, parent: str, message: str) -> str:
        body = {"message": message, "tree": tree, "parents": [parent]}
        made = self._api.need("POST", "/git/commits", body, doing="store a commit", repeatable=True)
        return str(made["sha"])

    def _item(self, edit: FileEdit, known: GitHubTreeEntry | None) -> Json | None:
        _check_path(edit.path)
        if known is not None and known.mode not in REGULAR:
            raise Refused(f"{edit.path} is no regular file in the repository, so it cannot be changed.", path=edit.path)
        if edit.content is None:
            return None if known is None else self._named(edit.path, known.mode, None)
        if known is not None and known.id == blob_id(edit.content):
            return None
        body = {"content": b64encode(edit.content).decode(), "encoding": "base64"}
        made = self._api.need("POST", "/git/blobs", body, doing="store a file", repeatable=True)
        return self._named(edit.path, known.mode if known else _NEW_FILE, str(made["sha"]))

    def _named(self, path: str, mode: str, id: str | None) -> Json:
        return {"path": self._prefix + path, "mode": mode, "type": "blob", "sha": id}

    def _entry(self, tree: str, path: str) -> GitHubTreeEntry | None:
        *folders, name = path.split("/")
        for folder in folders:
            kind, entry = self._folder(tree).get(folder, ("", GitHubTreeEntry("", "")))
            if kind != "tree":
                return None
            tree = entry.id
        found = self._folder(tree).get(name)
        return None if found is None else found[1]

    def _folder(self, tree: str) -> dict[str, tuple[str, GitHubTreeEntry]]:
        if tree not in self._folders:
            found = self._api.need("GET", f"/git/trees/{tree}", doing="show a folder")
            if found.get("truncated"):
                raise EnvironmentProblem("A folder of the repository is too large for GitHub to list; split it.")
            self._folders[tree] = {
                str(item["path"]): (str(item["type"]), GitHubTreeEntry(str(item["mode"]), str(item["sha"])))
                for item in found["tree"]
            }
        return self._folders[tree]


def blob_id(content: bytes) -> str:
    """As git names it."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def _check_path(path: str) -> None:
    parts = path.split("/")
    if any(part in ("", ".", "..") or part.lower() in (".git", "git~1") or "\0" in part for part in parts):
        raise Refused(f"{path!r} is not a path that a change may touch.", path=path)
