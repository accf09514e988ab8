"""Files that agents are told to remember: which those are, what in them is no rule, and candidates of the rest."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from posixpath import dirname, join, normpath
from typing import Any, Final, NamedTuple

from cairn.curate.statements import keys_of, similar
from cairn.kernel.model.candidate import Candidate, Kind, Quote
from cairn.kernel.model.change import Taint
from cairn.kernel.text.frontmatter import parse
from cairn.kernel.text.instructions import marks

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
    r"<!--[ \t]*(?:>>>[ \t]*)?(?P<name>(?:cairn|kenkeep|kk|kb|ai-knowledge-base)[:\w/-]*?)"
    r"(?:[:/ \t-]*(?:begin|start))?[ \t]*(?:>>>[ \t]*)?-->.*?"
    r"(?:<!--[ \t]*(?:<<<[ \t]*|/)?(?P=name)(?:[:/ \t-]*(?:end|stop))?[ \t]*(?:<<<[ \t]*)?-->|\Z)"
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

_SHOUTED: Final = re.compile(
    r"^(?P<mark>[ \t]*(?:[-*+]|\d+[.)])?[ \t]*)[*_]{0,3}(?:very )?(?:important|critical|crucial|note|warning|remember"
    r"|rule|must)[*_]{0,3}[ \t]*[:!][*_]{0,3}[ \t]*",
    re.MULTILINE | re.IGNORECASE,
)
_WHY: Final = re.compile(
    r"(?:;| [–—-])\s+(?=(?:they|it|these|those)\s+(?:is|are|gets?|will|breaks?|fails?|has|have)\b)"
)
"""`Don't edit these; they are overwritten`: the second half is why."""
_ADDRESSED: Final = re.compile(
    r"\b(?:(?<!before )(?<!after )(?<!when )you|you(?! (?:commit|push|merge|deploy|release|publish)\b)|ask me"
    r"|your|yourself|the user|the assistant|an? agent|claude|codex|gemini|copilot|cursor|chatgpt|this file|this"
    r" document|subagents?|sub-agents?|context window|todo ?(?:list|write)|(?:task|read|bash|edit|write|grep|glob) tool"
    r"|plan mode|step by step|concise|apologi[sz]e\w*|clarifying|respond|reply|answers? (?:in|with)"
    r"|ask(?:ing)? before)\b",
    re.IGNORECASE,
)
"""How an agent should behave towards the person is between those two; `before you commit` is a time."""
_LEADS: Final = re.compile(
    r"\b(?:rules?|conventions?|guidelines?|principles?|standards?|practices|always|follow\w*)\b", re.I
)
_CONDITIONS: Final = re.compile(r"\b(?:if|when|unless|except|not|never|avoid|don'?t|only)\b", re.IGNORECASE)
_TAG: Final = re.compile(r"[a-z][a-z0-9-]{2,23}")
_DULL: Final = frozenset(("rules", "claude", "agents", "gemini", "cursorrules", "copilot-instructions", "memory"))
_TAGS: Final = 5
_HEADING_WORDS: Final = 2
_LEAST_WORDS: Final = 4
_STEP: Final = "1"
"""What an item of a list with numbers is: one step of several, unless it says that it always holds."""
_FIRM: Final = re.compile(r"\b(?:always|never|must|do not|don'?t)\b", re.IGNORECASE)
_POINTS: Final = re.compile(
    r"\b(?:it|them|this|that|these|those|here|from|in|into|to|of|by|with|merely|even|(?<!-)only)\W*$|^use cases?\b",
    re.IGNORECASE,
)
_ORDER: Final = re.compile(r"(?:only|do|don'?t|never|always|avoid|prefer)\s+(?P<verb>\w+)", re.IGNORECASE)
_NEARLY: Final = 0.75


def candidates(text: str, *, path: str, iri: str, where: str, taint: Taint) -> tuple[Candidate, ...]:
    """Such a file is read as a document, and each of its sentences as somebody's rule: that is what the file is for."""
    from cairn.curate.documents import derive

    text = _WHY.sub(", because ", _SHOUTED.sub(lambda found: found["mark"], text))
    # What gives orders to machines somewhere is not trusted anywhere.
    taint = Taint.OUTSIDE if marks(text) else taint
    derived = derive(text, path=path)
    taken = frozenset(quote.text for one in derived for quote in one.quotes)
    found = _distinct((*derived, *_rules(text, path, taken)))
    return tuple(_named(one, path, iri, where, taint) for one in found)


def _rules(text: str, path: str, taken: frozenset[str]) -> Iterator[Candidate]:
    """A rule that stands in such a file is a decision that somebody took, in as few words as a note."""
    from cairn.curate.reading.parts import parts
    from cairn.curate.reading.place import Voice, voice
    from cairn.curate.rules.propose import NoteText, propose_note

    for part in parts(text):
        if part.raw in taken or voice(path, part.headings) is Voice.NOTHING or _is_led(part.lead):
            continue
        if part.item == _STEP and not _FIRM.search(part.text):
            continue
        note = NoteText(id=path, type="decision", summary=part.text, decision="", tags=(), taint=Taint.PERSON)
        for one in filter(_stands_alone, propose_note(note)):
            tags = (*one.tags, *(title.lower().replace(" ", "-") for title in part.headings[-1:] if _is_short(title)))
            yield replace(one, tags=tags, derived_from=(path,), quotes=(Quote(path, part.raw),), taint=Taint.REPOSITORY)


def _is_order(body: str) -> bool:
    """`Only use uv, never pip` is one however it is said; nothing that exists begins so."""
    from cairn.curate.rules.words import is_base

    found = _ORDER.match(body)
    return bool(found and found["verb"] and (is_base(found["verb"].lower()) or found["verb"].lower() == "not"))


def _is_short(title: str) -> bool:
    """`Code style`, and not `What not to do`."""
    return len(title.split()) <= _HEADING_WORDS


def _stands_alone(one: Candidate) -> bool:
    """`Run the tests` and `Narrow it` say nothing to who does not see the page around them."""
    first = one.body.partition("\n")[0]
    return (len(first.split()) >= _LEAST_WORDS or "`" in first) and not _POINTS.search(first)


def _is_led(lead: str) -> bool:
    """In a list that something introduces an item means what that makes of it."""
    return bool(lead) and (not _LEADS.search(lead) or bool(_CONDITIONS.search(lead)))


def _distinct(found: Iterable[Candidate]) -> list[Candidate]:
    kept: list[tuple[Candidate, frozenset[str]]] = []
    for one in found:
        if len(kept) >= MOST:
            break
        keys = keys_of(one.body)
        if not _ADDRESSED.search(one.body) and all(similar(keys, other) < _NEARLY for _, other in kept):
            kept.append((one, keys))
    return [one for one, _ in kept]


def _named(one: Candidate, path: str, iri: str, where: str, taint: Taint) -> Candidate:
    """By what is said, so that a rule that is moved is no news."""
    from cairn.curate.documents import said_digest

    stem = path.rpartition("/")[2].lower().rpartition(".")[0]
    tags = [tag for tag in dict.fromkeys(one.tags) if _TAG.fullmatch(tag) and tag not in _DULL and tag != stem]
    quotes = tuple(quote._replace(start=None, end=None) for quote in one.quotes)  # the text is not quite the file
    kind: Kind = "practice" if _is_order(one.body) else one.kind
    return replace(
        one,
        kind=kind,
        origin=f"{ORIGIN}{iri}:{said_digest(one.body)}",
        tags=tuple(tags[:_TAGS]) or ("conventions",),
        taint=max(one.taint, taint),
        derived_from=(where,),
        quotes=quotes,
    )


# --- which were looked at ---------------------------------------------------------------------------------------------


class Seen(NamedTuple):
    sha256: str
    run_id: str
    at: str


def read_ledger(text: str) -> dict[str, Seen]:
    """By address of the file. What is malformed counts as missing: then all are looked at again, which costs nothing
    but time."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    entries = value.get("entries") if isinstance(value, dict) else None
    pairs = entries.items() if isinstance(entries, dict) else ()
    return {iri: seen for iri, entry in pairs if (seen := _seen(entry))}


def _seen(entry: Any) -> Seen | None:
    said = entry if isinstance(entry, dict) else {}
    values = [value for key in ("sha256", "lastSeenRunId", "lastSeenAt") if isinstance(value := said.get(key), str)]
    return Seen(*values) if len(values) == len(Seen._fields) else None


def ledger_text(seen: Mapping[str, Seen]) -> str:
    entries = {
        iri: {"sha256": one.sha256, "lastSeenRunId": one.run_id, "lastSeenAt": one.at} for iri, one in seen.items()
    }
    return json.dumps({"schema_version": 1, "entries": entries}, indent=2, ensure_ascii=False) + "\n"


def waiting(origins: Sequence[str]) -> frozenset[str]:
    """Addresses of the files that candidates with these origins come from."""
    return frozenset(one.removeprefix(ORIGIN).rpartition(":")[0] for one in origins if one.startswith(ORIGIN))
