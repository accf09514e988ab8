"""State on a ref of git: a chain of commits that only ever grows, here and at the remote.

The tree of a commit has a folder for each workspace of the repository, and in it files of rows, snapshots by their
hash, and change requests as trees. The checkout and its index have no part in this.
"""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple
from urllib.parse import quote

from cairn.adapters.forge.local.git_repository import GitRepository, GitSaid
from cairn.core.ports.git_refs import REMOTE, STATE_REF, RequestsOfState, StateContents
from cairn.errors import EnvironmentProblem, Refused
from cairn.freshness.state_rows import FORMAT_FILE, LARGEST_TABLE, TABLES, key_of, path_of

SNAPSHOTS, CHANGES = "snapshots", "changes"
LARGEST_SNAPSHOT: Final = 64 * 1024 * 1024
MOST_BYTES: Final = 1024 * 1024 * 1024
MOST_CHANGES: Final = 2_000
_FILE, _FOLDER = "100644", "040000"
_CHANGE: Final = re.compile(r"c-[0-9a-f]{8}")
_SECRET: Final = re.compile(r"(?<=://)[^@/\s]+@")
_OPERATORS: Final = ("GIT_SSH", "GIT_SSH_COMMAND", "GIT_ASKPASS", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH")
"""Variables by which somebody says how a remote is reached; only then are they passed on."""
_MAIL: Final = "cairn@localhost"


class _Item(NamedTuple):
    mode: str
    kind: str
    id: str
    size: int
    name: str


class StateRef:
    def __init__(self, root: Path, *, env: Mapping[str, str] | None = None) -> None:
        self.git = GitRepository(root)
        self._env = {name: value for name, value in (env or {}).items() if name in _OPERATORS}

    @property
    def _folder(self) -> str:
        """One name in the tree, whatever the folder of the workspace is called."""
        below = quote(self.git.place.prefix.strip("/"), safe="")
        return f"at-{below}" if below else "at"

    # --- reading -------------------------------------------------------------------------------------------------

    def here(self) -> str | None:
        _ = self.git.place  # says so when this is no repository
        return self.git.commit_at(STATE_REF)

    def read(self, commit: str) -> StateContents | None:
        """None when it holds nothing for this workspace. What is not as we write it is refused, all of it."""
        place = f"{commit}:{self._folder}"
        if self.git.ask("rev-parse", "--verify", "--quiet", "--end-of-options", place) is None:
            return None
        items = {item.name: item for item in self._listed(place)}
        allowed = {FORMAT_FILE: _FILE, **dict.fromkeys(TABLES, _FILE), SNAPSHOTS: _FOLDER, CHANGES: _FOLDER}
        for item in items.values():
            if allowed.get(item.name) != item.mode:
                raise Refused(f"It holds `{item.name}`, which Cairn did not put there.")
        rows = [item for item in items.values() if item.mode == _FILE]
        if large := next((item for item in rows if item.size > LARGEST_TABLE), None):
            raise Refused(f"`{large.name}` has {large.size:,} bytes, more than the {LARGEST_TABLE:,} that are read.")
        texts = self.git.contents([item.id for item in rows])
        files = {item.name: text or b"" for item, text in zip(rows, texts, strict=True)}
        snapshots = self._snapshots(f"{place}/{SNAPSHOTS}") if SNAPSHOTS in items else {}
        changes = self._changes(f"{place}/{CHANGES}") if CHANGES in items else {}
        return StateContents(commit, files, snapshots, changes)

    def _snapshots(self, place: str) -> dict[str, str]:
        found: dict[str, str] = {}
        total = 0
        for item in self._listed(place, "-r"):
            key = key_of(item.name)
            if key is None or item.mode != _FILE:
                raise Refused(f"`{SNAPSHOTS}/{item.name}` is no snapshot of a source.")
            total += item.size
            if item.size > LARGEST_SNAPSHOT or total > MOST_BYTES:
                raise Refused(f"`{SNAPSHOTS}/{item.name}` makes it larger than what is read.")
            found[key] = item.id
        return found

    def _changes(self, place: str) -> dict[str, str]:
        items = self._listed(place)
        if len(items) > MOST_CHANGES:
            raise Refused(f"It holds {len(items):,} change requests, more than the {MOST_CHANGES:,} that are read.")
        if odd := next((i for i in items if i.mode != _FOLDER or not _CHANGE.fullmatch(i.name)), None):
            raise Refused(f"`{CHANGES}/{odd.name}` is no change request.")
        return {item.name: item.id for item in items}

    def _listed(self, place: str, *options: str) -> list[_Item]:
        lines = self.git.need("ls-tree", "-z", "-l", "--full-tree", *options, place).split("\0")[:-1]
        return [_item(line) for line in lines]

    def bytes_of(self, blobs: Sequence[str]) -> list[bytes | None]:
        return self.git.contents(blobs) if blobs else []

    # --- writing -------------------------------------------------------------------------------------------------

    def write(
        self,
        files: Mapping[str, bytes],
        snapshots: Mapping[str, bytes | str],
        changes: Mapping[str, str],
        *,
        parents: Sequence[str],
        at_ms: int,
    ) -> str:
        """A commit on top of the others: the first of them when it says the same already. Snapshots that git has are
        given by their blobs. No ref moves."""
        ours = self._our_tree(files, snapshots, changes)
        tip = parents[0] if parents else None
        folders = {item.name: item for parent in reversed(parents) for item in self._listed(parent)}
        others = [(item.mode, item.id, item.name) for item in folders.values() if item.name != self._folder]
        tree = self._tree([*others, (_FOLDER, ours, self._folder)])
        if tip is not None and self.git.tree_of(tip) == tree and len(parents) == 1:
            return tip
        return self._commit(tree, parents, at_ms)

    def _our_tree(
        self, files: Mapping[str, bytes], snapshots: Mapping[str, bytes | str], changes: Mapping[str, str]
    ) -> str:
        new = [*files.values(), *(data for data in snapshots.values() if isinstance(data, bytes))]
        blobs = iter(self._blobs(new))
        entries = [(_FILE, next(blobs), name) for name in files]
        by_folder: dict[str, list[tuple[str, str, str]]] = {}
        for key, data in snapshots.items():
            folder, name = path_of(key).split("/")
            blob = data if isinstance(data, str) else next(blobs)
            by_folder.setdefault(folder, []).append((_FILE, blob, name))
        if by_folder:
            trees = self._trees(by_folder.values())
            folders = [(_FOLDER, tree, name) for name, tree in zip(by_folder, trees, strict=True)]
            entries.append((_FOLDER, self._tree(folders), SNAPSHOTS))
        if changes:
            requests = [(_FOLDER, tree, id) for id, tree in changes.items()]
            entries.append((_FOLDER, self._tree(requests), CHANGES))
        return self._tree(entries)

    def _blobs(self, contents: Sequence[bytes]) -> list[str]:
        """One call of git for all of them."""
        if not contents:
            return []
        with TemporaryDirectory(prefix="cairn-state-") as folder:
            names = [os.path.join(folder, str(number)) for number in range(len(contents))]
            for name, content in zip(names, contents, strict=True):
                Path(name).write_bytes(content)
            given = os.fsencode("".join(f"{name}\n" for name in names))
            return self.git.need("hash-object", "-w", "--no-filters", "--stdin-paths", given=given).split("\n")

    def _tree(self, entries: Iterable[tuple[str, str, str]]) -> str:
        return self._trees([entries])[0]

    def _trees(self, many: Iterable[Iterable[tuple[str, str, str]]]) -> list[str]:
        """One call of git for all of them; an empty line ends each."""
        kinds = {_FILE: "blob", _FOLDER: "tree"}
        lines = ((f"{mode} {kinds.get(mode, 'blob')} {id}\t{name}\0" for mode, id, name in one) for one in many)
        given = "\0".join("".join(one) for one in lines)
        return self.git.need("mktree", "-z", "--batch", given=os.fsencode(given)).split("\n")

    def _commit(self, tree: str, parents: Sequence[str], at_ms: int) -> str:
        when = f"{at_ms // 1000} +0000"
        by = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in _cairn(when)}
        above = [word for parent in parents for word in ("-p", parent)]
        return self.git.need("commit-tree", tree, *above, "-F", "-", given=b"What is known of sources\n", env=by)

    def contains(self, commit: str, other: str) -> bool:
        return self.git.contains(commit, other)

    def requests_in(self, trees: Mapping[str, str]) -> RequestsOfState:
        from cairn.adapters.forge.local.luggage import checked

        return checked(self.git, trees)

    def keep_requests(self, arriving: RequestsOfState) -> int:
        from cairn.adapters.forge.local.luggage import unpack

        return unpack(self.git, arriving)

    def trees_of_requests(self, theirs: RequestsOfState) -> dict[str, str]:
        from cairn.adapters.forge.local.luggage import packed

        return packed(self.git, theirs)

    def settle(self, commit: str) -> None:
        """From now on this is the state here, provided that it is on top of what was."""
        old = self.git.commit_at(STATE_REF)
        if old != commit and (old is None or self.git.contains(commit, old)):
            self._move(commit, old, why="cairn: state")

    def point_at(self, commit: str, expected: str, *, why: str) -> None:
        self._move(commit, expected, why=why)

    def _move(self, commit: str, old: str | None, *, why: str) -> None:
        """Somebody else may have brought it there at the same time."""
        try:
            self.git.move(STATE_REF, commit, old, why=why)
        except EnvironmentProblem:
            if self.git.commit_at(STATE_REF) != commit:
                raise

    # --- leaving -------------------------------------------------------------------------------------------------

    def belongings(self) -> list[str]:
        """The ref, unless it also holds the state of another workspace."""
        here = self.git.commit_at(STATE_REF)
        others = [] if here is None else [item for item in self._listed(here) if item.name != self._folder]
        return [] if here is None or others else [STATE_REF]

    def leave(self) -> None:
        """Only here: what is at the remote is everybody's."""
        for ref in self.belongings():
            self.git.drop(ref, self.git.commit_at(ref) or "")

    # --- elsewhere -----------------------------------------------------------------------------------------------

    def has_remote(self) -> bool:
        return self.git.ask("remote", "get-url", REMOTE) is not None

    def there(self) -> str | None:
        """The commit at the remote, with everything that it needs; None when nobody has pushed one yet."""
        if not self.has_remote():
            raise EnvironmentProblem(f"There is no remote `{REMOTE}` to which state could travel; add it to git first.")
        tip = self._asked()
        if tip is not None and self.git.commit_at(tip) is None:
            self._reach("fetch", "--no-tags", "--no-write-fetch-head", "--quiet", REMOTE, f"{STATE_REF}")
        if tip is not None and self.git.commit_at(tip) is None:
            raise Refused(
                f"What {REMOTE} has at {STATE_REF} is no commit, so Cairn did not put it there.", ref=STATE_REF
            )
        return tip

    def _asked(self) -> str | None:
        line = self._reach("ls-remote", "--quiet", REMOTE, STATE_REF).decode("utf-8", "replace")
        return line.split("\t")[0].strip() or None

    def push(self, commit: str, expected: str | None) -> bool:
        """False when somebody else was faster: the remote is not where we saw it any more."""
        lease = f"--force-with-lease={STATE_REF}:{expected or ''}"
        try:
            self._reach("push", "--porcelain", "--no-verify", "--quiet", lease, REMOTE, f"{commit}:{STATE_REF}")
        except EnvironmentProblem:
            if self._asked() != expected:
                return False
            raise
        return True

    def _reach(self, *arguments: str) -> bytes:
        try:
            return self.git.run(*arguments, env=self._env)
        except GitSaid as said:
            lines = [line for line in str(said).splitlines() if line.strip()]
            why = next((line for line in lines if line.startswith(("fatal:", "error:", "remote:", "!"))), "no reason")
            raise EnvironmentProblem(
                f"git {arguments[0]} of {STATE_REF} failed: {_SECRET.sub('', why)}; check that `{REMOTE}` can be "
                "reached and that you may push there."
            ) from said


def _item(line: str) -> _Item:
    facts, _, name = line.partition("\t")
    mode, kind, id, size = facts.split()
    return _Item(mode, kind, id, int(size) if size.isdigit() else 0, name)


def _cairn(when: str) -> tuple[tuple[str, str], ...]:
    return (("NAME", "Cairn"), ("EMAIL", _MAIL), ("DATE", when))
