"""Git by its plumbing: objects, refs, trees. Hooks are off, and an index of our own keeps the user's as it is."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from cairn.adapters.vcs import answers
from cairn.adapters.vcs.program import OPTIONS, environment
from cairn.errors import EnvironmentProblem, Refused

SECONDS = 120.0
_STEADY = (
    "-c", "core.splitIndex=false", "-c", "index.sparse=false", "-c", "core.untrackedCache=false",
    "-c", "core.fsync=committed", "-c", "i18n.commitEncoding=UTF-8",
    "-c", "gc.auto=0",
)  # fmt: skip
_REGULAR = ("100644", "100755")
_FOLDER = "040000"
_AT_ONCE = 200
"""Paths on one command line."""


class GitEntry(NamedTuple):
    """A file in a tree or an index."""

    mode: str
    id: str


class GitSaid(Exception):
    """Git declined; what it said."""

    def __init__(self, code: int, complaint: str) -> None:
        super().__init__(complaint)
        self.code = code


class GitLocation(NamedTuple):
    top: str
    """Of the work tree."""
    prefix: str
    """Of the workspace below it, empty or with a slash at the end."""
    common: str
    """The folder that all work trees of the repository share."""


class GitRepository:
    def __init__(self, root: Path, *, program: str = "git") -> None:
        self.root = root
        self._program = program

    # --- running git ---------------------------------------------------------------------------------------------

    def run(
        self, *arguments: str, given: bytes | None = None, at: str | None = None, env: Mapping[str, str] | None = None
    ) -> bytes:
        """What git prints; `GitSaid` when it declines."""
        import subprocess

        try:
            done = subprocess.run(
                [self._program, *OPTIONS, *_STEADY, *arguments],
                cwd=at or self.root,
                env=environment() | dict(env or {}),
                input=given if given is not None else b"",
                capture_output=True,
                timeout=SECONDS,
            )
        except FileNotFoundError:
            raise EnvironmentProblem("git is not installed, so there is no place for change requests.") from None
        except OSError as error:
            raise EnvironmentProblem(
                f"git cannot be started ({error.strerror}); run `git --version` to see."
            ) from error
        except subprocess.TimeoutExpired:
            raise EnvironmentProblem(f"git gave no answer within {SECONDS:g} seconds; run `git status`.") from None
        if done.returncode:
            raise GitSaid(done.returncode, os.fsdecode(done.stderr).strip())
        return done.stdout

    def need(
        self, *arguments: str, given: bytes | None = None, at: str | None = None, env: Mapping[str, str] | None = None
    ) -> str:
        """The same where git has no reason to decline."""
        try:
            return os.fsdecode(self.run(*arguments, given=given, at=at, env=env)).removesuffix("\n")
        except GitSaid as said:
            first = str(said).splitlines()[:1] or ["it gave no reason"]
            raise EnvironmentProblem(f"git {arguments[0]} failed: {first[0]}") from said

    def ask(self, *arguments: str, at: str | None = None) -> str | None:
        """What git prints, None when it declines."""
        try:
            return os.fsdecode(self.run(*arguments, at=at)).removesuffix("\n")
        except GitSaid:
            return None

    # --- where ---------------------------------------------------------------------------------------------------

    @cached_property
    def place(self) -> GitLocation:
        top = self.ask("rev-parse", "--show-toplevel")
        if not top:
            raise EnvironmentProblem(
                f"{self.root} is in no git repository, so there is no place for change requests; run `git init`, "
                "and commit something."
            )
        prefix = self.need("rev-parse", "--show-prefix")
        common = os.path.join(self.root, self.need("rev-parse", "--git-common-dir"))
        return GitLocation(top, prefix, os.path.normpath(common))

    def full(self, path: str) -> str:
        """From the top of the repository, for a path from the root of the workspace."""
        return self.place.prefix + path

    def short(self, path: str) -> str:
        """And back; what lies outside of the workspace is shown from there."""
        import posixpath

        prefix = self.place.prefix
        if path.startswith(prefix):
            return path[len(prefix) :]
        return posixpath.relpath(path, prefix or ".")

    # --- refs ----------------------------------------------------------------------------------------------------

    def commit_at(self, revision: str) -> str | None:
        return self.ask("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")

    def tree_of(self, revision: str) -> str:
        return self.need("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{tree}}")

    def refs(self, below: str) -> dict[str, str]:
        """Name and object of every ref below a prefix."""
        out = self.need("for-each-ref", "--format=%(objectname) %(refname)", below)
        pairs = (line.split(" ", 1) for line in out.splitlines())
        return {name: id for id, name in pairs}

    def move(self, ref: str, new: str, old: str | None, *, why: str = "cairn") -> bool:
        """Point a ref somewhere if it points where we think it does (None: if it is not there yet); whether it did. Git
        also fails after it has moved the ref, when it cannot write the log of `HEAD`."""
        try:
            self.run("update-ref", "--no-deref", "-m", why, ref, new, old or "")
        except GitSaid as said:
            if self.ask("rev-parse", "--verify", "--quiet", ref) not in (old, new):
                return False
            raise self._unwritten(ref, said) from said
        return True

    def _unwritten(self, ref: str, said: GitSaid) -> EnvironmentProblem:
        lock = os.path.join(self.place.common, f"{ref}.lock")
        if not os.path.exists(lock):
            return EnvironmentProblem(f"git update-ref failed: {str(said).removeprefix('fatal: ').rstrip('.')}.")
        return EnvironmentProblem(
            f"git cannot write {ref}, because `{lock}` exists: another git is writing it, or one was killed. If no git "
            "runs here, remove that file and run this again."
        )

    def drop(self, ref: str, old: str) -> bool:
        try:
            self.run("update-ref", "--no-deref", "-d", ref, old)
        except GitSaid:
            return False
        return True

    def contains(self, revision: str, commit: str) -> bool:
        """Whether a commit is among those that lead to a revision."""
        return self.ask("merge-base", "--is-ancestor", commit, revision) is not None

    # --- objects -------------------------------------------------------------------------------------------------

    def blob(self, content: bytes) -> str:
        return self.need("hash-object", "-w", "--stdin", given=content)

    def blobs(self, contents: Sequence[bytes]) -> list[str]:
        """The same for many, by one process: starting it costs far more than writing an object."""
        from tempfile import TemporaryDirectory

        if len(contents) < 2:
            return [self.blob(content) for content in contents]
        with TemporaryDirectory(prefix="cairn-blobs-") as folder:
            names = [os.path.join(folder, str(number)) for number in range(len(contents))]
            for name, content in zip(names, contents, strict=True):
                with open(name, "wb") as file:
                    file.write(content)
            listed = os.fsencode("".join(f"{name}\n" for name in names))
            return self.need("hash-object", "-w", "--no-filters", "--stdin-paths", given=listed).splitlines()

    def contents(self, names: Sequence[str]) -> list[bytes | None]:
        """Of blobs, by their ids or as `tree:path`; one name a line, so none may hold a line break."""
        asked = [name for name in names if "\n" not in name]
        out = self.run("cat-file", "--batch", given=os.fsencode("".join(f"{name}\n" for name in asked)))
        found = dict(zip(asked, answers.objects(out), strict=True))
        return [found.get(name) for name in names]

    def entries(self, tree: str, paths: Iterable[str]) -> dict[str, GitEntry]:
        """Those of these paths, from the top of the repository, that a tree holds."""
        found: dict[str, GitEntry] = {}
        for some in in_parts(sorted(set(paths))):
            for line in self._listing("ls-tree", "-z", "--full-tree", tree, "--", *some):
                facts, _, path = line.partition("\t")
                mode, _, id = facts.split(" ")
                found[path] = GitEntry(mode, id)
        return found

    def differing(self, old: str, new: str) -> tuple[str, ...]:
        """Paths from the top of the repository, in order."""
        return tuple(self._listing("diff-tree", "-r", "-z", "--name-only", "--no-renames", old, new))

    def with_files(self, tree: str, files: Mapping[str, GitEntry | None], *, index: str) -> str:
        """Another tree: these files (by path from the top), None for those that go. `index` is a file of our own."""
        self._must_be_folders(tree, files)
        env = {"GIT_INDEX_FILE": index}
        self.need("read-tree", tree, env=env)
        try:
            self.run("update-index", "-z", "--index-info", given=self.index_info(files), env=env)
        except GitSaid as said:
            raise Refused(f"The change does not fit the files that are there: {_complaint(said)}") from said
        return self.need("write-tree", env=env)

    def _must_be_folders(self, tree: str, files: Mapping[str, GitEntry | None]) -> None:
        """Git would put a folder in the place of a file without a word."""
        kept = [path for path, entry in files.items() if entry is not None]
        above = {path[:at] for path in kept for at, letter in enumerate(path) if letter == "/"}
        for place, entry in self.entries(tree, above).items():
            if place in above and entry.mode != _FOLDER and files.get(place, entry) is not None:
                raise Refused(f"{self.short(place)} is a file, so nothing can lie below it.", path=place)

    def index_info(self, files: Mapping[str, GitEntry | None]) -> bytes:
        """For `update-index --index-info`; what goes stands first, so that a folder may take a file's place."""
        order = sorted(files.items(), key=lambda item: (item[1] is not None, item[0]))
        nothing = GitEntry("0", "0" * self._id_length)
        facts = ((path, entry or nothing) for path, entry in order)
        return b"".join(os.fsencode(f"{entry.mode} {entry.id}\t{path}\0") for path, entry in facts)

    @cached_property
    def _id_length(self) -> int:
        return len(self.need("hash-object", "--stdin"))

    def commit(self, tree: str, parent: str, message: str, *, author: str, at_ms: int) -> str:
        name, mail = self.identity
        by = (author, _MAIL) if author else (name, mail)
        when = f"@{at_ms // 1000} +0000"  # with the sign git also takes a time of few digits
        env = {
            "GIT_AUTHOR_NAME": by[0], "GIT_AUTHOR_EMAIL": by[1], "GIT_AUTHOR_DATE": when,
            "GIT_COMMITTER_NAME": name, "GIT_COMMITTER_EMAIL": mail, "GIT_COMMITTER_DATE": when,
        }  # fmt: skip
        signed = ("-S",) if self.signs else ()
        text = message.encode("utf-8", "replace")
        try:
            return os.fsdecode(
                self.run("commit-tree", *signed, tree, "-p", parent, "-F", "-", given=text, env=env)
            ).strip()
        except GitSaid as said:
            if not signed:
                raise EnvironmentProblem(f"git commit-tree failed: {_complaint(said)}") from said
            raise EnvironmentProblem(
                f"`commit.gpgsign` is set, and git could not sign the commit: {_complaint(said)} Check "
                "`user.signingkey` and `gpg.program`, or switch signing off with `git config commit.gpgsign false`."
            ) from said

    @cached_property
    def signs(self) -> bool:
        """Whether the user wants commits signed; `commit-tree` does not look at that setting by itself."""
        return self.ask("config", "--type=bool", "--get", "commit.gpgsign") == "true"

    @cached_property
    def identity(self) -> tuple[str, str]:
        """Of the person, as far as git knows them."""
        name = (self.ask("config", "--get", "user.name") or "").strip() or "Cairn"
        return name, (self.ask("config", "--get", "user.email") or "").strip() or _MAIL

    def _listing(self, *arguments: str) -> Iterator[str]:
        return iter(self.need(*arguments).split("\0")[:-1])


_MAIL = "cairn@localhost"


def regular(entry: GitEntry | None) -> bool:
    return entry is None or entry.mode in _REGULAR


def in_parts(paths: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(paths), _AT_ONCE):
        yield paths[start : start + _AT_ONCE]


def _complaint(said: GitSaid) -> str:
    return str(said).splitlines()[0].removeprefix("error: ") if str(said) else "git gave no reason."
