"""What an operation needs of the machine: files, clock, settings, progress, workers, locks, tokens, telemetry."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeVar

if TYPE_CHECKING:
    from datetime import date
    from pathlib import Path


def utc_day(at_ms: int) -> "date":
    """The day of a moment; days are those of UTC everywhere, so that two machines mean the same one."""
    from datetime import UTC, datetime

    return datetime.fromtimestamp(at_ms / 1000, UTC).date()


class Clock(Protocol):
    def now_ms(self) -> int:
        """Milliseconds since 1970, UTC."""
        ...

    def monotonic(self) -> float:
        """Seconds, for measuring how long something took."""
        ...


class Progress(Protocol):
    def step(self, stage: str, done: int, total: int | None) -> None:
        """`stage` in words a person reads, such as `reading`; called often, so it must be cheap."""
        ...

    def event(self, kind: str, **data: object) -> None:
        """Something that happened, such as `scan.completed`."""
        ...


class Silent:
    """Says nothing; the default everywhere."""

    def step(self, stage: str, done: int, total: int | None) -> None:
        pass

    def event(self, kind: str, **data: object) -> None:
        pass


Given = TypeVar("Given")
Made = TypeVar("Made")


class Workers(Protocol):
    def map(self, work: Callable[[Given], Made], things: Iterable[Given]) -> Iterator[Made]:
        """The results in the order of the things. `work` may run in another process: what it changes stays there,
        what it returns should be plain and small."""
        ...


class Here:
    """One after the other, in this process."""

    def map(self, work: Callable[[Given], Made], things: Iterable[Given]) -> Iterator[Made]:
        return map(work, things)


class Holder(NamedTuple):
    """Who holds a lock."""

    name: str
    pid: int
    host: str
    token: str
    """Drawn by lot, so that nobody lets go of a lock that is not theirs any more."""
    acquired_at_ms: int
    beat_at_ms: int
    """When they last said that they are still at work."""
    ttl_ms: int
    """After so long without a word the lock may be taken over."""


class Lease(Protocol):
    """A lock that is held."""

    before: Holder | None
    """Who held it last and ended without letting go."""

    def beat(self) -> None:
        """Say that the work goes on. Raises `Conflict` when somebody has taken the lock over: stop then."""
        ...


class Locks(Protocol):
    def hold(self, name: str, *, ttl_ms: int, wait_ms: int = 0, what: str = "") -> AbstractContextManager[Lease]:
        """Hold the lock while the block runs. Who is dead, or was not heard of for longer than they said, loses it.
        Raises `Conflict`, which names the holder, when it can't be had in time. `what` is at work, as in “a nightly
        run”, where the name alone would not tell a person."""
        ...

    def holders(self) -> list[tuple[Holder, str]]:
        """Every lock with why it may be taken over; empty when it may not."""
        ...

    def break_lock(self, name: str) -> bool:
        """Take a lock away, whoever holds it, and return whether there was one."""
        ...


class Origin(Protocol):
    """Where a value comes from."""

    @property
    def layer(self) -> str: ...

    @property
    def file(self) -> str | None:
        """The file, or the name of the environment variable."""
        ...

    @property
    def line(self) -> int | None: ...


class Settings(Protocol):
    """Asking for a key that is not in the table is a mistake in the program: `KeyError`."""

    @property
    def values(self) -> Mapping[str, Any]:
        """By dotted key; lists are tuples."""
        ...

    @property
    def warnings(self) -> tuple[str, ...]: ...

    @property
    def refused(self) -> Mapping[str, str]:
        """By key: where somebody set it who may not, as `file:line`."""
        ...

    def source(self, key: str) -> Origin: ...

    def flag(self, key: str) -> bool: ...

    def integer(self, key: str) -> int: ...

    def optional_integer(self, key: str) -> int | None: ...

    def text(self, key: str) -> str: ...

    def optional_text(self, key: str) -> str | None: ...

    def texts(self, key: str) -> tuple[str, ...]: ...

    def mapping(self, prefix: str) -> dict[str, Any]: ...


class Tokenizer(Protocol):
    @property
    def name(self) -> str:
        """Of the encoding, or `estimate`."""
        ...

    @property
    def exact(self) -> bool:
        """False when the count is a guess from the length."""
        ...

    def count(self, text: str) -> int: ...


Level = Literal["debug", "info", "warn", "error"]


class TelemetryRecord(NamedTuple):
    action: str
    """`knowledge.turn_write.completed` and its sisters."""
    component: str
    level: Level
    success: bool
    metadata: Mapping[str, Any]
    """snake_case, and always with a `turn_id`."""
    error: str | None = None
    duration_ms: int | None = None


class Telemetry(Protocol):
    def write(self, records: Sequence[TelemetryRecord], *, took_ms: float) -> None:
        """The records of one write, in order; never fails, whatever is at the other end."""
        ...

    def close(self) -> None:
        """Send what waits, for a few seconds at most."""
        ...


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

    def holds(self, path: "Path", holds: Callable[[bytes], bool], overlap: int) -> bool:
        """Whether a piece of a file holds something; pieces overlap by so many bytes."""
        ...

    def below(self, folder: "Path") -> "Iterator[Path]":
        """Regular files, in order; symbolic links are not followed."""
        ...

    def size(self, place: "Path") -> int:
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
