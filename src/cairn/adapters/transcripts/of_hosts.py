"""Transcripts and memory of the agent hosts on this machine, for one project."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from cairn.adapters.transcripts.files import FileTranscript
from cairn.core.model.session import HOSTS, Host
from cairn.core.ports.turns import FoundTranscript, Transcript


class HostTranscripts:
    """Each host's part is imported when somebody asks for it."""

    def __init__(self, env: Mapping[str, str], root: Path) -> None:
        self._env = env
        self._root = root

    def open(self, path: Path, host: Host, session: str) -> Transcript:
        if host == "opencode":
            from cairn.adapters.transcripts.opencode import open_opencode

            if found := open_opencode(path, session):
                return found
        return FileTranscript(path)

    def find(self, hosts: Sequence[Host] = HOSTS) -> list[FoundTranscript]:
        from cairn.adapters.transcripts.find import find_transcripts

        return find_transcripts(self._env, self._root, hosts)

    def memory_files(self) -> list[Path]:
        from cairn.adapters.transcripts.memory import memory_files

        return memory_files(self._env, self._root)
