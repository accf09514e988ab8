"""Files that agents remember by: which there are, what is new in them, and which rules they hold."""

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from cairn.core.isolate import item
from cairn.core.model.candidate import KnowledgeCandidate, Quote
from cairn.core.model.change import Taint
from cairn.core.ports.runtime import ReadFailed
from cairn.curate.import_document import DocumentSection, relinked, said_digest, sections
from cairn.curate.old_base import STATE
from cairn.curate.run_journal import MEMORY, CurateState
from cairn.curate.session_candidates import BODY_LONGEST, MEMORY_ORIGIN, SUMMARY_LONGEST, TITLE_LONGEST, one_line
from cairn.errors import NotFound
from cairn.lib.globs.glob import Ignore, compile_rules, pattern_lines
from cairn.lib.injection.marks import marks
from cairn.lib.markdown.blocks import fences, without
from cairn.lib.markdown.frontmatter import parse

if TYPE_CHECKING:
    from cairn.curate.ports import CuratePorts

MOST: Final = 60
"""Candidates of one file."""
MOST_HOPS: Final = 5
"""From one file to another that it names with `@`."""
SUFFIXES: Final = (".md", ".mdc", ".cursorrules", ".windsurfrules", ".clinerules")

_NAMES: Final = frozenset(("claude.md", "agents.md", "gemini.md", ".cursorrules", ".windsurfrules", ".clinerules"))
_PLACES: Final = re.compile(
    r"(?:.*/)?(?:\.cursor/rules/.+\.mdc?|\.github/(?:copilot-instructions|instructions/.+\.instructions)\.md"
    r"|\.(?:windsurf|clinerules|claude)/rules/.+\.md)",
    re.IGNORECASE,
)
_BY_AGENTS: Final = re.compile(r"(?:.*/)?\.(?:claude|agents|codex|gemini)/memory/.+\.md|memory-bank/.+\.md", re.I)
_INDEX: Final = "memory/MEMORY.md"
"""With it, a folder `memory` at the top is one of an agent; there are many others of that name."""


def is_memory(path: str, known: frozenset[str] = frozenset()) -> bool:
    """Whether the file at this path is one; `known` are all files that there are."""
    folder, _, name = path.rpartition("/")
    shouted = not folder or name.startswith(".") or name.partition(".")[0].isupper()  # `docs/agents.md` is about agents
    return (shouted and name.lower() in _NAMES) or bool(_PLACES.fullmatch(path)) or by_an_agent(path, known)


def by_an_agent(path: str, known: frozenset[str] = frozenset()) -> bool:
    """Whether an agent wrote it, and not people for agents."""
    top = path.startswith("memory/") and path.endswith(".md") and _INDEX in known
    return top or bool(_BY_AGENTS.fullmatch(path))


# --- one file that names another --------------------------------------------------------------------------------------

_IMPORT: Final = re.compile(r"(?<![\w`@./-])@((?:~|\.{0,2})/?[\w.-]+(?:/[\w.-]+)*)")
_CODE: Final = re.compile(r"^(```|~~~).*?^\1[^\n]*$|`[^`\n]*`", re.MULTILINE | re.DOTALL)


def imported(text: str, path: str) -> tuple[str, ...]:
    """Paths from the root that a text names as `@path`, as far as those can lie in the repository."""
    said = [found[1].rstrip(".") for found in _IMPORT.finditer(_CODE.sub("", text))]
    return tuple(dict.fromkeys(target for one in said if (target := _target(one, path))))


def _target(said: str, path: str) -> str | None:
    if said.startswith(("~", "/")) or not said.lower().endswith((".md", ".mdc", ".txt")):
        return None  # somebody's home, or the name of an agent
    target = normpath(join(dirname(path), said))
    return None if target.startswith("..") else target


# --- what is nobody's rule --------------------------------------------------------------------------------------------

_BLOCK: Final = re.compile(
    r"<!--[ \t]*(?:>>>[ \t]*)?(?P<name>(?:cairn|kenkeep|kk|kb|ai-knowledge-base)[:\w/-]{0,80}?)"
    r"(?:[:/ \t-]{0,20}(?:begin|start))?[ \t]{0,20}(?:>>>[ \t]*)?-->.*?"
    r"(?:<!--[ \t]*(?:<<<[ \t]*|/)?(?P=name)(?:[:/ \t-]{0,20}(?:end|stop))?[ \t]{0,20}(?:<<<[ \t]*)?-->|\Z)"
    r"|<cairn-briefing>.*?(?:</cairn-briefing>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
"""What Cairn, or the program before it, keeps up to date in such a file; and a briefing that somebody pasted."""


def without_blocks(text: str) -> tuple[str, int]:
    """The text without what programs wrote into it, and how many stretches that were."""
    return _BLOCK.subn("", text)


def is_about_a_person(text: str) -> bool:
    """Agents say of each note what it is about; what they know of a person is no knowledge of the project."""
    front = parse(text.removeprefix("\ufeff")).frontmatter
    about = front.get("type") or (front.get("metadata") or {} if isinstance(front.get("metadata"), dict) else {}).get(
        "type"
    )
    return about == "user"


# --- candidates -------------------------------------------------------------------------------------------------------

_BULLET: Final = re.compile(r"^ {0,3}[-*+][ \t]+(?P<text>\S.*)$", re.MULTILINE)
_TASK: Final = re.compile(r"^[ \t]*[-*+][ \t]+\[[ xX]\][ \t]", re.MULTILINE)
_ONLY_IMPORTS: Final = re.compile(r"\s*+(?:(?:[-*+][ \t]*+)?@\S++\s*+)++")


class MemoryRules(NamedTuple):
    candidates: tuple[KnowledgeCandidate, ...]
    rest: str = ""
    """What is no list of rules, under its headings; it takes a reader to tell what is in it."""


def rules(text: str, *, path: str, iri: str, where: str, taint: Taint) -> MemoryRules:
    """Each section that is a list of bullets, word for word and under its headings: alone, a bullet below `Never` would
    say the opposite. Lists of tasks are not rules."""
    # A file that addresses a machine in the words of an attack is not trusted anywhere.
    taint = Taint.OUTSIDE if marks(text) else taint
    page = parse(text.removeprefix("\ufeff"))
    found: list[KnowledgeCandidate] = []
    rest: list[str] = []
    for section in sections(page.body):
        fits = _without_long(section) if _is_list(section) and len(found) < MOST else None
        if fits is not None:
            found.append(_candidate(fits, path, iri, where, taint))
            rest += [_headed(section, left)] if (left := _long_ones(section, fits)) else []
        elif not _ONLY_IMPORTS.fullmatch(section.text):
            rest.append(_headed(section, section.text))
    return MemoryRules(tuple({one.origin: one for one in reversed(found)}.values())[::-1], "\n\n".join(rest))


def _headed(section: DocumentSection, text: str) -> str:
    titles = (f"{'#' * min(6, level)} {title}" for level, title in enumerate(section.headings, 1))
    return "\n\n".join((*titles, text))


def _long_ones(section: DocumentSection, fits: DocumentSection) -> str:
    """The bullets that were too long."""
    if fits.text == section.text:
        return ""
    kept = set(_bullets(fits.text))
    return "".join(one for one in _bullets(section.text) if one not in kept and one.strip() not in kept).strip()


def _is_list(section: DocumentSection) -> bool:
    """Bullets and what is indented below them, files to import, and at most one line above."""
    text = section.text
    if not _BULLET.search(without(text, fences(text))) or _TASK.search(text) or _ONLY_IMPORTS.fullmatch(text):
        return False
    first, *rest = (line for line in text.splitlines() if line.strip())
    lines = [first, *rest] if _BULLET.match(first) else rest
    return all(line.startswith((" ", "\t", "@")) or _BULLET.match(line) for line in lines)


def _without_long(section: DocumentSection) -> DocumentSection | None:
    """The list as long as a page may be. One bullet that is an essay is left for a reader, and not the whole list with
    it; None where more than the longest few would have to go."""
    if len(section.text) <= BODY_LONGEST:
        return section
    above, *bullets = _bullets(section.text)
    kept = list(bullets)
    while kept and len(above) + sum(map(len, kept)) > BODY_LONGEST:
        kept.remove(max(kept, key=len))
    return section._replace(text="".join((above, *kept)).strip()) if 2 * len(kept) > len(bullets) else None


def _bullets(text: str) -> list[str]:
    """What stands before the first one, then each with what is indented below it."""
    found = list(_BULLET.finditer(without(text, fences(text))))
    outer = min(_indent(one[0]) for one in found)
    starts = [one.start() for one in found if _indent(one[0]) == outer]
    return [text[a:b] for a, b in pairwise([0, *starts, len(text)])]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _candidate(section: DocumentSection, path: str, iri: str, where: str, taint: Taint) -> KnowledgeCandidate:
    body = relinked(section.text, path)
    first = _BULLET.search(body)
    return KnowledgeCandidate(
        origin=f"{MEMORY_ORIGIN}{iri}:{said_digest(body)}",
        kind="practice",
        title=one_line(_title(section.headings, path), TITLE_LONGEST),
        summary=one_line(first["text"] if first else body, SUMMARY_LONGEST),
        body=body,
        confidence="medium",
        taint=taint,
        derived_from=(where,),
        quotes=(Quote(where, " ".join(section.text.split())[:600]),),
        verbatim=True,
    )


def _title(headings: Sequence[str], path: str) -> str:
    """The headings below the title of the file; with the folder, where the file is about a part of the repository."""
    shown = ": ".join(headings[1:] or headings) or path.rpartition("/")[2]
    folder = dirname(path)
    return shown if not folder or folder.startswith((".", "~")) else f"{shown} ({folder})"


# --- which were looked at ---------------------------------------------------------------------------------------------


class SeenMemory(NamedTuple):
    sha256: str
    run_id: str
    at: str


def read_ledger(text: str) -> dict[str, SeenMemory]:
    """By address of the file. What is malformed counts as missing: then all are looked at again, which costs nothing
    but time."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    entries = value.get("entries") if isinstance(value, dict) else None
    pairs = entries.items() if isinstance(entries, dict) else ()
    return {iri: seen for iri, entry in pairs if (seen := _seen(entry))}


def _seen(entry: Any) -> SeenMemory | None:
    said = entry if isinstance(entry, dict) else {}
    values = [value for key in ("sha256", "lastSeenRunId", "lastSeenAt") if isinstance(value := said.get(key), str)]
    return SeenMemory(*values) if len(values) == len(SeenMemory._fields) else None


def ledger_text(seen: Mapping[str, SeenMemory]) -> str:
    entries = {
        iri: {"sha256": one.sha256, "lastSeenRunId": one.run_id, "lastSeenAt": one.at} for iri, one in seen.items()
    }
    return json.dumps({"schema_version": 1, "entries": entries}, indent=2, ensure_ascii=False) + "\n"


def waiting(origins: Sequence[str]) -> frozenset[str]:
    """Addresses of the files that candidates with these origins come from."""
    return frozenset(
        one.removeprefix(MEMORY_ORIGIN).rpartition(":")[0] for one in origins if one.startswith(MEMORY_ORIGIN)
    )


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
    rest: str = ""
    """What is no list of rules; it takes a reader."""

    @property
    def unread(self) -> int:
        """Tokens of it, about."""
        return -(-len(self.rest) // _CHARS_A_TOKEN)


# --- which there are --------------------------------------------------------------------------------------------------


def places(ports: "CuratePorts", named: Sequence[Path] = (), *, user: bool = False) -> list[MemoryFile]:
    """Those of the workspace, or those that somebody names; with `user` also what Claude Code keeps at home."""
    found = [_named(ports, file) for file in named] if named else _in_workspace(ports)
    return [*found, *_of_user(ports)] if user else found


def _in_workspace(ports: "CuratePorts") -> list[MemoryFile]:

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
        if why or b"\0" in data:
            return MemoryReading(place, skipped=why or "it is not text"), ""
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

        for path in imported(text, place.path):
            if path in self._files() and not _is_page(self._ports, path):
                yield MemoryFile(path, self._ports.root / path, named_by=place.path)

    def _files(self) -> frozenset[str]:
        if self._known is None:
            request = self._ports.scan_request().walk((*SUFFIXES, ".txt"))
            self._known = frozenset(file.path for file in self._ports.files.walk(request).files)
        return self._known

    def _derived(self, place: MemoryFile, digest: str, text: str) -> MemoryReading:

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
        return MemoryReading(place, digest, new, remarks=(*remarks, *before), rest=found.rest)


def _clean(text: str) -> tuple[str, tuple[str, ...]]:
    """Without what Cairn wrote, what is marked as private, and what looks like a secret."""
    from cairn.core.fingerprint import marked, without_recalled
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

    return {**read_ledger(_text(ports, _OLD_LEDGER)), **read_ledger(_text(ports, MEMORY))}


def _text(ports: "CuratePorts", path: str) -> str:
    try:
        return ports.files.read(path)[0].decode("utf-8", "replace")
    except ReadFailed:
        return ""


# --- as JSON ----------------------------------------------------------------------------------------------------------
