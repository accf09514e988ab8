"""Bringing in what agents were told to remember: which files, what of them is new, and candidates for the curator."""

import os
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from cairn.core.isolate import item
from cairn.core.model.candidate import KnowledgeCandidate
from cairn.core.model.change import Taint
from cairn.core.ports.files import ReadFailed
from cairn.curate.memory import MOST_HOPS, SUFFIXES, SeenMemory
from cairn.curate.old_base import STATE
from cairn.curate.run_journal import MEMORY, CurateState
from cairn.errors import NotFound
from cairn.lib.globs.gitignore import Ignore, compile_rules, pattern_lines

if TYPE_CHECKING:
    from cairn.curate.ports import CuratePorts

KBIGNORE: Final = ".kbignore"
_OLD_LEDGER: Final = f"{STATE}/memory-ledger.json"
_LONGEST: Final = 262_144
_CHARS_A_TOKEN: Final = 4


class MemoryFile(NamedTuple):
    """A file that agents remember by; not read yet."""

    path: str
    """From the root of the workspace; of a file elsewhere, as it may be shown."""
    file: Path
    outside: bool = False
    """Not in the workspace: somebody's own."""
    named_by: str = ""
    """The file that names it with `@`."""

    @property
    def iri(self) -> str:
        """In origins, which are committed with conflicts: nothing of this machine is in it."""
        return f"file:{self.path}"


class MemoryReading(NamedTuple):
    place: MemoryFile
    sha256: str = ""
    candidates: tuple[KnowledgeCandidate, ...] = ()
    skipped: str = ""
    """Why nothing was taken from it; then it has no candidates."""
    remarks: tuple[str, ...] = ()
    unread: int = 0
    """Tokens of text that is no list of rules, about; it takes a reader."""


# --- which there are --------------------------------------------------------------------------------------------------


def places(ports: "CuratePorts", named: Sequence[Path] = (), *, user: bool = False) -> list[MemoryFile]:
    """Those of the workspace, or those that somebody names; with `user` also what Claude Code keeps at home."""
    found = [_named(ports, file) for file in named] if named else _in_workspace(ports)
    return [*found, *_of_user(ports)] if user else found


def _in_workspace(ports: "CuratePorts") -> list[MemoryFile]:
    from cairn.curate.memory import is_memory

    known = frozenset(file.path for file in ports.files.walk(ports.scan_request().walk(SUFFIXES)).files)
    return [
        MemoryFile(path, ports.root / path)
        for path in sorted(known)
        if is_memory(path, known) and not _is_page(ports, path)
    ]


def _is_page(ports: "CuratePorts", path: str) -> bool:
    """Of a corpus that is curated: it is knowledge already."""
    corpus = ports.knowledge.corpus(path)
    return corpus is not None and corpus.layout != "plain" and ports.knowledge.kind(path) is not None


def _named(ports: "CuratePorts", file: Path) -> MemoryFile:
    whole = Path(os.path.abspath(file))
    if not whole.is_file():
        raise NotFound(f"There is no file {file}; name files that agents remember by, or none to look for them.")
    if whole.is_relative_to(ports.root):
        return MemoryFile(whole.relative_to(ports.root).as_posix(), whole)
    return MemoryFile(_shown(ports, whole), whole, outside=True)


def _of_user(ports: "CuratePorts") -> list[MemoryFile]:
    return [
        MemoryFile(f"~/.claude/memory/{file.name}", file, outside=True) for file in ports.transcripts.memory_files()
    ]


def _shown(ports: "CuratePorts", file: Path) -> str:
    home = ports.env.get("HOME")
    return f"~/{file.relative_to(home).as_posix()}" if home and file.is_relative_to(home) else file.name


# --- what is in them --------------------------------------------------------------------------------------------------


def look(ports: "CuratePorts", found: Sequence[MemoryFile]) -> list[MemoryReading]:
    """Reads them, and those that they name. What was looked at before and has not changed is passed over."""
    return _Look(ports, ledger(ports), frozenset(CurateState(ports).stamps())).all(found)


def in_workspace(ports: "CuratePorts") -> list[KnowledgeCandidate]:
    """All that the files of the workspace say, whether that was looked at before or not."""
    return [one for looked in _Look(ports, {}).all(places(ports)) for one in looked.candidates]


class _Look:
    def __init__(
        self, ports: "CuratePorts", seen: Mapping[str, SeenMemory], judged: frozenset[str] = frozenset()
    ) -> None:
        """`judged` are origins of candidates that have their fate."""
        self._ports = ports
        self._seen, self._judged = seen, judged
        self._ignored = _kbignore(ports)
        self._known: frozenset[str] | None = None
        self._same: dict[str, str] = {}
        self._done: set[Path] = set()

    def all(self, found: Sequence[MemoryFile], hops: int = MOST_HOPS) -> list[MemoryReading]:
        looked: list[MemoryReading] = []
        for place in found:
            if place.file in self._done:
                continue
            self._done.add(place.file)
            one, text = MemoryReading(place, skipped="Cairn failed to read it"), ""
            with item(place.path):
                one, text = self._one(place)
            looked.append(one)
            if text and hops and not place.outside:
                looked += self.all(list(self._imports(text, place)), hops - 1)
        return looked

    def _one(self, place: MemoryFile) -> tuple[MemoryReading, str]:
        """And its text, if others may be named in it."""
        if not place.outside and self._ignored.ignored(place.path):
            return MemoryReading(place, skipped=f"{KBIGNORE} names it"), ""
        data, why = self._read(place)
        if why:
            return MemoryReading(place, skipped=why), ""
        digest, text = sha256(data).hexdigest(), data.decode("utf-8", "replace")
        if digest in self._same:
            return MemoryReading(place, digest, skipped=f"it says the same as {self._same[digest]}"), ""
        self._same[digest] = place.path
        before = self._seen.get(place.file.as_uri())
        if before is not None and before.sha256 == digest:
            return MemoryReading(place, digest, skipped=f"unchanged since {before.at[:10]}"), text
        return self._derived(place, digest, text), text

    def _read(self, place: MemoryFile) -> tuple[bytes, str]:
        if place.outside:
            from cairn.hook.aside import read_small

            data = read_small(os.fspath(place.file), _LONGEST)
            return data, "" if data else "it is empty, larger than 256 kB, or no file that can be read"
        try:
            data, _ = self._ports.files.read(place.path)
        except ReadFailed as failed:
            return b"", str(failed)
        return data, "it is larger than 256 kB" if len(data) > _LONGEST else "" if data.strip() else "it is empty"

    def _imports(self, text: str, place: MemoryFile) -> Iterator[MemoryFile]:
        """Only files that a walk finds: no symbolic link leads out, and nothing that git ignores is read."""
        from cairn.curate.memory import imported

        for path in imported(text, place.path):
            if path in self._files() and not _is_page(self._ports, path):
                yield MemoryFile(path, self._ports.root / path, named_by=place.path)

    def _files(self) -> frozenset[str]:
        if self._known is None:
            request = self._ports.scan_request().walk((*SUFFIXES, ".txt"))
            self._known = frozenset(file.path for file in self._ports.files.walk(request).files)
        return self._known

    def _derived(self, place: MemoryFile, digest: str, text: str) -> MemoryReading:
        from cairn.curate.memory import by_an_agent, is_about_a_person, rules

        if is_about_a_person(text):
            return MemoryReading(place, digest, skipped="it is about a person")
        cleaned, remarks = _clean(text)
        taint = Taint.MODEL if place.outside or by_an_agent(place.path, self._files()) else Taint.REPOSITORY
        # A path on this machine is one that nobody else finds, so what lies elsewhere is named by its address.
        where = place.iri if place.outside else place.path
        found = rules(cleaned, path=place.path, iri=place.iri, where=where, taint=taint)
        new = tuple(one for one in found.candidates if one.origin not in self._judged)
        old = len(found.candidates) - len(new)
        before = (f"{old} curated before",) if old else ()
        return MemoryReading(place, digest, new, remarks=(*remarks, *before), unread=-(-found.unread // _CHARS_A_TOKEN))


def _clean(text: str) -> tuple[str, tuple[str, ...]]:
    """Without what Cairn wrote, what is marked as private, and what looks like a secret."""
    from cairn.core.fingerprint import marked, without_recalled
    from cairn.curate.memory import without_blocks
    from cairn.lib.scrub.find import redact
    from cairn.lib.text.private import without_private

    rest, blocks = without_blocks(text)
    recalled = marked(rest)
    rest = without_private(without_recalled(rest, recalled) if recalled else rest)
    redacted = redact(rest)
    secrets = sum(redacted.counts.values())
    said = (
        f"{blocks} managed {'block' if blocks == 1 else 'blocks'} left out" if blocks else "",
        "what Cairn said itself left out" if recalled else "",
        f"{secrets} with what looks like a secret or personal data left out" if secrets else "",
    )
    return _without_redacted(redacted.text), tuple(one for one in said if one)


def _without_redacted(text: str) -> str:
    """A rule that lacks its secret is not the rule that somebody wrote."""
    return "".join(line for line in text.splitlines(keepends=True) if "[REDACTED:" not in line)


def _kbignore(ports: "CuratePorts") -> Ignore:
    try:
        text = ports.files.read(KBIGNORE)[0].decode("utf-8", "replace")
    except ReadFailed:
        text = ""
    return Ignore(compile_rules("", pattern_lines(text)))


# --- through the curator ----------------------------------------------------------------------------------------------


def ledger(ports: "CuratePorts") -> dict[str, SeenMemory]:
    """Of an older base, too: what its program has looked at need not be looked at again."""
    from cairn.curate.memory import read_ledger

    return {**read_ledger(_text(ports, _OLD_LEDGER)), **read_ledger(_text(ports, MEMORY))}


def _text(ports: "CuratePorts", path: str) -> str:
    try:
        return ports.files.read(path)[0].decode("utf-8", "replace")
    except ReadFailed:
        return ""


# --- as JSON ----------------------------------------------------------------------------------------------------------
