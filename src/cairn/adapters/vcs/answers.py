"""What git prints, as values. Everything is asked for with `-z`, so that no name is quoted."""

from collections.abc import Iterable

from cairn.core.ports.vcs import Change, ChangeStatus, Commit, CommitSummary

_STATUS: dict[str, ChangeStatus] = {"A": "added", "D": "removed"}
_SUBMODULE = "160000"
_REGULAR = ("100644", "100755")


def names(out: str) -> tuple[str, ...]:
    return tuple(out.split("\0")[:-1])


def tree(out: str) -> tuple[str, ...]:
    """Of `ls-tree -r -z`: `mode type id<TAB>path`. Links and submodules are left out."""
    return tuple(sorted(line.partition("\t")[2] for line in names(out) if line.startswith(_REGULAR)))


def tree_ids(out: str) -> dict[str, str]:
    """Of `ls-tree -r -z`: the id of each regular file."""
    entries = (line.partition("\t") for line in names(out) if line.startswith(_REGULAR))
    return {path: head.rpartition(" ")[2] for head, _, path in entries}


def staged(out: str) -> tuple[str, ...]:
    """Of `ls-files -z --stage`: `mode id stage<TAB>path`."""
    return tuple(sorted({line.partition("\t")[2] for line in names(out) if line.startswith(_REGULAR)}))


def changes(out: str) -> tuple[Change, ...]:
    """Of `--name-status -z`: status and path by turns."""
    words = names(out)
    found = {path: Change(_STATUS.get(status[:1], "changed"), path) for status, path in _pairs(words)}
    return tuple(found[path] for path in sorted(found))


def raw_changes(out: str) -> list[tuple[Change, str, str]]:
    """Of `--raw -z --no-abbrev`: each file that differs, with its ids before and after; empty where there is none."""
    found = []
    for head, path in _pairs(names(out)):
        old_mode, new_mode, old, new, status = head[1:].split(" ")
        if _SUBMODULE not in (old_mode, new_mode):
            change = Change(_STATUS.get(status[:1], "changed"), path)
            found.append((change, old if old.strip("0") else "", new if new.strip("0") else ""))
    return sorted(found, key=lambda one: one[0].path)


def differing(found: Iterable[Change], numbers: str) -> tuple[Change, ...]:
    """Without those that `--numstat -z` does not name, `added<TAB>removed<TAB>path`: nothing in them is another."""
    named = {line.split("\t", 2)[-1] for line in names(numbers)}
    return tuple(change for change in found if change.status != "changed" or change.path in named)


def with_untracked(found: Iterable[Change], untracked: Iterable[str]) -> tuple[Change, ...]:
    """A file that was taken out of the index but is still on disk has only changed."""
    by_path = {change.path: change for change in found}
    for path in untracked:
        if not path.endswith("/"):
            by_path[path] = Change("changed" if path in by_path else "added", path)
    return tuple(by_path[path] for path in sorted(by_path))


def objects(out: bytes, kinds: tuple[bytes, ...] = (b"blob",)) -> list[bytes | None]:
    """Of `cat-file --batch`: a line `id type size`, that many bytes and a newline; `… missing` has nothing after it."""
    found: list[bytes | None] = []
    position = 0
    while position < len(out):
        end = out.index(b"\n", position)
        head = out[position:end].rsplit(b" ", 2)
        position = end + 1
        if len(head) == 3 and head[2].isdigit():
            size = int(head[2])
            found.append(out[position : position + size] if head[1] in kinds else None)
            position += size + 1
        else:
            found.append(None)
    return found


def commits(out: str) -> tuple[Commit, ...]:
    return tuple(_commit(line) for line in out.splitlines())


def _commit(line: str) -> Commit:
    id, _, seconds = line.partition(" ")
    return Commit(id, int(seconds) * 1000)


def steps(out: str) -> tuple[CommitSummary, ...]:
    """Of `log -z --name-only --format=%x01%s`: a subject after each \\x01, then the paths, the first on a new line."""
    return tuple(_step(part) for part in f"\0{out}".split("\0\x01")[1:])


def _step(part: str) -> CommitSummary:
    subject, *paths = part.split("\0")
    return CommitSummary(subject, tuple(path.removeprefix("\n") for path in paths if path))


def _pairs(words: tuple[str, ...]) -> Iterable[tuple[str, str]]:
    return zip(words[::2], words[1::2], strict=False)
