"""Streams the first-parent history of a clone as line changes, oldest commit first.

Only git is used. A clone may lack blobs; their paths are left out of the stream and counted.
"""

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple

from measure import environment
from strangers_clones import git

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
DIFF = ("-p", "-U0", "--no-renames", "--no-color", "--no-ext-diff", "--no-textconv", "--full-index")
PREFIXES = ("--src-prefix=a/", "--dst-prefix=b/")
NOT_READ = (
    "*.lock *-lock.json *-lock.yaml *.sum *.snap *.min.js *.min.css *.map *.svg *.po *.pot *.ipynb *.csv *.tsv *.pb.go"
    " *.xml *.html *.css *.scss *.sarif *.patch *.diff *.golden"
).split()
"""Patterns of files whose words are not of the project's code: lock files, snapshots, generated and styling files."""
NOT_ENTERED = ("vendor", "node_modules", "third_party", "dist", "__snapshots__")


class Hunk(NamedTuple):
    old_start: int
    """The first removed line, from 1; where nothing is removed, the line after which the added ones stand."""
    removed: tuple[str, ...]
    new_start: int
    added: tuple[str, ...]


class FileChange(NamedTuple):
    path: str
    created: bool
    deleted: bool
    hunks: tuple[Hunk, ...]


class Commit(NamedTuple):
    id: str
    parent: str
    """The first parent, or the empty tree."""
    subject: str
    files: tuple[FileChange, ...]


class Source(NamedTuple):
    """A clone, the commits to read and the paths that it lacks."""

    root: Path
    head: str
    missing: frozenset[str]


def open_source(root: Path, head: str, commits: int) -> Source:
    return Source(root, head, missing_paths(root, head, commits))


def missing_paths(root: Path, head: str, commits: int) -> frozenset[str]:
    """Paths of which the clone lacks a blob, at any of these commits."""
    args = ("--first-parent", "-m", "--raw", "--no-abbrev", "--no-renames", f"-{commits}", "--format=", head)
    blobs: dict[str, set[str]] = {}
    for line in git(root, "-c", "core.quotePath=false", "log", *args).decode(errors="replace").splitlines():
        fields, _, path = line.partition("\t")
        for blob in fields.split()[2:4]:
            if blob.strip("0"):
                blobs.setdefault(blob, set()).add(path)
    for path, blob in tree_blobs(root, start_of(root, head, commits)).items():
        blobs.setdefault(blob, set()).add(path)
    asked = "".join(f"{blob}\n" for blob in blobs).encode()
    answers = git(root, "cat-file", "--batch-check", given=asked).decode().splitlines()
    gone = [line.split()[0] for line in answers if line.endswith(" missing")]
    return frozenset(path for blob in gone for path in blobs[blob])


def tree_blobs(root: Path, tree: str) -> dict[str, str]:
    if tree == EMPTY_TREE:
        return {}
    entries = git(root, "ls-tree", "-r", "-z", tree).split(b"\0")
    split = (entry.split(b"\t", 1) for entry in entries if entry)
    return {os.fsdecode(path): head.split()[2].decode() for head, path in split if head.split()[1] == b"blob"}


def start_of(root: Path, head: str, commits: int) -> str:
    """The commit before the first one that is read; the empty tree where history begins later."""
    listed = git(root, "rev-list", "--first-parent", f"-{commits + 1}", head).decode().split()
    return listed[commits] if len(listed) > commits else EMPTY_TREE


def stream(source: Source, commits: int) -> Iterator[Commit]:
    """Yields the tree before the first commit as one commit, then the last `commits` ones, oldest first."""
    start = start_of(source.root, source.head, commits)
    excluded = [f":(exclude,icase){pattern}" for pattern in NOT_READ]
    excluded += [f":(exclude,glob)**/{folder}/**" for folder in NOT_ENTERED]
    excluded += [f":(exclude,literal){path}" for path in sorted(source.missing)]
    if start != EMPTY_TREE:
        yield from parse(source.root, ["diff-tree", *DIFF, *PREFIXES, EMPTY_TREE, start], excluded, start)
    span = ["--first-parent", "-m", "--reverse", f"-{commits}", "--format=%x01%H%x01%P%x01%s", source.head]
    yield from parse(source.root, ["log", *DIFF, *PREFIXES, *span], excluded, "")


def parse(root: Path, args: list[str], excluded: list[str], opening: str) -> Iterator[Commit]:
    command = ["git", "-C", str(root), "-c", "core.quotePath=false", *args, "--", ".", *excluded]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment()) as process:
        assert process.stdout is not None
        yield from read_commits(process.stdout, opening)


def read_commits(out: IO[bytes], opening: str) -> Iterator[Commit]:
    head = (opening, EMPTY_TREE, "") if opening else None
    files: list[FileChange] = []
    line = out.readline()
    while line:
        if line.startswith(b"\x01"):
            if head:
                yield Commit(*head, tuple(files))
            _, name, parents, subject = line.decode(errors="replace").rstrip("\n").split("\x01", 3)
            head, files = (name, (parents.split() or [EMPTY_TREE])[0], subject), []
            line = out.readline()
        elif line.startswith(b"diff --git "):
            change, line = read_file(out, line)
            if change:
                files.append(change)
        else:
            line = out.readline()
    if head:
        yield Commit(*head, tuple(files))


def read_file(out: IO[bytes], opening: bytes) -> tuple[FileChange | None, bytes]:
    """Reads one file's part of a patch; returns it with the line after it."""
    created = deleted = False
    paths, hunks = names_of(opening), []
    line = out.readline()
    while line and not line.startswith((b"diff --git ", b"\x01", b"@@")):
        created |= line.startswith(b"new file")
        deleted |= line.startswith(b"deleted file")
        line = out.readline()
    while line.startswith(b"@@"):
        hunk, line = read_hunk(out, line)
        hunks.append(hunk)
    return (FileChange(paths, created, deleted, tuple(hunks)) if paths else None), line


def names_of(opening: bytes) -> str:
    """The path in `diff --git a/PATH b/PATH`, which is the same twice without renames; nothing where git quotes it."""
    names = opening[len(b"diff --git ") :].rstrip(b"\n")
    half = (len(names) - 1) // 2
    first, second = names[:half], names[half + 1 :]
    return os.fsdecode(first[2:]) if first[2:] == second[2:] and first.startswith(b"a/") else ""


def read_hunk(out: IO[bytes], opening: bytes) -> tuple[Hunk, bytes]:
    match = HUNK.match(opening)
    assert match is not None
    removed_count = int(match[2] or 1)
    added_count = int(match[4] or 1)
    removed = take_lines(out, removed_count)
    line = out.readline()
    if line.startswith(b"\\"):
        line = out.readline()
    added = []
    if added_count:
        added = [line[1:].decode(errors="replace").rstrip("\r\n"), *take_lines(out, added_count - 1)]
        line = out.readline()
        if line.startswith(b"\\"):
            line = out.readline()
    return Hunk(int(match[1]), tuple(removed), int(match[3]), tuple(added)), line


def take_lines(out: IO[bytes], count: int) -> list[str]:
    return [out.readline()[1:].decode(errors="replace").rstrip("\r\n") for _ in range(count)]
