"""What the places share while something is forgotten: what is wanted, and what is found out only once."""

import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cairn.adapters.files.bytes import file_holds
from cairn.adapters.ledger.rewrite import all_files, lines_of
from cairn.capture.forget.lines import Selection, event_of, id_of, turn_of
from cairn.config.load import LEDGER
from cairn.core.ports.sessions import FoundTranscript
from cairn.workspace.forget.wanted import Wanted

if TYPE_CHECKING:
    from cairn.capture.forget.rescan import Rescan
    from cairn.workspace.ports import WorkspacePorts


class Held(NamedTuple):
    """What one place has of it."""

    number: int
    text: str
    """For a person, with the number in it."""
    notes: int = 0


class Scene:
    def __init__(self, ports: "WorkspacePorts", wanted: Wanted) -> None:
        self.app = ports
        self.wanted = wanted

    @property
    def ledger(self) -> Path:
        return self.app.root / LEDGER

    @property
    def database(self) -> Path | None:
        """The file, when there is one; None also for a database that is elsewhere."""
        location = self.app.store_location
        return location if isinstance(location, Path) and location.exists() else None

    @property
    def has_store(self) -> bool:
        return not isinstance(self.app.store_location, Path) or self.database is not None

    @cached_property
    def selection(self) -> "Selection | Rescan":
        """Lines that hold it, with all lines of the turns that these belong to, of turns whose words are still only in
        a transcript that holds it, and with what was counted as missing because of these questions."""
        base, turns, asked = self.wanted.selection(), set(self._pointed()), set[str]()
        if self.wanted.by_rules:
            return base
        for _, path in all_files(self.ledger):
            for event in (event_of(line) for line in lines_of(path) if base.takes(line)):
                turns |= {turn_of(event)} - {""}
                asked |= {id_of(event)} - {""} if event.get("type") == "search_asked" else set()
        # A date cuts through turns: what happened since stays.
        return base if self.wanted.before else self.wanted.selection(frozenset(turns), frozenset(asked))

    def _pointed(self) -> list[str]:
        """Turns that wait to be written down, and whose stretch of a transcript holds it."""
        if not self.wanted.of_text or not self.has_store:
            return []
        from cairn import journal

        own = journal.identity_of(str(self.ledger))
        if own is None:
            return []
        self.app.index_ledger()
        waiting = self.app.store.turns.pending(journal.worktree_name(own), 1_000)
        return [row.turn_id for row in waiting if row.transcript and self.file_holds(Path(row.transcript).expanduser())]

    @cached_property
    def pages(self) -> list[str]:
        """Files of the workspace that hold it; what is made of files says it for as long as they do."""
        if not self.wanted.of_text:
            return []
        app = self.app
        suffixes = tuple(sorted({suffix for p in app.registry.providers for suffix in p.manifest.extensions}))
        found = app.files.walk(app.scan_request().walk(suffixes)).files if suffixes else ()
        names = [file.path for file in found]
        return [name for name in names if self.wanted.holds(os.fsencode(name)) or self.file_holds(app.root / name)]

    @cached_property
    def transcripts(self) -> list[FoundTranscript]:
        """Of agent hosts, that hold it. They are not ours."""
        from cairn.capture.open_transcripts import find_transcripts

        found = find_transcripts(self.app)
        if self.wanted.of_text:
            return [one for one in found if self.file_holds(Path(one.path))]
        return [one for one in found if one.session in self.wanted.sessions]

    @cached_property
    def is_captured(self) -> bool:
        """Whether the ledger or logs of sessions hold it, so that copies of them may, too. Asked before the purge."""
        from cairn.workspace.forget.kept import find_lines, find_logs

        return bool(find_lines(self).number or find_logs(self).number)

    def file_holds(self, path: Path) -> bool:
        return file_holds(path, self.wanted.holds, self.wanted.overlap)
