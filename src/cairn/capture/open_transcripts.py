"""Transcripts of hosts, opened and found: only when somebody names one, or asks for those of this project."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from cairn.adapters.transcripts.files import FileTranscript
from cairn.capture.ports import CapturePorts
from cairn.capture.transcripts.lines import LINE_LIMIT
from cairn.capture.transcripts.recognise import HEAD, recognise
from cairn.core.model.session import HOSTS, Host
from cairn.core.ports.sessions import FoundTranscript, Transcript
from cairn.errors import UsageError


def open_transcript(path: Path, host: Host, session: str) -> Transcript:
    """A file, or the place where OpenCode keeps its sessions."""
    if host == "opencode":
        from cairn.adapters.transcripts.opencode import open_opencode

        if found := open_opencode(path, session):
            return found
    return FileTranscript(path)


def find_transcripts(ports: CapturePorts, hosts: Sequence[Host] = HOSTS) -> list[FoundTranscript]:
    """Of sessions in this workspace, newest first. Looks into the home directory, so only on a person's word."""
    from cairn.adapters.transcripts.find import find_transcripts as find

    return find(ports.env, ports.root, hosts)


def hosts_here(env: Mapping[str, str]) -> list[Host]:
    """Hosts that keep transcripts on this machine; none of them is opened."""
    from cairn.adapters.transcripts.find import kept_here

    return kept_here(env)


class Named(NamedTuple):
    host: Host
    session: str


def recognised(path: Path, host: Host | None, session: str | None) -> Named:
    """What a transcript is, where its name and the person leave that open."""
    if session is not None and not session.strip():
        raise UsageError("The session has no id, so nobody could find its log again; name one with --session ID.")
    if host and session:
        return Named(host, session)
    if path.is_dir() or path.name == "opencode.db":
        raise UsageError(f"{path} holds many sessions; say which with --host opencode --session ID")
    found = recognise(_head(path), path.stem)
    known = host or found.host
    if known is None:
        hosts = ", ".join(HOSTS)
        raise UsageError(f"{path} looks like a transcript of none of the hosts; say which it is of: --host {hosts}")
    return Named(known, session or found.session or path.stem)


def _head(path: Path) -> bytes:
    """The beginning of a transcript, to the end of a line: a first prompt may be long."""
    head = b""
    for chunk in FileTranscript(path).chunks():
        head += chunk
        if b"\n" in head[HEAD:] or len(head) > HEAD + LINE_LIMIT:
            break
    end = head.find(b"\n", HEAD)
    return head if end < 0 else head[:end]
