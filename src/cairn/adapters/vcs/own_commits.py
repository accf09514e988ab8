"""Finds plain commits that were made in this clone, by git's own log of HEAD, and commits with a trusted signature.

A clone, fetch, pull, merge, cherry-pick, `am` or rebase leaves other words in that log, and no repository brings one
along. A commit whose author is not its committer took over somebody else's work and is left out. So is content that
another commit brought which was not made here: `merge --squash` and `cherry-pick --no-commit` end in a plain commit.
"""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import accumulate
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from cairn.adapters.vcs.program import QUIET, GitProgram
from cairn.hook.aside import git_folder, read_small
from cairn.knowledge.approval import LOG_START, LogPosition

_PLAIN: Final = re.compile(rb"([0-9a-f]{40,64}) ([0-9a-f]{40,64}) [^\t\n]*\tcommit(?: \((?:initial|amend)\))?: ")
_MADE: Final = re.compile(
    rb"[0-9a-f]{40,64} ([0-9a-f]{40,64}) [^\t\n]*\t"
    rb"(?:(?:commit|revert|cherry-pick|am)\b"
    rb"|(?:rebase|pull)[^:\n]*\((?:pick|reword|edit|squash|fixup|continue|merge)\): )"
)
"""Entries of commits that were written here, be it a copy of another one."""
_MOST_LINES: Final = 20_000
_MOST_COMMITS: Final = 5_000
_DIFF: Final = ("-r", "--find-renames=100%", "--no-commit-id", "--diff-filter=AM")
"""A page that only moved was not written by whoever moved it."""
_GOOD: Final = ("G", "U")


class OwnCommit(NamedTuple):
    before: str
    """All zeros for the first commit."""
    commit: str


class GitOwnCommits:
    """Commits that were made in this clone."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def logs(self) -> list[str]:
        return reflogs(str(self._root))

    def end_of(self, log: str) -> LogPosition:
        return _position(_lines(log)) if os.path.isfile(log) else LOG_START

    def goes_on(self, log: str, start: LogPosition) -> bool:
        return os.path.isfile(log) and _behind(_lines(log), start) is not None

    def written_since(self, log: str, start: LogPosition) -> tuple[list[bytes], LogPosition] | None:
        """Costs one look at the size of the log where nothing happened."""
        if not os.path.isfile(log) or os.path.getsize(log) == start.size:
            return None
        commits, end = plain_commits(log, start)
        return list(written_blobs(self._root, commits)), end

    def signed(self, paths: Sequence[str], approvers: Sequence[str]) -> dict[str, bytes]:
        return signed_contents(self._root, paths, approvers)


def reflogs(root: str) -> list[str]:
    """The logs of HEAD of this clone: of the main work tree, also before its first commit, and of the linked ones."""
    git = git_folder(root)
    if git is None:
        return []
    common = read_small(os.path.join(git, "commondir"), 4096).strip()
    home = os.path.join(git, os.fsdecode(common)) if common else git
    linked = os.path.join(home, "worktrees")
    names = sorted(os.listdir(linked)) if os.path.isdir(linked) else []
    logs = (os.path.join(linked, name, "logs", "HEAD") for name in names)
    return [os.path.join(home, "logs", "HEAD"), *(log for log in logs if os.path.isfile(log))]


def plain_commits(log: str, start: LogPosition) -> tuple[list[OwnCommit], LogPosition]:
    """Commits that were logged behind that position, and how far the log was read. Git rewrites a log when old entries
    expire: then the last line that was read is found elsewhere. One without that line is the log of somebody else."""
    lines = _lines(log)
    hits = (_PLAIN.match(line) for line in (_behind(lines, start) or ())[-_MOST_LINES:])
    found = [OwnCommit(hit[1].decode(), hit[2].decode()) for hit in hits if hit]
    return found[-_MOST_COMMITS:], _position(lines)


def _lines(log: str) -> list[bytes]:
    """Those that are whole."""
    with open(log, "rb") as stream:
        data = stream.read()
    return data[: data.rfind(b"\n") + 1].splitlines(keepends=True)


def _position(lines: Sequence[bytes]) -> LogPosition:
    return LogPosition(sum(map(len, lines)), _hash(lines[-1]) if lines else "")


def _hash(line: bytes) -> str:
    return sha256(line).hexdigest()[:32]


def _behind(lines: Sequence[bytes], start: LogPosition) -> Sequence[bytes] | None:
    """The lines behind a position; None when the log never had it."""
    if start.last:
        numbers = (number for number in reversed(range(len(lines))) if _hash(lines[number]) == start.last)
        number = next(numbers, None)
        return None if number is None else lines[number + 1 :]
    ends = [0, *accumulate(map(len, lines))]
    return lines[ends.index(start.size) :] if start.size in ends else None


def written_blobs(root: Path, commits: Sequence[OwnCommit]) -> Iterator[bytes]:
    """Contents of the documents that these commits added or changed. Four processes, however many commits."""
    git = GitProgram(root)
    own = [one for one in dict.fromkeys(commits) if not one.before.strip("0")]
    own += [one for one in dict.fromkeys(commits) if one.before.strip("0")]
    heads = dict(zip(own, _objects(git, [one.commit for one in own]), strict=True))
    there = dict(zip(own, _objects(git, [one.before for one in own]), strict=True))
    mine = [one for one in own if _is_own(heads[one]) and (there[one] is not None or not one.before.strip("0"))]
    changed = dict(_changed(git, mine))
    foreign = _brought_by_others(git, root, mine, changed.values()) if changed else set()
    contents = _objects(git, [blob for blob in changed if blob not in foreign])
    yield from (data for data in contents if data is not None)


def _is_own(commit: bytes | None) -> bool:
    """Whether the person who wrote it is the one who committed it. False for a commit that is gone."""
    head = (commit or b"").partition(b"\n\n")[0]
    who = dict(line.split(b" ", 1) for line in head.splitlines() if line.startswith((b"author ", b"committer ")))
    names = {name: value.rpartition(b">")[0] for name, value in who.items()}
    return bool(names) and names.get(b"author") == names.get(b"committer")


def _changed(git: GitProgram, commits: Sequence[OwnCommit]) -> Iterator[tuple[str, bytes]]:
    """Ids of the blobs that each commit brought, compared with what HEAD was before it, and a path of each."""
    process = git.start(*QUIET, "diff-tree", "--stdin", "--root", *_DIFF, piped=True) if commits else None
    if process is None:
        return
    pairs = (f"{one.commit} {one.before if one.before.strip('0') else ''}".strip() for one in commits)
    out = git.finish(process, "".join(f"{pair}\n" for pair in pairs).encode()) or b""
    yield from _blobs(out)


def _blobs(raw: bytes) -> Iterator[tuple[str, bytes]]:
    for line in raw.splitlines():
        facts, _, path = line.partition(b"\t")
        parts = facts.split()
        if line.startswith(b":") and parts[1].startswith(b"100") and _is_page(path):
            yield parts[3].decode(), path


def _brought_by_others(git: GitProgram, root: Path, commits: Sequence[OwnCommit], paths: Iterable[bytes]) -> set[str]:
    """Blobs at these paths of commits that any ref or the last fetch reaches, that were not there before the first of
    ours, and that nobody made here. A path that git quotes stands for all."""
    begin = commits[0].before if commits[0].before.strip("0") else ""
    top = next((at for at in (root, *root.parents) if os.path.lexists(at / ".git")), root)
    named = sorted({os.path.relpath(top / os.fsdecode(path), root) for path in paths})
    where = [] if any('"' in path for path in named) else named
    tips = ["--exclude=refs/stash", "--all", *(["FETCH_HEAD"] if _fetched(root) else [])]
    asked = [*QUIET, "log", "--format=%H", "--raw", "--no-abbrev", "--no-renames", "-m", "--diff-filter=AM", *tips]
    out = git.attempt(*asked, *(["--not", begin] if begin else []), "--", *where, seconds=30)
    if out is None:
        raise OSError("git cannot list the commits of others")
    here, found, commit = _made_here(root), set[str](), b""
    for line in out.splitlines():
        if line.startswith(b":"):
            found |= {blob for blob, _ in _blobs(line) if commit not in here}
        elif line:
            commit = line.split()[0]
    return found


def _fetched(root: Path) -> bool:
    git = git_folder(str(root))
    return git is not None and os.path.isfile(os.path.join(git, "FETCH_HEAD"))


def _made_here(root: Path) -> set[bytes]:
    found: set[bytes] = set()
    for log in filter(os.path.isfile, reflogs(str(root))):
        with open(log, "rb") as stream:
            found |= {hit[1] for line in stream if (hit := _MADE.match(line))}
    return found


def _is_page(path: bytes) -> bool:
    return path.strip(b'"').lower().endswith((b".md", b".markdown", b".mdx", b".rst", b".txt", b".json"))


def _objects(git: GitProgram, ids: Sequence[str]) -> list[bytes | None]:
    from cairn.adapters.vcs import answers

    process = git.start("cat-file", "--batch", piped=True) if ids else None
    if process is None:
        return [None] * len(ids)
    out = git.finish(process, "".join(f"{one}\n" for one in ids).encode()) or b""
    return answers.objects(out, (b"blob", b"commit"))


# --- signatures -------------------------------------------------------------------------------------------------------


def signed_contents(root: Path, paths: Sequence[str], approvers: Sequence[str]) -> dict[str, bytes]:
    """The content of each path whose last commit carries a good signature of one of these keys. A key is an OpenPGP
    fingerprint, or an SSH public key as in `id_ed25519.pub`."""
    git = GitProgram(root)
    ssh = [key for key in approvers if " " in key.strip()]
    prints = {key.replace(" ", "").upper() for key in approvers if key not in ssh}
    found: dict[str, bytes] = {}
    with TemporaryDirectory(prefix="cairn-signers-") as folder:
        signers = Path(folder, "allowed")
        signers.write_text("".join(f"* {' '.join(key.split()[:2])}\n" for key in ssh))
        options = ("-c", f"gpg.ssh.allowedSignersFile={signers}", "-c", "gpg.ssh.revocationFile=")
        for path in paths:
            commit = _signed_commit(git, options, path, prints)
            content = git.attempt("show", f"{commit}:./{path}", seconds=20) if commit else None
            if content is not None:
                found[path] = content
    return found


def _signed_commit(git: GitProgram, options: Sequence[str], path: str, prints: set[str]) -> str | None:
    form = "--format=%H%x00%G?%x00%GF%x00%GP%x00%GG"
    out = git.attempt(*options, *QUIET, "log", "-1", form, "HEAD", "--", path, seconds=30)
    parts = os.fsdecode(out or b"").split("\0")
    if len(parts) < 5 or parts[1] not in _GOOD:
        return None
    commit, _, key, primary, said = parts[:5]
    by_ssh = key.startswith("SHA256:") and 'Good "git" signature' in said
    return commit if by_ssh or {key.upper(), primary.upper()} & prints else None
