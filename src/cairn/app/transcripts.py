"""Transcripts of hosts, opened and found: only when somebody names one, or asks for those of this project."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from cairn.adapters.transcripts.files import FileTranscript
from cairn.app.build import App
from cairn.capture.transcripts import last_turn
from cairn.capture.transcripts.lines import sniff
from cairn.capture.transcripts.recognise import HEAD, recognise
from cairn.errors import UsageError
from cairn.kernel.model.session import HOSTS, Host, TurnFacts
from cairn.kernel.ports.sessions import FoundTranscript, Transcript

FIRST_LOOK: Final = 64 * 1024
FURTHEST_LOOK: Final = 32 * 1024 * 1024


def open_transcript(path: Path, host: Host, session: str) -> Transcript:
    """A file, or the place where OpenCode keeps its sessions."""
    if host == "opencode":
        from cairn.adapters.transcripts.opencode import open_opencode

        if found := open_opencode(path, session):
            return found
    return FileTranscript(path)


def find_transcripts(app: App, hosts: Sequence[Host] = HOSTS) -> list[FoundTranscript]:
    """Of sessions in this workspace, newest first. Looks into the home directory, so only on a person's word."""
    from cairn.adapters.transcripts.find import find_transcripts as find

    return find(app.env, app.root, hosts)


class Named(NamedTuple):
    host: Host
    session: str


def recognised(path: Path, host: Host | None, session: str | None) -> Named:
    """What a transcript is, where its name and the person leave that open."""
    if host and session:
        return Named(host, session)
    if path.is_dir() or path.name == "opencode.db":
        raise UsageError(f"{path} holds many sessions; say which with --host opencode --session ID")
    head = next(FileTranscript(path).chunks(), b"")[:HEAD]
    found = recognise(head, path.stem)
    known = host or found.host
    if known is None:
        hosts = ", ".join(HOSTS)
        raise UsageError(f"{path} looks like a transcript of none of the hosts; say which it is of: --host {hosts}")
    return Named(known, session or found.session or path.stem)


def turn_of(
    host: Host, session: str, path: Path, *, start: int | None = None, end: int | None = None
) -> TurnFacts | None:
    """The last turn of a transcript that ends at `end`, or with the file. From `start` when a hook has told it; else
    read backwards, further and further, until the user's message is found. None when it is not, or too far away."""
    source = open_transcript(path, host, session)
    if not isinstance(source, FileTranscript):
        return last_turn(host, session, b"".join(source.chunks()))
    encoding = sniff(next(source.chunks(), b"")[:4])
    length = FIRST_LOOK if start is None else 1 + (end or start + FURTHEST_LOOK) - start
    while True:
        begin, data = source.last_bytes(end, min(length, FURTHEST_LOOK))
        found = last_turn(host, session, data, start=begin, encoding=encoding)
        if found or begin == 0 or length >= FURTHEST_LOOK:
            return found
        length *= 4
