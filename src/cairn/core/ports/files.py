"""The files of the repository, and contents kept by their hash."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol


class FoundFile(NamedTuple):
    """A regular file below the root. Path relative to the root, `/` between the parts, valid Unicode."""

    path: str
    size: int
    mtime_ns: int
    inode: int


class WalkProblem(NamedTuple):
    """Something that was passed over and that a person should know of."""

    path: str
    rule: str
    """`file-unreadable`, `name-undecodable`, `name-deceptive`, `name-case-twin`, `file-special`, `symlink-skipped`."""
    message: str


class FileWalk(NamedTuple):
    """Result of a walk: the files in order of their path (code points), and what was passed over."""

    files: Sequence[FoundFile]
    problems: Sequence[WalkProblem]
    links: Sequence[tuple[str, str]] = ()
    """Symlinks to a file of the repository, each with the path of that file: two names of one document."""


class WalkRequest(NamedTuple):
    roots: tuple[str, ...] = ()
    """Folders or files relative to the root; empty means all of it."""
    suffixes: tuple[str, ...] = (".md",)
    """See `NameEndings`."""
    ignore: tuple[str, ...] = ()
    """Patterns in gitignore syntax, on top of the bundled ones, `.cairnignore` and, if wanted, `.gitignore`."""
    gitignore: bool = True


class NameEndings(NamedTuple):
    """How names of files may end. One that starts with a dot, and the empty one, is an ending; any other is a whole
    name, such as `readme`. All in lower case."""

    endings: tuple[str, ...]
    names: frozenset[str]

    @classmethod
    def of(cls, suffixes: Iterable[str]) -> "NameEndings":
        lowered = [suffix.lower() for suffix in suffixes]
        names = frozenset(suffix for suffix in lowered if suffix[:1] not in ("", "."))
        return cls(tuple(suffix for suffix in lowered if suffix not in names), names)

    def fits(self, lowered: str) -> bool:
        """Whether a path in lower case has such a name."""
        return lowered.endswith(self.endings) or lowered.rpartition("/")[2] in self.names


class ReadFailed(Exception):
    """A file could not be read; `rule` and the message say why, in the words of an issue."""

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(message)
        self.rule = rule
        """`file-unreadable`, `file-vanished` or `file-changing`."""


class Files(Protocol):
    """Never leaves the root, never reads through a symlink, never blocks on a FIFO."""

    def walk(self, request: WalkRequest) -> FileWalk: ...

    def read(self, path: str) -> tuple[bytes, FoundFile]:
        """The bytes and the facts that belong to them; a file that changes while it is read is read again, and
        refused with `ReadFailed` when it doesn't come to rest."""
        ...

    def exists(self, path: str) -> bool:
        """Whether a file or folder is there (a symlink counts); False for anything outside the root."""
        ...

    def ignored(self, path: str, request: WalkRequest) -> bool:
        """Whether a walk would pass this path over by its ignore rules."""
        ...


class StoredFiles(Protocol):
    """Files of any kind and size, looked at by their bytes."""

    def holds(self, path: Path, holds: Callable[[bytes], bool], overlap: int) -> bool:
        """Whether a piece of a file holds something; pieces overlap by so many bytes."""
        ...

    def below(self, folder: Path) -> Iterator[Path]:
        """Regular files, in order; symbolic links are not followed."""
        ...

    def size(self, place: Path) -> int:
        """Bytes of a file, or of everything in a folder."""
        ...


class BlobInfo(NamedTuple):
    key: str
    bytes: int
    """That it takes."""
    at_ms: int
    """When it was last put."""


class Blobs(Protocol):
    def put(self, data: bytes) -> str:
        """Keep it and return its key, `sha256:` and 64 hex digits; the same data has the same key."""
        ...

    def get(self, key: str) -> bytes | None:
        """None when it is not there, or is not what it was."""
        ...

    def keys(self) -> list[str]: ...

    def entries(self) -> list[BlobInfo]:
        """Everything that is there, the oldest first."""
        ...

    def drop(self, keys: list[str]) -> int:
        """How many were there."""
        ...
