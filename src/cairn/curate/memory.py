"""Finds files that agents are told to remember, and imports their lists of rules word for word."""

import json
import re
from collections.abc import Mapping, Sequence
from posixpath import dirname, join, normpath
from typing import Any, Final, NamedTuple

from cairn.core.model.candidate import KnowledgeCandidate, Quote
from cairn.core.model.change import Taint
from cairn.curate.import_document import DocumentSection, relinked, said_digest, sections
from cairn.curate.session_candidates import BODY_LONGEST, SUMMARY_LONGEST, TITLE_LONGEST, one_line
from cairn.lib.injection.marks import marks
from cairn.lib.markdown.code_mask import fences, without
from cairn.lib.markdown.frontmatter import parse

ORIGIN: Final = "harness-memory:"
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
    unread: int = 0
    """Characters that are no list of rules; it takes a reader to tell what is in them."""


def rules(text: str, *, path: str, iri: str, where: str, taint: Taint) -> MemoryRules:
    """Each section that is a list of bullets, word for word and under its headings: alone, a bullet below `Never` would
    say the opposite. Lists of tasks are not rules."""
    # A file that addresses a machine in the words of an attack is not trusted anywhere.
    taint = Taint.OUTSIDE if marks(text) else taint
    page = parse(text.removeprefix("\ufeff"))
    found: list[KnowledgeCandidate] = []
    unread = 0
    for section in sections(page.body):
        if _is_list(section) and len(section.text) <= BODY_LONGEST and len(found) < MOST:
            found.append(_candidate(section, path, iri, where, taint))
        elif not _ONLY_IMPORTS.fullmatch(section.text):
            unread += len(section.text)
    return MemoryRules(tuple({one.origin: one for one in reversed(found)}.values())[::-1], unread)


def _is_list(section: DocumentSection) -> bool:
    """Bullets and what is indented below them, files to import, and at most one line above."""
    text = section.text
    if not _BULLET.search(without(text, fences(text))) or _TASK.search(text) or _ONLY_IMPORTS.fullmatch(text):
        return False
    first, *rest = (line for line in text.splitlines() if line.strip())
    lines = [first, *rest] if _BULLET.match(first) else rest
    return all(line.startswith((" ", "\t", "@")) or _BULLET.match(line) for line in lines)


def _candidate(section: DocumentSection, path: str, iri: str, where: str, taint: Taint) -> KnowledgeCandidate:
    body = relinked(section.text, path)
    first = _BULLET.search(body)
    return KnowledgeCandidate(
        origin=f"{ORIGIN}{iri}:{said_digest(body)}",
        kind="practice",
        title=one_line(_title(section.headings, path), TITLE_LONGEST),
        summary=one_line(first["text"] if first else body, SUMMARY_LONGEST),
        body=body,
        confidence="medium",
        taint=taint,
        derived_from=(where,),
        quotes=(Quote(where, " ".join(section.text.split())[:600]),),
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
    return frozenset(one.removeprefix(ORIGIN).rpartition(":")[0] for one in origins if one.startswith(ORIGIN))
