"""Where logs of sessions are kept, and where the transcripts of hosts are read."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import BinaryIO, NamedTuple, Protocol

from cairn.core.model.session import HOSTS, Host


class SessionLogs(Protocol):
    """Files that only their owner may read. A name that is not one of ours is never opened."""

    @property
    def place(self) -> str:
        """Of the folder, from the root of the workspace."""
        ...

    def names(self) -> list[str]:
        """All logs, oldest first."""
        ...

    def size(self, name: str) -> int: ...

    def read(self, name: str, start: int, end: int) -> bytes:
        """Less when the file is shorter, nothing when it is gone."""
        ...

    def write(self, name: str, pieces: Iterable[bytes]) -> None:
        """All of it or nothing, and on disk when this returns."""
        ...

    def remove(self, name: str) -> bool: ...

    def scratch(self) -> AbstractContextManager[BinaryIO]:
        """A file without a name for what is being gathered."""
        ...


class Transcript(Protocol):
    """What a host wrote about one session."""

    def chunks(self, start: int = 0) -> Iterator[bytes]: ...

    def check(self, end: int) -> str | None:
        """A checksum of the first bytes; None when there are fewer."""
        ...


class FoundTranscript(NamedTuple):
    """A transcript in a host's own folder that belongs to a project."""

    host: Host
    session: str
    path: str
    at_ms: int
    """When it was last written to."""
    size: int


class Transcripts(Protocol):
    """What the hosts on this machine keep of a project. It lies in the home directory, so only on a person's word."""

    def open(self, path: Path, host: Host, session: str) -> Transcript:
        """A file, or the place where OpenCode keeps its sessions."""
        ...

    def find(self, hosts: Sequence[Host] = HOSTS) -> list[FoundTranscript]:
        """Of sessions in this workspace, newest first."""
        ...

    def memory_files(self) -> list[Path]:
        """By which Claude Code remembers this project, in order of their names."""
        ...
